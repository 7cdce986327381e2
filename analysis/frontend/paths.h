// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small path helpers of this layer.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <string>

namespace warpdrf::frontend {

inline std::string joinPath(llvm::StringRef base, llvm::StringRef rest) {
  llvm::SmallString<256> result(base);
  llvm::sys::path::append(result, rest);
  return std::string(result);
}

/// `name` as seen from `directory`, without `.` and `..`.
inline std::string absolutePath(llvm::StringRef name, llvm::StringRef directory) {
  llvm::SmallString<256> result(name);
  llvm::sys::path::make_absolute(directory, result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

inline std::string currentDirectory() {
  llvm::SmallString<256> result;
  llvm::sys::fs::current_path(result);
  return std::string(result);
}

/// With links followed; the path itself if that fails.
inline std::string realPath(const std::string &name) {
  llvm::SmallString<256> result;
  return llvm::sys::fs::real_path(name, result) ? name : std::string(result);
}

} // namespace warpdrf::frontend
