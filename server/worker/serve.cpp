// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/serve.h"

#include "server/worker/messages.h"

#include <condition_variable>
#include <thread>
#include <unistd.h>

namespace warpdrf::worker {

namespace {

/// The check that waits or runs, and the thread that does it.
class Desk {
public:
  Desk(protocol::Output &output, lsp::CheckService &service)
      : writer(output), service(service), thread([this] { work(); }) {}

  void give(CheckMessage message) {
    std::lock_guard lock(mutex);
    current = message.number;
    stop = {};
    waiting = std::move(message);
    changed.notify_one();
  }

  void cancel(unsigned number) {
    std::lock_guard lock(mutex);
    if (current == number)
      stop.request_stop();
  }

private:
  DoneMessage answer(const CheckMessage &message, std::stop_token token) {
    DoneMessage done{message.number, {}, ""};
    const lsp::CheckService::Progress writePart = [&](const FileReport &known) {
      writer.write(print({message.number, known, "", true}));
    };
    try {
      if (!token.stop_requested())
        done.report = service.check(message.path, message.text, message.unsaved, message.settings,
                                    message.fixes, token, message.parts ? writePart : nullptr);
    } catch (const std::exception &error) {
      done.error = error.what();
    }
    return done;
  }

  void work() {
    for (;;) {
      CheckMessage message;
      std::stop_token token;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return waiting.has_value(); });
        message = std::move(*waiting);
        waiting.reset();
        token = stop.get_token();
      }
      writer.write(print(answer(message, token)));
    }
  }

  protocol::MessageWriter writer;
  lsp::CheckService &service;
  std::mutex mutex; ///< guards what follows
  std::condition_variable changed;
  std::optional<CheckMessage> waiting;
  unsigned current = 0;
  std::stop_source stop;
  std::thread thread; ///< never joined: the process ends under it
};

} // namespace

void serve(protocol::Input &input, protocol::Output &output, lsp::CheckService &service) {
  auto *desk = new Desk(output, service); // used by its thread to the end of the process
  protocol::MessageReader reader(input);
  for (;;) {
    auto frame = reader.next();
    if (std::holds_alternative<protocol::MessageReader::EndOfStream>(frame))
      _exit(0);
    auto *body = std::get_if<std::string>(&frame);
    if (!body)
      continue;
    if (auto check = readCheck(*body))
      desk->give(std::move(*check));
    else if (auto number = readCancel(*body))
      desk->cancel(*number);
  }
}

} // namespace warpdrf::worker
