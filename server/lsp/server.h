// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server: its state and its loop. What it answers is in handle_<request>.cpp, bound in
// registry.cpp.
//
// Threads: one reads messages and runs all handlers; the scheduler's worker runs checks and
// publishes their results; the queue's thread runs the interpreter; the timers' threads end waits.
// Handlers own `documents`, `settings` and `lifecycle`; `client` is written once, in initialize,
// before any document is open; the rest is thread-safe.
#pragma once

#include "protocol/endpoint.h"
#include "server/lsp/convert.h"
#include "server/lsp/diagnostics.h"
#include "server/lsp/progress.h"
#include "server/lsp/refresh.h"
#include "server/lsp/run_queue.h"
#include "server/lsp/scheduler.h"

namespace warpdrf::lsp {

struct ServerOptions {
  SchedulerOptions scheduler;
  std::chrono::milliseconds progressDelay{1000};
};

class Server {
public:
  Server(protocol::Output &output, CheckService &service, RunService &runService,
         const ServerOptions &options);
  /// Serves until `exit` or the end of the input; returns the process's exit code.
  int run(protocol::Input &input);

  /// A line in the client's log, or a message box for what the user should know.
  void log(const std::string &message);
  void showWarning(const std::string &message);
  /// Takes over settings and, if they are new, checks everything again. Mistakes in them are shown.
  void applySettings(const protocol::Json &given);
  /// Asks the client for the section `warpdrf`.
  void pullSettings();

  protocol::Endpoint endpoint;
  protocol::Lifecycle lifecycle;
  Client client;
  Settings settings;
  bool settingsToCome = false; ///< the client gave none, and can be asked
  DocumentStore documents;
  Progress progress;    ///< of checks
  Progress runProgress; ///< of runs of the interpreter
  Diagnostics diagnostics;
  Refresh refresh;
  RunQueue runs;
  Scheduler scheduler; ///< last: its worker uses the others

private:
  Scheduler::Listener listener();
  const bool synchronous;
};

} // namespace warpdrf::lsp
