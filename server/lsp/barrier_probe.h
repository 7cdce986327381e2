// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a barrier is good for, by experiment: the text without it is checked, and the races that are
// new then are the pairs of accesses that only this barrier orders.
#pragma once

#include "server/lsp/scheduler.h"

namespace warpdrf::lsp {

/// The barrier at `position`, if the report knows one there whose `orders` nobody has filled in and
/// that stands in the document itself, not in a macro's definition or a header.
const SyncSite *barrierToProbe(const Checked &checked, Position position);

/// The document with the barrier's call replaced by nothing, all other columns unchanged; empty if
/// the call is more than a plain barrier.
std::string withoutBarrier(const Checked &checked, const SyncSite &barrier);

/// The report with `orders` of all sites at the barrier's place filled in from the races that only
/// `without` has.
FileReport withOrders(const FileReport &report, const SyncSite &barrier, const FileReport &without);

} // namespace warpdrf::lsp
