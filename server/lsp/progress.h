// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress in the editor for checks and runs that take long, with a button to give up. Those that
// end within the delay are never heard of.
#pragma once

#include "protocol/endpoint.h"

#include "server/lsp/document.h"
#include "server/lsp/timer.h"

#include <atomic>

namespace warpdrf::lsp {

/// Of one kind of work, such as "check", in words "checking". At most one of a kind goes on at a
/// time, so there is at most one progress of it. Thread-safe.
class Progress {
public:
  Progress(protocol::Endpoint &endpoint, std::chrono::milliseconds delay, std::string kind,
           std::string words)
      : endpoint(endpoint), delay(delay), kind(std::move(kind)), words(std::move(words)) {}

  /// Off until the client is known to show progress.
  void enable() { enabled = true; }
  void started(const Snapshot &document);
  void ended();
  /// The document whose work the user gives up by this token; "" if it is over.
  std::string documentOf(const std::string &token);

private:
  void open(std::uint64_t number);
  void begin(std::uint64_t number);
  std::string tokenOf(std::uint64_t number) const;

  protocol::Endpoint &endpoint;
  const std::chrono::milliseconds delay;
  const std::string kind, words;
  std::atomic<bool> enabled = false;
  std::mutex mutex;         ///< guards what follows
  std::uint64_t number = 0; ///< of the current or last one
  bool running = false;
  bool shown = false;
  Snapshot document;
  Timer timer; ///< last: its thread uses the others
};

} // namespace warpdrf::lsp
