// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A made-up report with a bit of everything, for the renderers.
#pragma once

#include "analysis/report/source.h"
#include "server/render/run.h"

namespace warpdrf::test {

/// One violated kernel with a race, one unsupported, one parse error in a second file.
render::RunReport exampleRun();

/// The source that the example speaks of, as `reverse.cu`.
void addExampleSource(Sources &sources);

} // namespace warpdrf::test
