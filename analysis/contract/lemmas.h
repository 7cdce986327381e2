// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of pairs of opaque values in a query: loop-carried values grow by their steps,
// ranks of different voters differ, ticket ranges are disjoint, remainders are below the divisor.
#pragma once

#include "analysis/contract/trace.h"

namespace warpdrf::contract {

/// Adds to a query on two threads that share `shared` what relates the opaque values it speaks of.
void addLemmas(TermPool &pool, const Trace &trace, Uniform shared, std::vector<Term> &query);

} // namespace warpdrf::contract
