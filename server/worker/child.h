// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program once more, as a child with pipes to its standard input and output.
#pragma once

#include "protocol/framing.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace warpdrf::worker {

/// `send` and `giveUpAfter` may be called by any thread, `receive` by one.
class Child {
public:
  /// Null, and why, if it cannot be started. The caller must have SIGPIPE ignored.
  static std::unique_ptr<Child> start(const std::vector<std::string> &arguments,
                                      std::string &failure);
  ~Child(); ///< kills it if it still runs

  void send(const std::string &body) { writer.write(body); }
  /// The next message; nothing, and why, once it has ended or its time is up.
  std::optional<std::string> receive(std::string &failure);
  /// From now on it has only so much time for its next message.
  void giveUpAfter(std::chrono::milliseconds time);
  void waitPatiently(); ///< takes giveUpAfter back

private:
  Child(pid_t pid, int toChild, int fromChild, int alarm);
  std::string reasonOfEnd();

  /// Waits for the pipe or the alarm; at the latter's time the stream counts as ended.
  class Pipe : public protocol::Input {
  public:
    Pipe(int fd, int alarm) : fd(fd), alarm(alarm) {}
    std::size_t read(char *data, std::size_t size) override;
    bool timedOut = false;

  private:
    int fd, alarm;
  };

  pid_t pid;
  int toChild, fromChild, alarm; ///< `alarm` is a timerfd
  protocol::FdOutput output;
  protocol::MessageWriter writer;
  Pipe pipe;
  protocol::MessageReader reader;
};

} // namespace warpdrf::worker
