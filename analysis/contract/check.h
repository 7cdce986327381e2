// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The static checker's door: one kernel under one set of launch contexts, checked against the
// WarpDRF contract. The pipeline behind it (docs/architecture.md, "contract"): execute.h turns the
// kernel into a trace of events over terms, participation.h and races.h ask the questions, decide.h
// answers them.
#pragma once

#include "analysis/report/report.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpdrf::ir {
class FuncOp;
}

namespace warpdrf::contract {

class Solver;

enum class Configuration { Cuda, Smr, Fmr };
enum class Masks { Documented, Strict };

struct Options {
  Configuration configuration = Configuration::Cuda;
  Masks masks = Masks::Documented;
  unsigned warpWidth = 32;
  std::set<std::string> assumptionsOff;          ///< names of CONTRACT 2.6, e.g. "layout"
  std::chrono::milliseconds queryBudget{1000};   ///< of processor time, as budget.h has it
  std::chrono::milliseconds kernelBudget{10000}; ///< the same
};

/// One correlated tuple of launch facts. An empty dimension or argument is unknown.
struct LaunchContext {
  std::array<std::optional<std::int64_t>, 3> block;
  std::array<std::optional<std::int64_t>, 3> grid;
  std::vector<std::optional<std::int64_t>> arguments; ///< by parameter position; may be shorter
  std::string source;                                 ///< shown to the user
  bool seen = false; ///< came from a launch in the code (else annotation, option or symbolic)
  /// Pointer arguments that point into what an earlier one points to, so many bytes further.
  struct Alias {
    unsigned argument, of;
    std::int64_t bytes;
    bool operator==(const Alias &) const = default;
  };
  std::vector<Alias> aliases;
  std::vector<std::string> assume; ///< C expressions that hold for the arguments (assume.h)
  // What the launch itself ties together, as expressions of the same kind.
  std::map<std::string, std::string> values; ///< of parameters, in terms of others
  std::vector<std::string> facts;
};

struct KernelResult {
  KernelReport report; ///< without `timeMs`
  std::vector<Finding> findings;
  /// Of each context under which it stayed open whether accesses conflict: launches, without
  /// threads, to see it by.
  std::vector<std::vector<Witness>> trials;
};

/// Asked now and then; true stops the check, whose result is then meaningless.
using Cancelled = std::function<bool()>;

/// Checks `kernel` under every context (at least one; `LaunchContext{}` is the symbolic one).
/// Never throws. Stops asking when the kernel's budget, which the contexts share, is used up: it
/// runs no longer than that plus one query's, and the time to put away a huge kernel's trace.
/// Deterministic
/// except for where a budget ends it. Thread-safe for kernels of different modules, each thread
/// with a solver of its own.
KernelResult check(ir::FuncOp kernel, const std::vector<LaunchContext> &contexts,
                   const Options &options, Solver &solver, const Cancelled &cancelled);

/// The reason of a verdict that a budget cut short.
std::string outOfBudget(std::chrono::milliseconds budget, const std::string &what);

} // namespace warpdrf::contract
