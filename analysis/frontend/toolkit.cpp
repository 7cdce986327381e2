// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/toolkit.h"

#include "analysis/frontend/paths.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

namespace warpdrf::frontend {
namespace {

namespace path = llvm::sys::path;

/// Clang's driver wants a bin folder too.
bool isToolkit(const std::string &root) {
  return llvm::sys::fs::exists(joinPath(root, "include/cuda_runtime.h")) &&
         llvm::sys::fs::is_directory(joinPath(root, "bin"));
}

/// The toolkit a compiler belongs to. A link such as /usr/bin/nvcc says nothing, so links are
/// followed; but the unresolved path comes first, since distributions link the compiler alone out
/// of the tree.
std::optional<std::string> toolkitOfCompiler(const std::string &compiler) {
  std::string real = realPath(compiler);
  for (llvm::StringRef program : {llvm::StringRef(compiler), llvm::StringRef(real)}) {
    std::string root = path::parent_path(path::parent_path(program)).str();
    if (isToolkit(root))
      return root;
  }
  return std::nullopt;
}

/// A shared folder: beside an installed or built program, else in the source tree this was built
/// from.
std::string shared(const char *name, const char *fallback) {
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  std::string beside = joinPath(path::parent_path(path::parent_path(program)), "share/warpdrf");
  std::string folder = joinPath(beside, name);
  return llvm::sys::fs::is_directory(folder) ? folder : joinPath(WARPDRF_FRONTEND_DIR, fallback);
}

} // namespace

std::optional<std::string> findToolkit(const std::optional<std::string> &asked,
                                       const std::string &compiler, const std::string &directory,
                                       std::vector<std::string> &notes) {
  const char *none = std::getenv("WARPDRF_NO_TOOLKIT");
  if (none && llvm::StringRef(none) == "1")
    return std::nullopt;
  if (asked) {
    std::string root = absolutePath(*asked, directory);
    if (isToolkit(root))
      return root;
    notes.push_back("no CUDA toolkit at '" + *asked + "'");
  }
  if (compiler.find('/') != std::string::npos)
    if (auto root = toolkitOfCompiler(absolutePath(compiler, directory)))
      return root;
  for (const char *variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *root = std::getenv(variable); root && isToolkit(root))
      return std::string(root);
  for (const char *root : {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda"})
    if (isToolkit(root))
      return std::string(root);
  if (auto nvcc = llvm::sys::findProgramByName("nvcc"))
    return toolkitOfCompiler(*nvcc);
  return std::nullopt;
}

unsigned toolkitVersion(const std::string &root) {
  auto header = llvm::MemoryBuffer::getFile(joinPath(root, "include/cuda.h"));
  if (!header)
    return 0;
  constexpr llvm::StringLiteral define = "#define CUDA_VERSION ";
  llvm::StringRef text = (*header)->getBuffer();
  std::size_t at = text.find(define);
  unsigned version = 0;
  if (at != llvm::StringRef::npos)
    text.drop_front(at + define.size()).ltrim().consumeInteger(10, version);
  return version;
}

std::string bundledIncludeDir() {
  return shared("include", "include");
}

std::string shimIncludeDir() {
  return shared("include_toolkit", "include_toolkit");
}

std::string clangResourceDir() {
  std::string program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  std::string beside =
      joinPath(path::parent_path(path::parent_path(program)), "lib/clang/" WARPDRF_CLANG_MAJOR);
  return llvm::sys::fs::is_directory(beside) ? beside : WARPDRF_CLANG_RESOURCE_DIR;
}

} // namespace warpdrf::frontend
