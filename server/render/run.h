// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one `warpdrf check` says of all its files; the renderers take it from here.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf::render {

struct RunReport {
  std::vector<FileReport> files; ///< without their findings
  std::vector<Finding> findings; ///< of all files, merged and sorted
  double timeMs = 0;
};

/// Joins the files' reports: a fault in a header that several of them include is one finding.
RunReport joinFiles(std::vector<FileReport> files, double timeMs);

/// How many kernels have each verdict, and what else a summary counts.
struct Counts {
  unsigned kernels = 0;
  unsigned distinct = 0; ///< with different IR, launch facts or options
  std::array<unsigned, 4> byVerdict{};
  unsigned suppressed = 0;
  unsigned operator[](Verdict verdict) const { return byVerdict[static_cast<unsigned>(verdict)]; }
};
Counts count(const RunReport &run);

} // namespace warpdrf::render
