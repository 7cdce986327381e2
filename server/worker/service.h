// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The server's end of a worker process (serve.h): starts it, starts it again when it dies, and
// gives up on a file that kills it twice. What the worker remembers between checks (preambles,
// results) is lost with it.
#pragma once

#include "server/lsp/check_service.h"
#include "server/worker/child.h"
#include "server/worker/messages.h"

#include <chrono>
#include <mutex>

namespace warpdrf::worker {

class WorkerService : public lsp::CheckService {
public:
  /// `arguments` make this program serve checks. It is started at once, to be ready when the first
  /// document is opened. `patience` is how long a cancelled check may go on: somebody types. What
  /// takes longer to stop is killed.
  explicit WorkerService(std::vector<std::string> arguments,
                         std::chrono::milliseconds patience = std::chrono::milliseconds(250));

  /// Throws std::runtime_error when the worker cannot be started, or died twice of this text.
  FileReport check(const std::string &path, const std::string &text, const Unsaved &unsaved,
                   const lsp::Settings &settings, bool fixes, std::stop_token stop,
                   const Progress &progress) override;

  void shutDown() override; ///< kills the worker

private:
  std::optional<FileReport> attempt(const CheckMessage &message, std::stop_token stop,
                                    const Progress &progress, std::string &failure);

  bool begin(const CheckMessage &message, std::string &failure);
  void discard();
  void limit(std::chrono::milliseconds time);

  const std::vector<std::string> arguments;
  const std::chrono::milliseconds patience;
  std::mutex mutex; ///< guards which child there is, and its alarm
  std::unique_ptr<Child> child;
  bool closing = false;
  unsigned lastCheck = 0;
};

} // namespace warpdrf::worker
