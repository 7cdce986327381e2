// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last lines of a text report: how many kernels have which verdict, and why the rest was not
// decided.
#pragma once

#include "server/render/run.h"

namespace warpdrf::render {

std::string summary(const RunReport &run);

} // namespace warpdrf::render
