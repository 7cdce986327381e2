// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of the interpreter, one after the other, on a thread of their own: the requests of the
// language server and its checks do not wait for them.
#pragma once

#include "server/lsp/progress.h"
#include "server/lsp/run_service.h"

#include <deque>

namespace warpdrf::lsp {

/// Thread-safe.
class RunQueue {
public:
  using Done = std::function<void(const RunOutcome &)>;

  RunQueue(RunService &service, Progress &progress);
  ~RunQueue(); ///< nothing is called back any more

  /// Calls back once, on the queue's thread or at once, unless `cancelled` is requested. `document`
  /// is what is run, for the progress.
  void add(const Snapshot &document, RunRequest request, std::stop_token cancelled, Done done);
  /// Ends the run that goes on; it fails.
  void stopRunning();
  /// Ends the run that goes on, and begins no other.
  void shutDown();

private:
  struct Job {
    Snapshot document;
    RunRequest request;
    std::stop_token cancelled;
    Done done;
  };
  void work(std::stop_token stop);
  void run(Job &job, std::stop_source &stop);

  /// Somebody who presses a button again and again; each of them would be a process.
  static constexpr std::size_t mostWaiting = 8;

  RunService &service;
  Progress &progress;
  std::mutex mutex; ///< guards what follows
  std::condition_variable_any changed;
  std::deque<Job> waiting;
  std::optional<std::stop_source> running;
  bool ended = false;
  std::jthread thread; ///< last: it uses the others
};

} // namespace warpdrf::lsp
