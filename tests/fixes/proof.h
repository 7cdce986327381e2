// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the oracle says of a change: where the original's final memory did not depend on the
// schedule and the interpreter saw nothing wrong, the changed kernel must leave the same.
#pragma once

#include "analysis/report/report.h"

#include <string>

namespace warpdrf::test {

struct Comparison {
  unsigned compared = 0;  ///< inputs on which the original was determinate
  std::string difference; ///< of the first that came out otherwise
};

/// Runs a kernel of two dialect texts on seeded inputs, three of them determinate if there are.
Comparison compareMemory(const std::string &before, const std::string &after,
                         const std::string &kernel, const Finding &finding,
                         const KernelReport *report);

} // namespace warpdrf::test
