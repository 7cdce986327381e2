// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0, the format of code scanning services: a result per finding, with a thread flow for
// each thread of its witness.
#pragma once

#include "analysis/report/source.h"
#include "server/render/run.h"

namespace warpdrf::render {

/// `baseline`: results are compared with one (baseline.h).
std::string toSarif(const RunReport &run, Sources &sources, bool baseline);

} // namespace warpdrf::render
