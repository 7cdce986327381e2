// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf fuzz`: seeded conformance tests, each a program in the dialect and what the oracle
// expects. Exit status: 0, or 2 if some could not be made.
#include "server/cli/commands.h"
#include "server/cli/conformance_options.h"

#include <iostream>

namespace warpdrf::cli {

using namespace conformance;

int fuzz(const CommandArguments &arguments) {
  Parameters parameters;
  Contract admitted = Contract::Cuda;
  std::string folder;
  unsigned seed = 0, count = 1, width = 32;
  Arguments parser("fuzz [OPTIONS] -o DIR",
                   "Writes conformance tests: DIR/seed-N.mlir, a kernel whose warp primitives log "
                   "who took part in them, and DIR/seed-N.json, what the reference semantics "
                   "says. The same options give the same bytes.");
  parser.option("--seed", "N", "the first seed (default 0)", number(seed, 0));
  parser.option("--count", "M", "how many, with the seeds that follow (default 1)",
                number(count, 1));
  parser.option("--contract", "C",
                "which participant sets may be relied on: cuda (default), smr or fmr; each has "
                "the primitives of the one before and more",
                contract(admitted));
  parser.option("--width", "N", "lanes per warp, 1 to 32 (default 32)", number(width, 1));
  parser.option("-o", "DIR", "where to write", text(folder));
  declareParameters(parser, parameters);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (folder.empty() || width > 32) {
    std::cerr << (folder.empty() ? "warpdrf: fuzz needs -o DIR\n"
                                 : "warpdrf: --width: a ballot has room for 32 lanes\n");
    return 2;
  }
  for (unsigned i = 0; i < count; ++i) {
    std::string error;
    std::optional<Test> test =
        makeTest(seed + std::uint64_t{i}, admitted, width, parameters, error);
    const std::string name = "seed-" + std::to_string(seed + std::uint64_t{i});
    if (test)
      error = writeTest(folder, name, *test);
    if (!error.empty()) {
      std::cerr << "warpdrf: " << name << ": " << error << "\n";
      return 2;
    }
  }
  return 0;
}

} // namespace warpdrf::cli
