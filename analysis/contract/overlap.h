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
/// on. What is subtracted from a digit, as in (row - i2 * m) * s, is part of it.
/// `usedLayout` says whether the assumption mattered.
Term overlap(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB, bool layout,
             bool &usedLayout);

/// Accesses of one width at multiples of it: the bytes meet only where the offsets are equal.
bool meetOnlyWhenEqual(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB);

} // namespace warpdrf::contract
