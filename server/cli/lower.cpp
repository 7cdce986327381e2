// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf lower FILE`: the dialect text of a file, for bug reports and for reading.
#include "server/cli/commands.h"
#include "server/cli/common_options.h"

#include <iostream>

namespace warpdrf::cli {

int lower(const CommandArguments &arguments) {
  CheckOptions options;
  std::vector<std::string> paths;
  std::optional<std::string> kernel;
  bool locations = false;
  Arguments parser("lower [OPTIONS] FILE [-- COMPILER FLAGS]",
                   "Prints the kernels of a CUDA file and what they call in the warpdrf dialect.");
  declareCompileOptions(parser, options);
  parser.option("--kernel", "NAME", "only this kernel and what it calls", text(kernel));
  parser.option("--dump", "PHASE",
                "'lowered' (default) or 'locations', the same with source places",
                [&](const std::string &phase) -> std::string {
                  if (phase != "lowered" && phase != "locations")
                    return "expected lowered or locations, got '" + phase + "'";
                  locations = phase == "locations";
                  return "";
                });
  parser.positional(paths);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (paths.size() != 1) {
    std::cerr << "warpdrf: lower takes one file\n";
    return 2;
  }
  std::string error;
  Checker checker;
  std::cout << checker.lower(paths.front(), std::nullopt, options, kernel, locations, error)
            << std::flush;
  std::cerr << error;
  return error.empty() ? 0 : 2;
}

} // namespace warpdrf::cli
