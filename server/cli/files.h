// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files that the arguments of `check` name.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::cli {

struct NamedFiles {
  std::vector<std::string> files;
  std::vector<std::pair<std::string, std::string>> errors; ///< a path, and why it gives no files
};

/// Files as given; of a folder every `.cu` file below it, sorted, hidden folders left out. Headers
/// are checked where a `.cu` file includes them.
NamedFiles findFiles(const std::vector<std::string> &paths);

} // namespace warpdrf::cli
