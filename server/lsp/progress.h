// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress in the editor for checks that take long, with a button to give up. Checks that end
// within the delay are never heard of.
#pragma once

#include "protocol/endpoint.h"

#include "server/lsp/document.h"
#include "server/lsp/timer.h"

#include <atomic>

namespace warpdrf::lsp {

/// At most one check runs at a time, so there is at most one progress. Thread-safe.
class Progress {
public:
  Progress(protocol::Endpoint &endpoint, std::chrono::milliseconds delay)
      : endpoint(endpoint), delay(delay) {}

  /// Off until the client is known to show progress.
  void enable() { enabled = true; }
  void started(const Snapshot &document);
  void ended();
  /// The document whose check the user gives up by this token; "" if it is over.
  std::string documentOf(const std::string &token);

private:
  void open(std::uint64_t number);
  void begin(std::uint64_t number);
  static std::string tokenOf(std::uint64_t number);

  protocol::Endpoint &endpoint;
  const std::chrono::milliseconds delay;
  std::atomic<bool> enabled = false;
  std::mutex mutex;         ///< guards what follows
  std::uint64_t number = 0; ///< of the current or last check
  bool running = false;
  bool shown = false;
  Snapshot document;
  Timer timer; ///< last: its thread uses the others
};

} // namespace warpdrf::lsp
