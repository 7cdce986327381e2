// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device function asks of its callers, seen from what is in it: a warp primitive with a full
// mask wants the whole warp, a block's barrier the whole block, wherever it is reached.
#pragma once

#include "analysis/frontend/frontend.h"
#include "analysis/report/report.h"

namespace warpdrf {

/// One for each function of the source that some kernel reaches, in the order of their places.
std::vector<DeviceFunction> describeDeviceFunctions(const frontend::TranslationUnit &unit);

} // namespace warpdrf
