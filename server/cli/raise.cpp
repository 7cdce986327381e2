// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf raise`: a kernel of the dialect as a program for a device. Exit status: 0, or 2 if it
// cannot be raised.
#include "analysis/raise/raise.h"
#include "server/cli/commands.h"
#include "server/cli/conformance_options.h"
#include "server/cli/files.h"

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace warpdrf::cli {

int raise(const CommandArguments &arguments) {
  std::vector<std::string> paths;
  std::string target, folder, kernel, languages;
  for (const std::string &each : raise::targets())
    languages += (languages.empty() ? "" : ", ") + each;
  Arguments parser("raise [OPTIONS] --to LANGUAGE FILE.mlir",
                   "Writes a kernel of the dialect as a program for a device.");
  parser.option("--to", "LANGUAGE", "one of: " + languages, text(target));
  parser.option("--kernel", "NAME", "which kernel; may be left out if there is one", text(kernel));
  parser.option("-o", "DIR", "where to write; without it, standard output", text(folder));
  parser.positional(paths);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  std::string error;
  if (paths.size() != 1)
    error = "raise takes one file";
  else if (std::ranges::find(raise::targets(), target) == raise::targets().end())
    error = "--to: expected one of " + languages + ", got '" + target + "'";
  const std::optional<std::string> module =
      error.empty() ? readRegularFile(paths.front()) : std::nullopt;
  if (error.empty() && !module)
    error = paths.front() + ": cannot be read";
  std::optional<raise::Raised> raised;
  if (module) {
    raised = raise::raise(*module, paths.front(), kernel, target, error);
    if (!raised && !error.starts_with(paths.front() + ":")) // a parser says where
      error = paths.front() + ": " + error;
  }
  if (raised && folder.empty())
    std::cout << raised->text << std::flush;
  else if (raised)
    error = writeInFolder(folder,
                          std::filesystem::path(paths.front()).stem().string() + raised->extension,
                          raised->text);
  if (error.empty())
    return 0;
  std::cerr << "warpdrf: " << error << "\n";
  return 2;
}

} // namespace warpdrf::cli
