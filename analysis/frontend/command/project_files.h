// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The small files that say how a project is compiled: compile_flags.txt, .clangd, .warpdrf.json.
// What is wrong in them goes to `notes`; a wrong part counts as absent.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

/// The nearest file `name` in `folder` or above it.
std::optional<std::string> findUpward(const std::string &folder, const std::string &name);

/// One flag a line.
std::vector<std::string> readCompileFlags(const std::string &file, std::vector<std::string> &notes);

/// What the fragments of a .clangd file whose conditions `path` meets say under CompileFlags.
struct ClangdFlags {
  std::vector<std::string> add;
  std::vector<std::string> remove;
};
ClangdFlags readClangd(const std::string &file, const std::string &path,
                       std::vector<std::string> &notes);

/// Removes what a Remove list names: `-W*` by prefix, `-I` with its value, else the flag itself.
void removeFlags(std::vector<std::string> &arguments, const std::vector<std::string> &remove);

/// What .warpdrf.json says of compiling.
struct ProjectFlags {
  std::vector<std::string> flags;
  std::optional<std::string> architecture;
  std::optional<std::string> toolkit;
};
ProjectFlags readProject(const std::string &file, std::vector<std::string> &notes);

} // namespace warpdrf::frontend
