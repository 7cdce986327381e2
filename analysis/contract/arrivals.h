// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Last of N arrivals": one thread of every block does `fence; atomicAdd(&count, 1)` and the block
// that gets N - 1 goes on. What a block did before its fence happens before what the last one does
// (CONTRACT: what orders memory).
#pragma once

#include "analysis/contract/check_context.h"

namespace warpdrf::contract {

struct Arrival {
  bool ordered = false;               ///< the access happens before the last arriver's
  const Event *unpublished = nullptr; ///< the arrival that would order it, were all of the block's
                                      ///< stores published before it
  const Event *unlooked = nullptr;    ///< the arrival behind which a fence is missing: `ordered` by
                                      ///< what the others did alone
};

/// Whether `access` (of any block) is ordered before `after`, which the last of the blocks to
/// arrive executes.
Arrival arrivalOrders(CheckContext &context, const Event &access, const Event &after);

/// The atomic on which the thread of `after` spins, when it may wait there for what the thread of
/// `access` does behind it: `access; fence; atomic` on one side, `spin; fence; after` on the other.
/// A lock, or a flag. Which value the spin ends with is not known, so this orders nothing for sure.
const Event *mayHandOver(CheckContext &context, const Event &access, const Event &after,
                         Uniform shared);

} // namespace warpdrf::contract
