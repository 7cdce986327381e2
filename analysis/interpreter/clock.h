// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread knows to have happened before: for every agent the latest of its clock values that
// reached it. Agents are the threads, and for asynchronous copies and matrix operations one more
// per thread and per warp. Immutable once shared; threads that met at a barrier share one Clock.
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <cstdint>
#include <vector>

namespace warpdrf::interpreter {

struct BlockClock : llvm::RefCountedBase<BlockClock> {
  BlockClock(std::uint32_t block, std::size_t agents) : block(block), at(agents) {
    bytesAlive += bytes();
  }
  BlockClock(const BlockClock &other) : RefCountedBase(), block(other.block), at(other.at) {
    bytesAlive += bytes();
  }
  BlockClock &operator=(const BlockClock &) = delete;
  ~BlockClock() { bytesAlive -= bytes(); }
  std::uint64_t bytes() const { return sizeof(BlockClock) + at.size() * sizeof(at[0]); }

  std::uint32_t block;
  std::vector<std::uint32_t> at; ///< per agent of the block

  /// Of all clocks of this thread of the process: a run's memory limit holds for them too.
  static inline thread_local std::uint64_t bytesAlive = 0;
};
using BlockClockRef = llvm::IntrusiveRefCntPtr<BlockClock>;

struct Clock : llvm::RefCountedBase<Clock> {
  BlockClockRef home;                 ///< of the block whose threads hold this clock
  std::vector<BlockClockRef> foreign; ///< of other blocks, sorted by block

  /// The value known of an agent of block `block`.
  std::uint32_t of(std::uint32_t block, std::uint32_t agent) const;
};
using ClockRef = llvm::IntrusiveRefCntPtr<Clock>;

/// The elementwise maximum, as a clock of `a`'s block. Either may be null; `a` may be the result.
ClockRef join(const ClockRef &a, const ClockRef &b, std::uint32_t homeBlock, std::size_t agents);

/// A clock of its own, whose home may be changed.
ClockRef writable(const ClockRef &clock);

} // namespace warpdrf::interpreter
