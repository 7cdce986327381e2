// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small files that say how a project is compiled: compile_flags.txt, .clangd. What is wrong in
// them goes to `problems`; a wrong part counts as absent.
#pragma once

#include "analysis/report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

/// The nearest file `name` in `folder` or above it.
std::optional<std::string> findUpward(const std::string &folder, const std::string &name);

/// One flag a line.
std::vector<std::string> readCompileFlags(const std::string &file,
                                          std::vector<ParseError> &problems);

/// What the fragments of a .clangd file whose conditions `path` meets say under CompileFlags.
struct ClangdFlags {
  std::vector<std::string> add;
  std::vector<std::string> remove;
};
ClangdFlags readClangd(const std::string &file, const std::string &path,
                       std::vector<ParseError> &problems);

/// Removes what a Remove list names: `-W*` by prefix, `-I` with its value, else the flag itself.
void removeFlags(std::vector<std::string> &arguments, const std::vector<std::string> &remove);

} // namespace warpdrf::frontend
