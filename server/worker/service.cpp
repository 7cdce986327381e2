// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/service.h"

#include "server/worker/messages.h"

#include <stdexcept>

namespace warpdrf::worker {

WorkerService::WorkerService(std::vector<std::string> given, std::chrono::milliseconds patience)
    : arguments(std::move(given)), patience(patience) {
  std::string ignored; // `check` tries again and says why it failed
  child = Child::start(arguments, ignored);
}

FileReport WorkerService::check(const std::string &path, const std::string &text,
                                const Unsaved &unsaved, const lsp::Settings &settings, bool fixes,
                                std::stop_token stop, const Progress &progress) {
  std::string failure;
  for (int tries = 0; tries < 2 && !stop.stop_requested(); ++tries) {
    if (auto report =
            attempt({++lastCheck, path, text, settings, fixes, progress != nullptr, unsaved}, stop,
                    progress, failure))
      return std::move(*report);
    discard();
  }
  if (stop.stop_requested())
    return {};
  throw std::runtime_error("the checker failed twice on this file: " + failure);
}

/// Hands a check to the worker, which is started if there is none; false, and why, if it cannot be.
bool WorkerService::begin(const CheckMessage &message, std::string &failure) {
  std::lock_guard lock(mutex);
  failure = "the server is shutting down";
  if (!closing && !child)
    child = Child::start(arguments, failure);
  if (closing || !child)
    return false;
  child->send(print(message));
  child->waitPatiently(); // the last check may have been cancelled just as it ended
  return true;
}

void WorkerService::discard() {
  std::lock_guard lock(mutex);
  child.reset();
}

void WorkerService::limit(std::chrono::milliseconds time) {
  std::lock_guard lock(mutex);
  if (child)
    child->giveUpAfter(closing ? std::chrono::milliseconds(0) : time);
}

void WorkerService::shutDown() {
  {
    std::lock_guard lock(mutex);
    closing = true;
  }
  limit(std::chrono::milliseconds(0));
}

/// Nothing, and why, if the worker is of no more use.
std::optional<FileReport> WorkerService::attempt(const CheckMessage &message, std::stop_token stop,
                                                 const Progress &progress, std::string &failure) {
  const unsigned number = message.number;
  if (!begin(message, failure))
    return std::nullopt;
  std::stop_callback cancel(stop, [&] {
    limit(patience);
    child->send(printCancel(number));
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
    if (!done->more)
      return std::move(done->report);
    progress(done->report);
  }
  return std::nullopt;
}

} // namespace warpdrf::worker
