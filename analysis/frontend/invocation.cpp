// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/invocation.h"

#include "analysis/frontend/errors.h"
#include "analysis/frontend/paths.h"
#include "analysis/frontend/recording.h"
#include "analysis/frontend/toolkit.h"

#include "clang/Driver/CreateInvocationFromArgs.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace warpdrf::frontend {
namespace {

void addCuda(std::vector<std::string> &arguments, const CompileCommand &command,
             llvm::vfs::FileSystem &files) {
  auto add = [&](std::initializer_list<std::string> words) {
    arguments.insert(arguments.end(), words);
  };
  add({"-x", "cuda", "--cuda-device-only", "--offload-arch=" + command.arch, "-fsyntax-only"});
  // Device code is never linked here, and we judge toolkits by whether they parse, not by their
  // version.
  add({"-nocudalib", "--no-cuda-version-check", "-Wno-unknown-cuda-version", "-w"});
  if (!command.toolkit) {
    add({"-nocudainc", "-isystem", bundledIncludeDir(), "-include",
         joinPath(bundledIncludeDir(), "warpdrf_cuda.h")});
    return;
  }
  add({"--cuda-path=" + *command.toolkit, "-include",
       joinPath(shimIncludeDir(), "warpdrf_nvcc_shim.h")});
  // nvcc defines these itself; code hides whole kernels behind them.
  unsigned version = toolkitVersion(*command.toolkit);
  add({"-D__CUDACC_VER_MAJOR__=" + std::to_string(version / 1000),
       "-D__CUDACC_VER_MINOR__=" + std::to_string(version % 1000 / 10),
       "-D__CUDACC_VER_BUILD__=0"});
  // CUDA 13 moved cuda/std, cub and thrust here; nvcc searches it last.
  std::string cccl = joinPath(*command.toolkit, "include/cccl");
  if (files.exists(cccl))
    add({"-isystem", cccl});
  add({"-idirafter", shimIncludeDir()}); // what nvcc has from its host compiler
}

std::vector<std::string> driverArguments(const std::string &path, const CompileCommand &command,
                                         llvm::vfs::FileSystem &files) {
  std::string resources = clangResourceDir();
  // The driver looks for a standard library beside the program it believes to be.
  std::vector<std::string> arguments = {joinPath(resources, "../../../bin/clang++")};
  arguments.insert(arguments.end(), command.flags.begin(), command.flags.end());
  arguments.push_back("-resource-dir=" + resources);
  addCuda(arguments, command, files);
  arguments.push_back("--");
  arguments.push_back(path);
  return arguments;
}

/// Makes a path of the command mean the same when it is read from our working directory; where
/// `onlyIfThere` is given, only if that has it.
void rebase(std::string &path, const std::string &directory, llvm::vfs::FileSystem *onlyIfThere) {
  if (path.empty() || llvm::sys::path::is_absolute(path))
    return;
  std::string there = joinPath(directory, path);
  if (!onlyIfThere || onlyIfThere->exists(there))
    path = there;
}

void rebase(clang::CompilerInvocation &compiler, const std::string &directory,
            llvm::vfs::FileSystem &files) {
  clang::HeaderSearchOptions &search = compiler.getHeaderSearchOpts();
  rebase(search.Sysroot, directory, &files);
  for (clang::HeaderSearchOptions::Entry &entry : search.UserEntries)
    if (entry.IgnoreSysRoot || !llvm::StringRef(entry.Path).starts_with("="))
      rebase(entry.Path, directory, nullptr);
  // `-include x.h` is looked up in the command's directory first, then on the include path.
  for (std::string &include : compiler.getPreprocessorOpts().Includes)
    rebase(include, directory, &files);
  for (std::string &include : compiler.getPreprocessorOpts().MacroIncludes)
    rebase(include, directory, &files);
}

void settle(clang::CompilerInvocation &compiler) {
  compiler.getFrontendOpts().ProgramAction = clang::frontend::ParseSyntaxOnly;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getFrontendOpts().SkipFunctionBodies = true; // those of skipped_bodies.h
  compiler.getFrontendOpts().OutputFile.clear();
  compiler.getDependencyOutputOpts() = {};
  compiler.getDiagnosticOpts().ErrorLimit = 0;
  compiler.getDiagnosticOpts().ShowCarets = false;
  // Decides which runtime function `<<<…>>>` needs: __cudaPushCallConfiguration, as since CUDA 9.2.
  // The driver would take it from the device library, which we do without.
  compiler.getTargetOpts().SDKVersion = llvm::VersionTuple(12, 9);
  // What the headers instantiate belongs into the preamble: it is most of what a parse after it
  // would cost.
  compiler.getLangOpts().PCHInstantiateTemplates = true;
  compiler.getPreprocessorOpts().PCHThroughHeader.clear();
  compiler.getPreprocessorOpts().ImplicitPCHInclude.clear();
}

} // namespace

Invocation makeInvocation(const std::string &path, const CompileCommand &command) {
  Invocation result;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files =
      recording(llvm::vfs::createPhysicalFileSystem());
  files->setCurrentWorkingDirectory(command.directory);
  std::vector<std::string> arguments = driverArguments(path, command, *files);
  std::vector<const char *> raw;
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());

  ErrorCollector errors(path);
  clang::DiagnosticOptions diagnosticOptions;
  clang::CreateInvocationOptions options;
  options.Diags = clang::CompilerInstance::createDiagnostics(*files, diagnosticOptions, &errors,
                                                             /*ShouldOwnClient=*/false);
  options.VFS = files;
  options.RecoverOnError = true;
  std::unique_ptr<clang::CompilerInvocation> compiler = clang::createInvocation(raw, options);
  result.errors = errors.take();
  if (!compiler) {
    if (result.errors.empty())
      result.errors.push_back({Range{path, {1, 1}, {1, 1}}, "the compile command is not usable"});
    return result;
  }
  rebase(*compiler, command.directory, *files);
  settle(*compiler);
  result.compiler = std::move(compiler);
  for (const std::string &argument : arguments)
    (result.key += argument) += '\0';
  result.key += command.directory;
  return result;
}

} // namespace warpdrf::frontend
