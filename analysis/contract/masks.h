// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane masks as terms: is bit `lane` set in `mask`? Understands constants, shifts, the usual bit
// arithmetic, ballots (the bit is the predicate of that lane's thread) and lanemasks.
#pragma once

#include "analysis/contract/pair.h"

namespace warpdrf::contract {

/// What a bit of a mask that nobody can know is called (an opaque function).
inline constexpr const char *kUnknownMaskBit = "mask bit";

/// The truth of "bit `lane` of `mask`". `mask` and `lane` are terms of a pair; `laneSide` is the
/// thread whose lane it is (its ballot predicates are taken for it). A bit nobody can know is an
/// opaque function of mask and lane.
Term maskBit(TermPool &pool, const Trace &trace, Term mask, Term lane, Side &laneSide);

/// No mask, or a constant with all of the warp's bits.
bool isFullMask(Term mask, unsigned width);

} // namespace warpdrf::contract
