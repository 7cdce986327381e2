// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a barrier is good for, by experiment: the text without it is checked, and the races that are
// new then are the pairs of accesses that only this barrier orders. Who has a checker does the
// check; these are the steps before and after it.
#pragma once

#include "analysis/report/report.h"

#include <string_view>

namespace warpdrf {

/// The barrier at `position` of the file `path`, if the report knows one there whose `orders`
/// nobody has filled in.
const SyncSite *barrierToProbe(const FileReport &report, std::string_view path, Position position);

/// The text of the barrier's file with its call replaced by nothing, all other columns unchanged;
/// empty if what stands there is more than a plain barrier, or a macro.
std::string withoutBarrier(std::string_view text, const SyncSite &barrier);

/// The report with `orders` of all sites at the barrier's place filled in from the races that only
/// `without` has.
FileReport withOrders(const FileReport &report, const SyncSite &barrier, const FileReport &without);

} // namespace warpdrf
