// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/clock.h"

#include <algorithm>

namespace warpdrf::interpreter {

std::uint32_t Clock::of(std::uint32_t block, std::uint32_t agent) const {
  if (block == home->block)
    return home->at[agent];
  auto found = std::lower_bound(
      foreign.begin(), foreign.end(), block,
      [](const BlockClockRef &each, std::uint32_t value) { return each->block < value; });
  return found != foreign.end() && (*found)->block == block ? (*found)->at[agent] : 0;
}

static BlockClockRef joined(const BlockClockRef &a, const BlockClockRef &b) {
  if (a == b)
    return a;
  auto result = llvm::makeIntrusiveRefCnt<BlockClock>(a->block, a->at.size());
  const std::uint32_t *x = a->at.data(), *y = b->at.data();
  std::uint32_t *to = result->at.data();
  for (std::size_t i = 0, n = a->at.size(); i < n; ++i)
    to[i] = std::max(x[i], y[i]);
  return result;
}

/// Adds what is known of one block.
static void absorb(Clock &clock, const BlockClockRef &part) {
  if (part->block == clock.home->block) {
    clock.home = joined(clock.home, part);
    return;
  }
  auto at = std::lower_bound(
      clock.foreign.begin(), clock.foreign.end(), part->block,
      [](const BlockClockRef &each, std::uint32_t value) { return each->block < value; });
  if (at != clock.foreign.end() && (*at)->block == part->block)
    *at = joined(*at, part);
  else
    clock.foreign.insert(at, part);
}

ClockRef join(const ClockRef &a, const ClockRef &b, std::uint32_t homeBlock, std::size_t agents) {
  if (a == b && (!a || a->home->block == homeBlock))
    return a;
  ClockRef result = llvm::makeIntrusiveRefCnt<Clock>();
  if (a && a->home->block == homeBlock) {
    result->home = a->home;
    result->foreign = a->foreign;
  } else {
    result->home = llvm::makeIntrusiveRefCnt<BlockClock>(homeBlock, agents);
    if (a) {
      absorb(*result, a->home);
      for (const BlockClockRef &part : a->foreign)
        absorb(*result, part);
    }
  }
  if (b) {
    absorb(*result, b->home);
    for (const BlockClockRef &part : b->foreign)
      absorb(*result, part);
  }
  return result;
}

ClockRef writable(const ClockRef &clock) {
  ClockRef result = llvm::makeIntrusiveRefCnt<Clock>(*clock);
  result->home = llvm::makeIntrusiveRefCnt<BlockClock>(*clock->home);
  return result;
}

} // namespace warpdrf::interpreter
