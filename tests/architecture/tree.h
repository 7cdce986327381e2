// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The repository's own source files, as the architecture tests read them.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::test {

/// A file of ours; `path` is relative to the repository's root, with `/`.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;
};

/// Every file below `folders` (relative to the root) whose name ends in one of `endings`, sorted by
/// path. Build folders and node_modules are left out.
std::vector<SourceFile> sourceFiles(const std::vector<std::string> &folders,
                                    const std::vector<std::string> &endings);

bool startsWith(const std::string &text, const std::string &prefix);
bool endsWith(const std::string &text, const std::string &suffix);

} // namespace warpdrf::test
