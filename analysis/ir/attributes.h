// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of attributes that the front end hangs on operations and that are no part of their syntax.
#pragma once

namespace warpdrf::ir {

/// On a loop over the elements of a list, each chosen by the count of the iteration.
constexpr const char *overListAttribute = "warpdrf.over_list";

} // namespace warpdrf::ir
