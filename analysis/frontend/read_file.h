// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading of regular files only. A device or a pipe may have no end, and opening one may block.
#pragma once

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <memory>
#include <string>

namespace warpdrf::frontend {

/// The content of a regular file; null, and why, if it is something else or cannot be read.
std::unique_ptr<llvm::MemoryBuffer> readFile(const std::string &path, std::string &failure);

/// The real file system for Clang, in which only regular files and folders can be opened; these
/// texts take the place of files at their absolute paths.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
regularFiles(const std::map<std::string, std::string> &unsaved);

} // namespace warpdrf::frontend
