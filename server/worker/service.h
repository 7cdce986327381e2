// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's end of a worker process (serve.h): starts it, starts it again when it dies, and
// gives up on a file that kills it twice. What the worker remembers between checks (preambles,
// results) is lost with it.
#pragma once

#include "server/lsp/check_service.h"
#include "server/worker/child.h"

#include <chrono>

namespace warpdrf::worker {

class WorkerService : public lsp::CheckService {
public:
  /// `arguments` make this program serve checks. It is started at once, to be ready when the first
  /// document is opened.
  explicit WorkerService(std::vector<std::string> arguments);

  /// Throws std::runtime_error when the worker cannot be started, or died twice of this text.
  FileReport check(const std::string &path, const std::string &text, const lsp::Settings &settings,
                   bool fixes, std::stop_token stop) override;

private:
  std::optional<FileReport> attempt(const std::string &path, const std::string &text,
                                    const lsp::Settings &settings, bool fixes, std::stop_token stop,
                                    std::string &failure);

  const std::vector<std::string> arguments;
  std::unique_ptr<Child> child;
  unsigned lastCheck = 0;
};

} // namespace warpdrf::worker
