// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Under which launches a kernel is checked, from the facts the front end found, in the order of
// trust: the command line, annotations, launches in the host code, else the symbolic launch.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/frontend/frontend.h"

namespace warpdrf {

/// A kernel as the choice of its launches needs it.
struct KernelPlace {
  std::string symbol; ///< of its instantiation
  Range name;         ///< where its name stands
  Range whole;        ///< from its first token; may be invalid
};

struct ChosenContexts {
  std::vector<contract::LaunchContext> contexts; ///< at least one
  std::vector<ParseError> errors;                ///< annotations nobody can read
};

/// What .warpdrf.json says of the kernel besides; sound (project_rules.h).
struct ProjectFacts {
  std::vector<contract::LaunchContext> launches;
  std::vector<std::string> assume;
};

ChosenContexts chooseContexts(const KernelPlace &kernel, const std::vector<KernelPlace> &all,
                              const frontend::TranslationUnit &unit,
                              const std::optional<contract::LaunchContext> &given,
                              const std::vector<std::string> &assume,
                              const ProjectFacts &project = {});

} // namespace warpdrf
