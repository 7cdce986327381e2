// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that arguments name.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::cli {

struct NamedFiles {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> errors; ///< a path, and why it gives no files
};

/// Files as given; of a folder every `.cu` file below it, sorted, hidden folders left out. Headers
/// are checked where a `.cu` file includes them. Each file once.
NamedFiles findFiles(const std::vector<std::string> &paths);

/// The bytes of a regular file; nothing if it is something else or cannot be read.
std::optional<std::string> readRegularFile(const std::string &path);

/// False, after saying so on standard error, if it cannot be written.
bool writeFile(const std::string &path, const std::string &text);

} // namespace warpdrf::cli
