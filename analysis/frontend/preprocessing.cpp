// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/preprocessing.h"

#include "analysis/frontend/paths.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

namespace warpdrf::frontend {
namespace {

class Notes final : public clang::PPCallbacks {
public:
  Notes(clang::CompilerInstance &compiler, Preprocessed &out) : compiler(compiler), out(out) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token &, llvm::StringRef, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (!file || kind != clang::SrcMgr::C_User)
      return;
    const std::string &folder = compiler.getFileSystemOpts().WorkingDir;
    std::string path =
        absolutePath(file->getName().str(), folder.empty() ? currentDirectory() : folder);
    if (llvm::find(out.includes, path) == out.includes.end())
      out.includes.push_back(std::move(path));
  }

  /// From the `#` of the directive that fails, which may be in a preamble, to the one that ends
  /// what it leaves out.
  void SourceRangeSkipped(clang::SourceRange skipped, clang::SourceLocation) override {
    const clang::SourceManager &sources = compiler.getSourceManager();
    if (!sources.isInMainFile(skipped.getEnd()))
      return;
    Range range{sources.getFilename(skipped.getEnd()).str(),
                {sources.getSpellingLineNumber(skipped.getBegin()) + 1, 1},
                {sources.getSpellingLineNumber(skipped.getEnd()), 1}};
    if (range.begin < range.end)
      out.inactive.push_back(std::move(range));
  }

private:
  clang::CompilerInstance &compiler;
  Preprocessed &out;
};

} // namespace

std::unique_ptr<clang::PPCallbacks> notePreprocessing(clang::CompilerInstance &compiler,
                                                      Preprocessed &out) {
  return std::make_unique<Notes>(compiler, out);
}

} // namespace warpdrf::frontend
