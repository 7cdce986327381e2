// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the witness of a finding in the reference interpreter, on the same IR: what is reproduced is
// `confirmed` (CONTRACT 2.5). The witness fixes the launch and the parameters; arrays are free, so
// several fills are tried.
#pragma once

#include "analysis/interpreter/interpreter.h"

#include <chrono>

namespace warpdrf {

struct ReplayLimits {
  std::chrono::milliseconds time{100}; ///< for all runs of one finding
  std::int64_t threads = 1 << 15;      ///< of the witness's launch; a larger one is not run
  std::uint64_t elements = 1 << 16;    ///< of an array, at first
};

enum class Replay {
  Reproduced,
  NotReproduced, ///< it ran, with other findings or none
  NotRun,        ///< nothing to run, too large, or no run that got anywhere
};

/// Whether an execution shows a finding: the same rule at the same ranges.
bool shows(const interpreter::Execution &execution, const Finding &finding);

/// Whether a run can show findings of this rule at all.
bool canReplay(const Finding &finding);

Replay replay(const interpreter::Program &program, const Finding &finding, unsigned warpWidth,
              const ReplayLimits &limits);

/// Makes what can be reproduced `confirmed`. A finding that is not stays as it is: its model may
/// rest on contents of arrays that were not tried. Bounded in time, per finding and together.
void confirm(std::vector<Finding> &findings, mlir::ModuleOp module, const std::string &kernel,
             const std::string &path, unsigned warpWidth);

} // namespace warpdrf
