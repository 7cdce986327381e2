// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the language server needs of the interpreter, and no more: tests put a fake in its place.
#pragma once

#include "analysis/report/report.h"
#include "server/lsp/settings.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warpdrf::lsp {

struct RunRequest {
  std::string path;
  std::string text; ///< the content of `path`, as the editor has it
  Settings settings;
  std::vector<std::string> options; ///< of `warpdrf run`, besides the format and what limits it
  std::optional<Finding> finding;   ///< what the run is to show
  bool asText = false;              ///< for people, instead of JSON
};

struct RunOutcome {
  std::string failure;   ///< why there is no execution; else empty
  std::string execution; ///< as `warpdrf run` prints it
  std::string finding;   ///< as `warpdrf check --format json` prints it; "null" if there is none
};

class RunService {
public:
  virtual ~RunService() = default;
  /// Returns soon after `stop` is requested; the outcome is then meaningless. Bounded in time and
  /// in size. Called by one thread at a time.
  virtual RunOutcome run(const RunRequest &request, std::stop_token stop) = 0;
};

} // namespace warpdrf::lsp
