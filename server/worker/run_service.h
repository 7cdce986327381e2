// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of the interpreter for the language server, each in a process of its own: this program
// again, as `warpdrf run … --stdin`. What a kernel does to the interpreter costs that run only.
#pragma once

#include "server/lsp/run_service.h"

#include <chrono>

namespace warpdrf::worker {

struct RunLimits {
  std::chrono::seconds time{60}; ///< from start to end, by the clock
  std::size_t output = 16 << 20; ///< bytes
};

class ChildRunService : public lsp::RunService {
public:
  /// `arguments` make this program run a kernel.
  explicit ChildRunService(std::vector<std::string> arguments, RunLimits limits = {})
      : arguments(std::move(arguments)), limits(limits) {}

  lsp::RunOutcome run(const lsp::RunRequest &request, std::stop_token stop) override;

private:
  const std::vector<std::string> arguments;
  const RunLimits limits;
};

} // namespace warpdrf::worker
