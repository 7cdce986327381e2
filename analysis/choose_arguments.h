// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a kernel when nobody says with which arguments: those that are missing are chosen by type.
#pragma once

#include "analysis/interpreter/interpreter.h"

namespace warpdrf {

/// What was chosen for a run, as `warpdrf run` takes it.
struct Chosen {
  std::map<std::string, std::string> arguments; ///< as `--arg` takes them, by name
  std::uint64_t sharedBytes = 0;                ///< 0: none were needed, or they were given
};

/// Runs with `launch` and, for each parameter it has no argument for, one that was chosen: a whole
/// number is the number of threads, or less if the run gets nowhere with that; an array is random,
/// and larger if the run leaves it. `launch` has all arguments afterwards. The limits hold for all
/// attempts together.
interpreter::Execution runWithChoices(const interpreter::Program &program,
                                      interpreter::Launch &launch, Chosen &chosen);

} // namespace warpdrf
