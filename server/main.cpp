// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program `warpdrf`: picks the command.
#include "server/cli/commands.h"

int main(int argc, char **argv) {
  return warpdrf::cli::run({argv + 1, argv + argc});
}
