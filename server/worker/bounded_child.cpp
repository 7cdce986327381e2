// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/bounded_child.h"

#include "server/worker/spawn.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpdrf::worker {

namespace {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(Descriptor &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  ~Descriptor() { reset(); }
  int get() const { return fd; }
  void reset() {
    if (fd >= 0)
      close(fd);
    fd = -1;
  }

private:
  int fd = -1;
};

/// A file in memory, from its start: unlike a pipe nobody needs to feed it.
Descriptor fileOf(const std::string &text) {
  Descriptor file(memfd_create("warpdrf", MFD_CLOEXEC));
  for (std::size_t at = 0; file.get() >= 0 && at < text.size();) {
    const ssize_t count = write(file.get(), text.data() + at, text.size() - at);
    if (count < 0 && errno != EINTR)
      file.reset();
    at += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  if (file.get() >= 0)
    lseek(file.get(), 0, SEEK_SET);
  return file;
}

struct Pipe {
  Descriptor reader, writer;
};

Pipe newPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {};
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

/// Appends what is there; false at the end.
bool readSome(int fd, std::string &text) {
  char buffer[1 << 16];
  const ssize_t count = read(fd, buffer, sizeof buffer);
  if (count > 0)
    text.append(buffer, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

/// Reads both outputs to their ends, or says why not.
std::string readAll(Pipe &output, Pipe &errors, Descriptor &stopped, Bounded &result,
                    std::chrono::milliseconds time, std::size_t size) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + time;
  while (output.reader.get() >= 0 || errors.reader.get() >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    if (left.count() <= 0)
      return "it took longer than " + std::to_string(time.count() / 1000) + " s";
    pollfd all[] = {{output.reader.get(), POLLIN, 0},
                    {errors.reader.get(), POLLIN, 0},
                    {stopped.get(), POLLIN, 0}};
    if (poll(all, 3, static_cast<int>(left.count())) < 0)
      continue; // a signal
    if (all[2].revents)
      return "cancelled";
    if (all[0].revents && !readSome(output.reader.get(), result.output))
      output.reader.reset();
    if (all[1].revents && !readSome(errors.reader.get(), result.errors))
      errors.reader.reset();
    if (result.output.size() + result.errors.size() > size)
      return "its result is larger than " + std::to_string(size >> 20) + " MB";
  }
  return "";
}

} // namespace

Bounded runBounded(const std::vector<std::string> &arguments, const std::string &input,
                   std::chrono::milliseconds time, std::size_t size, std::stop_token stop) {
  Bounded result;
  Descriptor file = fileOf(input), stopped(eventfd(0, EFD_CLOEXEC));
  Pipe output = newPipe(), errors = newPipe();
  int error = errno;
  pid_t child = -1;
  if (file.get() >= 0 && stopped.get() >= 0 && output.reader.get() >= 0 && errors.reader.get() >= 0)
    child = spawnSelf(arguments, file.get(), output.writer.get(), error, errors.writer.get());
  output.writer.reset();
  errors.writer.reset();
  if (child < 0) {
    result.failure = "no process for the run: " + std::string(std::strerror(error));
    return result;
  }
  std::stop_callback wake(stop, [&] { eventfd_write(stopped.get(), 1); });
  result.failure = readAll(output, errors, stopped, result, time, size);
  if (!result.failure.empty())
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (result.failure.empty() && WIFSIGNALED(status))
    result.failure = std::string("the run ended by a signal, ") + strsignal(WTERMSIG(status));
  return result;
}

} // namespace warpdrf::worker
