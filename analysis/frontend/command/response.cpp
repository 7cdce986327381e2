// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/response.h"

#include "analysis/frontend/paths.h"
#include "analysis/frontend/read_file.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"

namespace warpdrf::frontend {
namespace {

constexpr unsigned MaxDepth = 8; ///< of files that name files; also ends circles

void expand(const std::vector<std::string> &arguments, const std::string &directory,
            std::vector<std::string> &notes, unsigned depth, std::vector<std::string> &result) {
  for (const std::string &argument : arguments) {
    bool file = argument.size() > 1 && argument[0] == '@' &&
                llvm::sys::fs::is_regular_file(absolutePath(argument.substr(1), directory));
    if (!file)
      result.push_back(argument);
    else if (depth == MaxDepth)
      notes.push_back("files of options are nested too deep at '" + argument + "'");
    else
      expand(readResponseFile(argument.substr(1), directory, notes), directory, notes, depth + 1,
             result);
  }
}

} // namespace

std::vector<std::string> splitCommandLine(const std::string &line) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char *> words;
  llvm::cl::TokenizeGNUCommandLine(line, saver, words);
  return {words.begin(), words.end()};
}

std::vector<std::string> readResponseFile(const std::string &file, const std::string &directory,
                                          std::vector<std::string> &notes) {
  std::string failure;
  if (auto buffer = readFile(absolutePath(file, directory), failure))
    return splitCommandLine(buffer->getBuffer().str());
  notes.push_back("cannot read the options in '" + file + "': " + failure);
  return {};
}

std::vector<std::string> expandResponseFiles(const std::vector<std::string> &arguments,
                                             const std::string &directory,
                                             std::vector<std::string> &notes) {
  std::vector<std::string> result;
  expand(arguments, directory, notes, 0, result);
  return result;
}

} // namespace warpdrf::frontend
