// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps: the delay passes, the client accepts the token, the bar is shown; a check may end
// before any of them.
#include "server/lsp/progress.h"

#include "protocol/window.h"

namespace warpdrf::lsp {

std::string Progress::tokenOf(std::uint64_t number) const {
  return "warpdrf/" + kind + "/" + std::to_string(number);
}

void Progress::started(const Snapshot &snapshot) {
  if (!enabled)
    return;
  std::lock_guard lock(mutex);
  running = true;
  shown = false;
  document = snapshot;
  timer.after(delay, [this, n = ++number] { open(n); });
}

void Progress::open(std::uint64_t n) {
  {
    std::lock_guard lock(mutex);
    if (!running || n != number)
      return;
  }
  endpoint.call("window/workDoneProgress/create", {{"token", tokenOf(n)}},
                [this, n](const protocol::Expected<protocol::Json> &answer) {
                  if (std::holds_alternative<protocol::Json>(answer))
                    begin(n);
                });
}

void Progress::begin(std::uint64_t n) {
  std::lock_guard lock(mutex);
  if (!running || n != number)
    return;
  shown = true;
  std::string file = document.path.substr(document.path.rfind('/') + 1);
  endpoint.notify("$/progress", protocol::progressBegin(tokenOf(n), "warpdrf", words + " " + file));
}

void Progress::ended() {
  std::lock_guard lock(mutex);
  if (running && shown)
    endpoint.notify("$/progress", protocol::progressEnd(tokenOf(number)));
  running = false;
}

std::string Progress::documentOf(const std::string &token) {
  std::lock_guard lock(mutex);
  return running && token == tokenOf(number) ? document.uri : "";
}

} // namespace warpdrf::lsp
