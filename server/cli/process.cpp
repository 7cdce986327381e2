// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/process.h"

#include "server/worker/spawn.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpdrf::cli {

static std::string readAll(int descriptor) {
  std::string text;
  char buffer[1 << 16];
  for (;;) {
    ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count > 0)
      text.append(buffer, count);
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

ChildResult runSelf(const std::vector<std::string> &arguments) {
  ChildResult result;
  int ends[2];
  // Closed on exec: a sibling that holds the writing end open would keep us waiting for the end.
  if (pipe2(ends, O_CLOEXEC) != 0) {
    result.failure = "no pipe to a worker: " + std::string(std::strerror(errno));
    return result;
  }
  int error = 0;
  pid_t child = worker::spawnSelf(arguments, STDIN_FILENO, ends[1], error);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    result.failure = "no worker process: " + std::string(std::strerror(error));
    return result;
  }
  result.output = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status))
    result.failure = std::string("the checker ended by a signal, ") + strsignal(WTERMSIG(status));
  else
    result.exitCode = WEXITSTATUS(status);
  return result;
}

} // namespace warpdrf::cli
