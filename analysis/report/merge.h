// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One finding per fault: instantiations of a template, and the files that include a header, show
// the same fault at the same source lines again and again.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf {

class Sources;

/// Joins findings of the same rule, kernel, object and scope whose accesses stand on the same
/// lines; `instantiations` then names all they hold for. Keeps the worst severity and the surest
/// confidence, with the witness that belongs to it. Sorts by path, line, column and rule.
void mergeFindings(std::vector<Finding> &findings);

/// What is found, in words that hold no line numbers: rule, kernel, and the text of the lines it
/// stands on. The same fault keeps its identity when something else is edited; two on equal lines
/// share one.
std::string identity(const Finding &finding, Sources &sources);

/// Gives each finding a fingerprint from its identity; equal ones are told apart by their order.
/// Call after merging.
void setFingerprints(std::vector<Finding> &findings, Sources &sources);

} // namespace warpdrf
