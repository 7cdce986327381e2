// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `// warpdrf: ignore RULE[, RULE] -- reason`: which findings it covers, and what that does to a
// verdict. The one engine for the command line and the editor, applied before anything is rendered.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf {

struct Suppression {
  std::string file;
  unsigned line = 0;              ///< the line of code it speaks of
  std::vector<std::string> rules; ///< none: covers nothing, a blanket has to be spelled out
  std::string reason;
};

/// The names in "race, divergent-primitive".
std::vector<std::string> splitRules(const std::string &text);

/// Marks the findings that a suppression covers: it stands on the line of the primary place or of
/// an access, branch, call, barrier or exit that the finding names.
void suppress(std::vector<Finding> &findings, const std::vector<Suppression> &suppressions);

/// Does the finding make a verdict `violated`?
bool counts(const Finding &finding);

/// Makes a kernel's verdicts those of the findings that count, after some were suppressed or got
/// another severity: without one that counts, `violated` becomes `unproved` where something is left
/// open and `ok` where nothing is. `findings` are this kernel's.
void revise(KernelReport &report, const std::vector<Finding> &findings);

} // namespace warpdrf
