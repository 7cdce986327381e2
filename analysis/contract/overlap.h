// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When do two accesses of one object touch the same bytes? Algebra on offsets, so that the
// commonest indices never reach the solver: `blockIdx.x·blockDim.x + threadIdx.x` is a mixed-radix
// number.
#pragma once

#include "analysis/contract/term.h"

namespace warpdrf::contract {

/// The byte ranges [a, a + sizeA) and [b, b + sizeB) meet. Terms multiplied by different
/// grid-uniform factors (strides) must agree one by one: proved where the lower digits stay below
/// the stride, else by assumption "layout" where the stride is a scalar parameter and `layout` is
/// on. `usedLayout` says whether the assumption mattered.
Term overlap(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB, bool layout,
             bool &usedLayout);

} // namespace warpdrf::contract
