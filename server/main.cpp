// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `warpdrf`: picks the command.
#include "server/cli/commands.h"
#include "server/worker/spawn.h"

int main(int argc, char **argv) {
  if (argc > 0)
    warpdrf::worker::endWithParent(argv[0]);
  return warpdrf::cli::run({argv + 1, argv + argc});
}
