// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/worker/spawn.h"

#include <csignal>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

extern char **environ;

namespace warpdrf::worker {

/// And the process that started it: that may have ended before its end could be noticed.
static const std::string childName = "warpdrf-worker-of-";

void endWithParent(std::string_view name) {
  if (!name.starts_with(childName))
    return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (name.substr(childName.size()) != std::to_string(getppid()))
    _exit(1);
}

pid_t spawnSelf(const std::vector<std::string> &arguments, int input, int output, int &error,
                int errors) {
  std::string name = childName + std::to_string(getpid());
  std::vector<char *> pointers{name.data()};
  for (const std::string &argument : arguments)
    pointers.push_back(const_cast<char *>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (input != STDIN_FILENO) // which may be closed: nothing to copy then
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (errors != STDERR_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
  pid_t child = -1;
  error = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? child : -1;
}

} // namespace warpdrf::worker
