// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the witness of a finding in the reference interpreter, on the same IR: what is reproduced is
// `confirmed` (CONTRACT 2.5), with a witness that `warpdrf run` takes. The model fixes the launch,
// parameters and some elements of arrays; the rest is free, so several contents are tried. A
// `possible` finding rests on values nobody knows, which a run knows: it is tried on admissible
// inputs only (arrays that the kernel writes begin at zero), and not at all where our own numbers
// would prove nothing (Finding::doubt).
#pragma once

#include "analysis/interpreter/interpreter.h"

#include <chrono>
#include <functional>

namespace warpdrf {

struct ReplayLimits {
  std::chrono::milliseconds time{250}; ///< processor time for all runs of one finding
  std::uint64_t steps = 4'000'000;     ///< of one run
  std::int64_t threads = 1 << 15;      ///< of one run
  std::uint64_t elements = 1 << 16;    ///< of an array, at first
  std::function<bool()> cancelled;
};

enum class Replay {
  Reproduced,
  SameValue,     ///< of a `race`: the two meet, but wrote the same value in every run that shows it
  NotReproduced, ///< it ran, with other findings or none; other contents might show it
  Refuted,       ///< it ran to its end without, and nothing was left to choose
  NotRun,        ///< nothing to run, too large, or no run that got anywhere
};

/// Whether an execution shows a finding: the same rule at the same ranges.
bool shows(const interpreter::Execution &execution, const Finding &finding);

/// Whether a run can show findings of this rule at all.
bool canReplay(const Finding &finding);

/// `shown`, if given, becomes the witness of the run that reproduces the finding; its `run` holds
/// the options of `warpdrf run` without file and kernel.
Replay replay(const interpreter::Program &program, const Finding &finding, unsigned warpWidth,
              const ReplayLimits &limits, Witness *shown = nullptr);

/// Makes what can be reproduced `confirmed`, and `possible` what is refuted. Bounded in processor
/// time, per finding and together.
void confirm(KernelReport &report, std::vector<Finding> &findings, mlir::ModuleOp module,
             const std::string &kernel, const std::string &path, unsigned warpWidth,
             const std::function<bool()> &cancelled);
void confirm(KernelReport &report, std::vector<Finding> &findings,
             const interpreter::Program &program, unsigned warpWidth,
             const std::function<bool()> &cancelled);

/// The command that runs a witness: `options` as `replay` gives them.
std::string runCommand(const std::string &path, const std::string &kernel,
                       const std::string &options, const std::vector<std::string> &flags);

} // namespace warpdrf
