// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's command line, reduced to what decides how the code reads.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

struct ClangFlags {
  std::vector<std::string> flags;
  std::vector<std::string> architectures; ///< as given: sm_80, compute_90, native, …
  std::optional<std::string> toolkit;     ///< --cuda-path
};

/// Keeps macros, include paths and language options. Inputs, outputs and everything that says which
/// job to run or what code to generate is dropped; plugins, and options Clang does not know, are
/// dropped and noted.
ClangFlags readClangFlags(const std::vector<std::string> &arguments, const std::string &directory,
                          std::vector<std::string> &notes);

/// The architecture to look at among those asked for: the newest, and of one generation `a` over
/// `f` over the plain one. Empty if none is a generation that Clang knows; those are noted.
std::optional<std::string> chooseArchitecture(const std::vector<std::string> &asked,
                                              std::vector<std::string> &notes);

/// What to say of one that is none (isArchitecture in frontend.h).
std::string unknownArchitecture(const std::string &name);

} // namespace warpdrf::frontend
