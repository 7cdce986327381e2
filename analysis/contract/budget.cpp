// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/budget.h"

#include "analysis/contract/solver.h"

#include <ctime>

namespace warpdrf::contract {

std::chrono::nanoseconds threadTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

Budget::Budget(std::chrono::milliseconds limit, const Solver &solver)
    : solver(solver), limit(limit), latest(std::chrono::steady_clock::now() + kPatience * limit) {
  start = worked();
}

std::chrono::nanoseconds Budget::worked() const {
  return threadTime() + solver.processorTime();
}

bool Budget::spent() const {
  return worked() - start > limit || std::chrono::steady_clock::now() > latest;
}

} // namespace warpdrf::contract
