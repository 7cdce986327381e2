// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/run.h"

#include "analysis/report/merge.h"

#include <set>

namespace warpdrf::render {

RunReport joinFiles(std::vector<FileReport> files, double timeMs) {
  RunReport run;
  run.timeMs = timeMs;
  for (FileReport &file : files) {
    run.findings.insert(run.findings.end(), std::make_move_iterator(file.findings.begin()),
                        std::make_move_iterator(file.findings.end()));
    file.findings.clear();
  }
  run.files = std::move(files);
  mergeFindings(run.findings);
  return run;
}

Counts count(const RunReport &run) {
  Counts counts;
  std::set<std::string> hashes;
  for (const FileReport &file : run.files)
    for (const KernelReport &kernel : file.kernels) {
      ++counts.kernels;
      ++counts.byVerdict[static_cast<unsigned>(kernel.verdict)];
      // A kernel that could not be lowered has no hash and resembles no other.
      if (kernel.irHash.empty() || hashes.insert(kernel.irHash).second)
        ++counts.distinct;
    }
  for (const Finding &finding : run.findings)
    counts.suppressed += finding.suppressed.has_value();
  return counts;
}

} // namespace warpdrf::render
