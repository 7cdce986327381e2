// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/commands.h"

#include <algorithm>
#include <iostream>

namespace warpdrf::cli {

namespace {

struct Command {
  std::string name;
  int (*run)(const CommandArguments &arguments);
  std::string summary;
};

const Command commands[] = {
    {"check", check, "check CUDA files for races and divergent warp primitives"},
    {"lsp", lsp, "the language server, on standard input and output"},
    {"explain", explain, "what a rule means, with a faulty and a sound kernel"},
    {"rules", rules, "the rules there are"},
    {"doctor", doctor, "how a file is compiled and checked, for bug reports"},
    {"fix", fix, "apply verified fixes to a file"},
    {"lower", lower, "a file's kernels in the warpdrf dialect"},
    {"run", runKernel, "run a kernel in the reference interpreter"},
    {"fuzz", fuzz, "generate conformance tests of devices, with what the oracle expects"},
    {"raise", raise, "a kernel of the dialect as a program for a device"},
    {"conform", conform, "run conformance tests on devices and compare with the oracle"},
    {"devices", devices, "the devices that conform can use"},
};

void printUsage(std::ostream &stream) {
  stream << "usage: warpdrf COMMAND …, and warpdrf COMMAND --help\n\n";
  for (const Command &command : commands)
    stream << "  " << command.name << std::string(10 - command.name.size(), ' ') << command.summary
           << "\n";
}

} // namespace

int run(const CommandArguments &arguments) {
  if (arguments.empty()) {
    printUsage(std::cerr);
    return 2;
  }
  const std::string &name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    printUsage(std::cout);
    return 0;
  }
  if (name == "--version") {
    std::cout << "warpdrf " WARPDRF_VERSION "\n";
    return 0;
  }
  auto command = std::ranges::find(commands, name, &Command::name);
  if (command == std::end(commands)) {
    std::cerr << "warpdrf: there is no command '" << name << "'\n";
    printUsage(std::cerr);
    return 2;
  }
  return command->run({arguments.begin() + 1, arguments.end()});
}

} // namespace warpdrf::cli
