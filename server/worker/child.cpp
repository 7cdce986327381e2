// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/child.h"

#include "server/worker/spawn.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <poll.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpdrf::worker {

std::unique_ptr<Child> Child::start(const std::vector<std::string> &arguments,
                                    std::string &failure) {
  int in[2], out[2];
  int alarm = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  if (alarm < 0 || pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) {
    failure = std::string("no pipe to a worker: ") + std::strerror(errno);
    return nullptr; // out of descriptors: what was opened is the least of it
  }
  int error = 0;
  pid_t pid = spawnSelf(arguments, in[0], out[1], error);
  close(in[0]);
  close(out[1]);
  if (error == 0)
    return std::unique_ptr<Child>(new Child(pid, in[1], out[0], alarm));
  close(in[1]);
  close(out[0]);
  close(alarm);
  failure = std::string("no worker process: ") + std::strerror(error);
  return nullptr;
}

Child::Child(pid_t pid, int toChild, int fromChild, int alarm)
    : pid(pid), toChild(toChild), fromChild(fromChild), alarm(alarm), output(toChild),
      writer(output), pipe(fromChild, alarm),
      // Reports have no limit: they come from ourselves.
      reader(pipe, std::numeric_limits<std::size_t>::max()) {}

Child::~Child() {
  close(toChild);
  close(fromChild);
  close(alarm);
  if (pid > 0) {
    kill(pid, SIGKILL);
    while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

void Child::giveUpAfter(std::chrono::milliseconds time) {
  itimerspec spec{};
  spec.it_value.tv_sec = time.count() / 1000;
  spec.it_value.tv_nsec = time.count() % 1000 * 1000000 + 1; // all zero would disarm it
  timerfd_settime(alarm, 0, &spec, nullptr);
}

void Child::waitPatiently() {
  itimerspec off{};
  timerfd_settime(alarm, 0, &off, nullptr);
}

std::size_t Child::Pipe::read(char *data, std::size_t size) {
  pollfd both[] = {{fd, POLLIN, 0}, {alarm, POLLIN, 0}};
  while (poll(both, 2, -1) < 0 && errno == EINTR) {
  }
  if (both[0].revents)
    return protocol::FdInput(fd).read(data, size);
  timedOut = true;
  return 0;
}

std::optional<std::string> Child::receive(std::string &failure) {
  auto frame = reader.next();
  if (auto *body = std::get_if<std::string>(&frame))
    return std::move(*body);
  if (auto *error = std::get_if<protocol::ResponseError>(&frame))
    failure = "it sent " + error->message;
  else
    failure = pipe.timedOut ? "it did not stop" : reasonOfEnd();
  return std::nullopt;
}

/// Reaps the child, whose output has ended.
std::string Child::reasonOfEnd() {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  pid = -1;
  if (WIFSIGNALED(status))
    return "it died of signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "it ended with status " + std::to_string(WEXITSTATUS(status));
}

} // namespace warpdrf::worker
