// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which flags a file is compiled with, and where they came from (CONTRACT part 3).
#include "analysis/frontend/frontend.h"
#include "analysis/frontend/toolkit.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace warpdrf::frontend {

CompileCommand findCommand(const std::string &, const std::string &,
                           const std::vector<std::string> &after,
                           const std::optional<std::string> &arch, std::string &) {
  CompileCommand command;
  llvm::SmallString<256> directory;
  llvm::sys::fs::current_path(directory);
  command.directory = std::string(directory);
  command.flags = after;
  command.source = after.empty() ? "default" : "after --";
  if (arch)
    command.arch = *arch;
  command.toolkit = findToolkit(std::nullopt, "", command.directory, command.notes);
  return command;
}

} // namespace warpdrf::frontend
