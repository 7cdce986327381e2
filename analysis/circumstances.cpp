// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a result rests on that no file system of Clang's sees. Who lets a result depend on something
// else, such as another variable of the environment, adds it here.
#include "analysis/analysis.h"
#include "analysis/contract/solver.h"
#include "analysis/frontend/files_seen.h"
#include "analysis/frontend/project.h"
#include "analysis/frontend/toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <link.h>

namespace warpdrf {

namespace fs = std::filesystem;

/// A program or library, by what changes when another one is put in its place.
static std::string identityOf(const fs::path &file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  if (error)
    return file.string() + " absent\n";
  return file.string() + " " + std::to_string(size) + " " +
         std::to_string(fs::last_write_time(file, error).time_since_epoch().count()) + "\n";
}

/// This program: built anew, it may judge anew.
static std::string ourselves() {
  std::string text = frontend::lookInto("/proc/self/exe") + "\n";
  dl_iterate_phdr(
      [](dl_phdr_info *object, std::size_t, void *to) {
        if (object->dlpi_name && *object->dlpi_name == '/')
          *static_cast<std::string *>(to) += identityOf(object->dlpi_name);
        return 0;
      },
      &text);
  for (const std::string &folder :
       {frontend::bundledIncludeDir(), frontend::shimIncludeDir(), frontend::clangResourceDir()})
    text += folder + "\n";
  return text;
}

/// What Clang's driver, the search for a toolkit and that for the solver look at.
static std::string environment() {
  std::string text;
  for (const char *name : {"PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SDKROOT",
                           "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS", "CLANG_NO_DEFAULT_CONFIG",
                           "SOURCE_DATE_EPOCH", "CUDA_PATH", "CUDA_HOME", "WARPDRF_NO_TOOLKIT"})
    if (const char *value = std::getenv(name))
      text += std::string(name) + "=" + value + "\n";
  return text;
}

static std::string solver() {
  const std::string program = contract::solverProgram();
  return program.empty() ? "no z3\n" : identityOf(program);
}

static std::string commandOf(const std::string &path, const CheckOptions &options) {
  std::string error;
  const frontend::CompileCommand command =
      frontend::findCommand(path, options.database, options.flags, options.arch, error);
  std::string text = command.source + "\n" + command.directory + "\n" + command.arch + "\n" +
                     command.toolkit.value_or("no toolkit") + "\n";
  for (const std::string &flag : command.flags)
    text += flag + "\n";
  for (const ParseError &problem : command.problems)
    text += problem.range.file + ":" + std::to_string(problem.range.begin.line) + ":" +
            std::to_string(problem.range.begin.column) + ": " + problem.message + "\n";
  return text;
}

static std::string projectOf(const std::string &path) {
  const std::string file = frontend::findProject(path).file;
  return file.empty() ? "no project\n" : file + " " + frontend::lookInto(file) + "\n";
}

std::string circumstances(const std::string &path, const CheckOptions &options) {
  // These do not change while we run.
  static const std::string fixed = ourselves() + environment() + solver();
  return fixed + commandOf(path, options) + projectOf(path);
}

} // namespace warpdrf
