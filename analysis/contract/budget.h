// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much work a kernel may cost. Counted in processor time, of the checking thread and of the
// solver, so that a verdict does not depend on what else the machine is doing.
#pragma once

#include <chrono>

namespace warpdrf::contract {

class Solver;

/// Processor time that the calling thread has used.
std::chrono::nanoseconds threadTime();

/// A limit in processor time is given up in any case when this many times as much has passed by
/// the clock: somebody may be waiting.
constexpr int kPatience = 4;

/// Runs from its construction; to be asked on the thread that made it.
class Budget {
public:
  Budget(std::chrono::milliseconds limit, const Solver &solver);
  bool spent() const;

private:
  std::chrono::nanoseconds worked() const;

  const Solver &solver;
  std::chrono::nanoseconds limit, start;
  std::chrono::steady_clock::time_point latest;
};

} // namespace warpdrf::contract
