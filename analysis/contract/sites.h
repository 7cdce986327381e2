// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hover and inlay hints say of primitives and barriers.
#pragma once

#include "analysis/contract/check_context.h"

namespace warpdrf::contract {

/// Adds one site per primitive or barrier op of the trace that `sites` does not have yet.
void describeSites(CheckContext &context, std::vector<SyncSite> &sites);

/// Adds the parts of the source in which a thread may run without others of its warp.
void findDivergentCode(CheckContext &context, std::vector<Range> &out);

} // namespace warpdrf::contract
