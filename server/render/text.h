// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report for a terminal: `file:line:col: error: … [rule]` with the source line and carets, as
// clang prints it (editors' problem matchers read that), the witness as a table, and a summary.
// Deterministic.
#pragma once

#include "analysis/report/source.h"
#include "server/render/run.h"

namespace warpdrf::render {

struct TextOptions {
  bool color = false;
};

std::string toText(const RunReport &run, Sources &sources, const TextOptions &options);

} // namespace warpdrf::render
