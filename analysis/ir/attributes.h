// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of attributes that the front end hangs on operations and that are no part of their syntax.
#pragma once

namespace warpdrf::ir {

/// On a loop over the elements of a list, each chosen by the count of the iteration.
constexpr const char *overListAttribute = "warpdrf.over_list";

/// On a copy: how the type that is copied is aligned, in bytes.
constexpr const char *alignAttribute = "warpdrf.align";

/// On a fence of scope `thread`, which without them is a wait for all of the thread's asynchronous
/// copies: it closes a group of them; it waits for all groups but so many of the newest; it waits
/// for the oldest group that nobody waited for.
constexpr const char *commitAttribute = "warpdrf.commit";
constexpr const char *keepAttribute = "warpdrf.keep";
constexpr const char *oldestAttribute = "warpdrf.oldest";

/// On a snapshot of the active lanes: they form a group, of which each of them is to take part in
/// what the group does.
constexpr const char *groupAttribute = "warpdrf.group";

} // namespace warpdrf::ir
