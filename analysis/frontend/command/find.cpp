// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which flags a file is compiled with, and where they came from (CONTRACT part 3).
#include "analysis/frontend/command/clang_flags.h"
#include "analysis/frontend/command/database.h"
#include "analysis/frontend/command/nvcc.h"
#include "analysis/frontend/command/project_files.h"
#include "analysis/frontend/frontend.h"
#include "analysis/frontend/paths.h"
#include "analysis/frontend/project.h"
#include "analysis/frontend/toolkit.h"

#include "llvm/ADT/STLExtras.h"

namespace warpdrf::frontend {
namespace {

/// Arguments as some source gives them, not yet in Clang's words.
struct Found {
  std::string source;
  std::string directory;
  std::string compiler; ///< empty if the source names none
  std::vector<std::string> arguments;
};

/// Drops the compiler's name and what launches it (`ccache nvcc …`).
Found fromEntry(const DatabaseEntry &entry) {
  static constexpr llvm::StringLiteral launchers[] = {"ccache", "sccache", "distcc", "icecc",
                                                      "env"};
  std::size_t compiler = 0;
  while (compiler + 1 < entry.arguments.size() &&
         llvm::is_contained(launchers, llvm::sys::path::filename(entry.arguments[compiler])))
    ++compiler;
  Found found{"compile_commands.json", entry.directory, entry.arguments[compiler], {}};
  found.arguments.assign(entry.arguments.begin() + compiler + 1, entry.arguments.end());
  return found;
}

/// compile_commands.json in a folder, or in its build folder.
std::optional<std::string> databaseNear(const std::string &folder) {
  for (llvm::StringRef at = folder; !at.empty(); at = llvm::sys::path::parent_path(at))
    for (const char *name : {"compile_commands.json", "build/compile_commands.json"})
      if (std::string file = joinPath(at, name); llvm::sys::fs::is_regular_file(file))
        return file;
  return std::nullopt;
}

std::optional<Found> fromDatabase(const std::string &path, const std::string &asked,
                                  CompileCommand &command, std::string &error) {
  std::vector<std::string> &notes = command.notes;
  std::vector<ParseError> &problems = command.problems;
  std::optional<std::string> file;
  if (asked.empty())
    file = databaseNear(llvm::sys::path::parent_path(path).str());
  else
    file = llvm::sys::fs::is_directory(asked) ? joinPath(asked, "compile_commands.json") : asked;
  if (!file)
    return std::nullopt;
  std::optional<Database> database = Database::load(*file, problems);
  if (!database) {
    const ParseError &last = problems.back();
    error = last.range.file + ":" + std::to_string(last.range.begin.line) + ":" +
            std::to_string(last.range.begin.column) + ": " + last.message;
    return std::nullopt;
  }
  std::string note;
  const DatabaseEntry *entry = database->find(path, note);
  if (!entry) {
    notes.push_back("no command for this file in '" + *file + "'");
    return std::nullopt;
  }
  if (!note.empty())
    notes.push_back(note);
  return fromEntry(*entry);
}

Found findArguments(const std::string &path, const std::string &database,
                    const std::vector<std::string> &after, const Project &project,
                    const std::string &projectFolder, CompileCommand &command, std::string &error) {
  std::string folder = llvm::sys::path::parent_path(path).str();
  if (!after.empty())
    return {"after --", currentDirectory(), "", after};
  std::optional<Found> found = fromDatabase(path, database, command, error);
  if (!error.empty())
    return {"default", folder, "", {}};
  if (!found)
    if (auto file = findUpward(folder, "compile_flags.txt"))
      found = Found{"compile_flags.txt", llvm::sys::path::parent_path(*file).str(), "",
                    readCompileFlags(*file, command.problems)};
  // .clangd adjusts what was found, as in clangd, and stands alone if nothing was.
  if (auto file = findUpward(folder, ".clangd")) {
    ClangdFlags clangd = readClangd(*file, path, command.problems);
    if (!found && !clangd.add.empty())
      found = Found{".clangd", llvm::sys::path::parent_path(*file).str(), "", {}};
    if (found) {
      removeFlags(found->arguments, clangd.remove);
      found->arguments.insert(found->arguments.end(), clangd.add.begin(), clangd.add.end());
    }
  }
  if (found)
    return *found;
  if (!project.flags.empty())
    return {".warpdrf.json", projectFolder, "", project.flags};
  return {"default", folder, "", {}};
}

/// The toolkit's own headers must not come in by an include path: they would count as the user's
/// code, and hide ours where no toolkit is used.
void settleIncludePaths(CompileCommand &command) {
  std::vector<std::string> kept;
  std::string toolkit = command.toolkit ? realPath(*command.toolkit) : "";
  for (std::size_t i = 0; i < command.flags.size(); ++i) {
    llvm::StringRef flag = command.flags[i];
    bool separate = flag == "-I" || flag == "-isystem";
    if ((!separate || i + 1 == command.flags.size()) && !flag.starts_with("-I")) {
      kept.push_back(command.flags[i]);
      continue;
    }
    std::string folder = separate ? command.flags[++i] : flag.drop_front(2).str();
    std::string real = realPath(absolutePath(folder, command.directory));
    bool inToolkit = !toolkit.empty() && llvm::StringRef(real).starts_with(toolkit + "/");
    if (llvm::sys::fs::exists(joinPath(real, "cuda_runtime.h"))) {
      if (!inToolkit)
        command.notes.push_back("dropped the include path of another CUDA toolkit, '" + folder +
                                "'");
      continue;
    }
    bool system = inToolkit || flag == "-isystem";
    kept.insert(kept.end(), {system ? "-isystem" : "-I", folder});
  }
  command.flags = std::move(kept);
}

} // namespace

CompileCommand findCommand(const std::string &path, const std::string &database,
                           const std::vector<std::string> &after,
                           const std::optional<std::string> &arch, std::string &error) {
  CompileCommand command;
  std::string absolute = absolutePath(path, currentDirectory());
  std::string folder = llvm::sys::path::parent_path(absolute).str();
  const Project project = findProject(absolute);
  std::string projectFolder =
      project.file.empty() ? folder : llvm::sys::path::parent_path(project.file).str();
  Found found = findArguments(absolute, database, after, project, projectFolder, command, error);
  command.source = found.source;
  command.directory = found.directory;
  bool nvcc = isNvcc(found.compiler) || (found.compiler.empty() && looksLikeNvcc(found.arguments));
  ClangFlags clang = readClangFlags(
      nvcc ? translateNvcc(found.arguments, found.directory, command.notes) : found.arguments,
      found.directory, command.notes);
  command.flags = std::move(clang.flags);

  // Whoever asks explicitly wins: the command line, then the project's file, then the command
  // itself.
  std::vector<std::string> architectures = clang.architectures;
  if (arch && !isArchitecture(*arch)) {
    error = unknownArchitecture(*arch);
    command.problems.push_back({{path, {1, 1}, {1, 1}}, error});
  }
  if (arch || project.architecture)
    architectures = {arch ? *arch : *project.architecture};
  if (auto chosen = chooseArchitecture(architectures, command.notes))
    command.arch = *chosen;
  bool ofProject = project.toolkit.has_value();
  command.toolkit = findToolkit(ofProject ? project.toolkit : clang.toolkit, found.compiler,
                                ofProject ? projectFolder : found.directory, command.notes);
  settleIncludePaths(command);
  return command;
}

} // namespace warpdrf::frontend
