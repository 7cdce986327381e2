// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs this program again as a child, so that a crash in Clang or the solver costs one file, not
// the run.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::cli {

struct ChildResult {
  std::string output;  ///< what it wrote on standard output
  std::string failure; ///< why it did not end by itself or could not start; else empty
  int exitCode = 0;
};

/// Runs this program with `arguments`; standard error is shared. Waits for its end.
ChildResult runSelf(const std::vector<std::string> &arguments);

} // namespace warpdrf::cli
