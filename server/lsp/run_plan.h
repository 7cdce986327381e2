// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel is run in the interpreter when somebody presses a button: the launch and the
// arguments, as options of `warpdrf run`. What nobody says is chosen, small, and the notes tell so.
// Arguments that are not in the plan are chosen by the run.
#pragma once

#include "analysis/report/report.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::lsp {

struct RunPlan {
  std::vector<std::string> options; ///< a user would give the same
  std::vector<std::string> follow;  ///< options too: whose paths are told
  std::vector<std::string> notes;   ///< what was chosen, in words
};

/// What the user asks for.
struct RunWishes {
  std::string kernel; ///< with its template arguments, if it has any
  LaunchDims launch;  ///< what is empty is chosen
  std::map<std::string, std::string> arguments;
};

/// The launch that the check has seen, cut down to a few blocks; `report` may be null.
RunPlan planOf(const RunWishes &wishes, const KernelReport *report);

/// The run that shows the finding, which has a witness; or, if the check has not made one, a run
/// with the witness's launch and values.
RunPlan planOf(const Finding &finding);

} // namespace warpdrf::lsp
