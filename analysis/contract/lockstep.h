// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that a loop carries and changes in some threads only: `if (t < n) n /= 2;` once a round.
// Nothing that the condition looks at changes where it does not hold, so that whoever is in has
// been in in every round before, and all those have gone through the same values.
#pragma once

#include "analysis/contract/trace.h"

namespace warpdrf::contract {

/// Accesses under such a condition get offsets over values that the threads share.
void shareLockstepValues(TermPool &pool, Trace &trace);

} // namespace warpdrf::contract
