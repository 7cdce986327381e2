// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the assumption "layout" says of an access beyond its strides (overlap.h): subscripts of
// arrays inside of an object are in bounds, and a parameter that is divided to place something,
// `out[i + n / 2]`, is a multiple of the divisor. Only where the host or the data decides it: what
// the kernel's own constants and a known launch make of it is exact.
#pragma once

#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"

namespace warpdrf::contract {

/// The conditions for one thread of a pair, none if the assumption is off.
std::vector<Term> layoutOf(const CheckContext &context, const Event &access, Side &side);

/// Whether two writes are to parts of an array that a parameter sets apart, `dst[i]` and
/// `dst[offset + j]`: one that only places things and that no condition of the kernel speaks of.
bool areSetApart(const CheckContext &context, const Event &one, const Event &other);

} // namespace warpdrf::contract
