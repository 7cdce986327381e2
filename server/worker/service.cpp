// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/service.h"

#include "server/worker/messages.h"

#include <stdexcept>

namespace warpdrf::worker {

/// How long a cancelled check may go on. Generous, because a worker that builds a preamble only
/// looks up when it is done, and killing it would throw the preamble away.
static constexpr std::chrono::seconds patience{10};

WorkerService::WorkerService(std::vector<std::string> given) : arguments(std::move(given)) {
  std::string ignored; // `check` tries again and says why it failed
  child = Child::start(arguments, ignored);
}

FileReport WorkerService::check(const std::string &path, const std::string &text,
                                const lsp::Settings &settings, bool fixes, std::stop_token stop) {
  std::string failure;
  for (int tries = 0; tries < 2 && !stop.stop_requested(); ++tries) {
    if (auto report = attempt(path, text, settings, fixes, stop, failure))
      return std::move(*report);
    child.reset();
  }
  if (stop.stop_requested())
    return {};
  throw std::runtime_error("the checker failed twice on this file: " + failure);
}

/// Nothing, and why, if the worker is of no more use.
std::optional<FileReport> WorkerService::attempt(const std::string &path, const std::string &text,
                                                 const lsp::Settings &settings, bool fixes,
                                                 std::stop_token stop, std::string &failure) {
  if (!child)
    child = Child::start(arguments, failure);
  if (!child)
    return std::nullopt;
  unsigned number = ++lastCheck;
  child->send(print(CheckMessage{number, path, text, settings, fixes}));
  child->waitPatiently(); // the last check may have been cancelled just as it ended
  std::stop_callback cancel(stop, [&] {
    child->send(printCancel(number));
    child->giveUpAfter(patience);
  });
  while (auto body = child->receive(failure)) {
    auto done = readDone(*body);
    if (!done) {
      failure = "it sent what is no report";
      return std::nullopt;
    }
    if (done->number != number)
      continue; // of a check that was given up
    if (!done->error.empty())
      throw std::runtime_error(done->error);
    return std::move(done->report);
  }
  return std::nullopt;
}

} // namespace warpdrf::worker
