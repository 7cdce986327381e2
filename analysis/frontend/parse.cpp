// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/parse.h"

#include "analysis/frontend/error_marks.h"
#include "analysis/frontend/errors.h"
#include "analysis/frontend/preprocessing.h"
#include "analysis/frontend/read_file.h"
#include "analysis/frontend/recording.h"
#include "analysis/frontend/shared_objects.h"
#include "analysis/frontend/skipped_bodies.h"

#include "clang/Serialization/ASTReader.h"

namespace warpdrf::frontend {
namespace {

using Use = std::function<void(const ParsedUnit &)>;

class Consumer final : public clang::ASTConsumer {
public:
  Consumer(clang::CompilerInstance &instance, const Preamble *preamble,
           const ErrorCollector &errors, const std::function<bool()> &cancelled, const Use &use)
      : instance(instance), preamble(preamble), errors(errors), cancelled(cancelled), use(use) {
    if (preamble)
      preprocessed = preamble->preprocessed;
    instance.getPreprocessor().addPPCallbacks(notePreprocessing(instance, preprocessed));
  }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    declarations.insert(declarations.end(), group.begin(), group.end());
    emptySharedDestructors({group.begin(), group.end()});
    return !stop(); // false ends the parse
  }

  bool shouldSkipFunctionBody(clang::Decl *declaration) override { return isOfNoUse(declaration); }

  /// What Clang reads back from the preamble unasked: the preamble's roots have it already.
  void HandleInterestingDecl(clang::DeclGroupRef) override {}

  void HandleTranslationUnit(clang::ASTContext &ast) override {
    if (stop())
      return;
    markErrors(declarations, errors.places());
    ParsedUnit unit{ast, preamble ? preambleRoots() : Roots(), declarations,
                    std::move(preprocessed)};
    unit.roots.append(findRoots(declarations, unit.roots));
    limitTraversal(ast, unit.roots);
    use(unit);
  }

private:
  bool stop() const { return cancelled && cancelled(); }

  Roots preambleRoots() {
    clang::ASTReader &reader = *instance.getASTReader();
    clang::serialization::ModuleFile &module = reader.getModuleManager().getPrimaryModule();
    auto read = [&](const std::vector<clang::LocalDeclID> &numbers) {
      std::vector<clang::Decl *> list;
      for (clang::LocalDeclID number : numbers)
        if (clang::Decl *declaration = reader.GetLocalDecl(module, number))
          list.push_back(declaration);
      return list;
    };
    return {read(preamble->roots.kernels), read(preamble->roots.templates),
            read(preamble->roots.launching)};
  }

  clang::CompilerInstance &instance;
  const Preamble *preamble;
  const ErrorCollector &errors;
  const std::function<bool()> &cancelled;
  const Use &use;
  std::vector<clang::Decl *> declarations;
  Preprocessed preprocessed;
};

class Action final : public clang::ASTFrontendAction {
public:
  Action(const Preamble *preamble, const ErrorCollector &errors,
         const std::function<bool()> &cancelled, const Use &use)
      : preamble(preamble), errors(errors), cancelled(cancelled), use(use) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &instance,
                                                        llvm::StringRef) override {
    return std::make_unique<Consumer>(instance, preamble, errors, cancelled, use);
  }

private:
  const Preamble *preamble;
  const ErrorCollector &errors;
  const std::function<bool()> &cancelled;
  const Use &use;
};

} // namespace

std::vector<ParseError> parse(const std::string &path, const llvm::MemoryBuffer &text,
                              const Invocation &invocation, const Preamble *preamble,
                              const Unsaved &unsaved, const std::function<bool()> &cancelled,
                              const Use &use) {
  auto compiler = std::make_shared<clang::CompilerInvocation>(*invocation.compiler);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = recording(regularFiles(unsaved));
  // The file's text comes from memory even when it is the one on disk: what we report about must
  // not change while we look at it. The preprocessor takes the buffer over.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text.getBuffer(), path);
  if (preamble)
    preamble->compiled.AddImplicitPreamble(*compiler, files, buffer.release());
  else
    compiler->getPreprocessorOpts().addRemappedFile(path, buffer.release());

  ErrorCollector errors(path);
  clang::CompilerInstance instance(compiler);
  instance.setVirtualFileSystem(files);
  instance.createDiagnostics(&errors, /*ShouldOwnClient=*/false);
  instance.getDiagnostics().setFatalsAsError(true); // a missing header must not hide the rest
  Action action(preamble, errors, cancelled, use);
  instance.ExecuteAction(action);

  std::vector<ParseError> result;
  if (preamble)
    result = preamble->errors;
  std::vector<ParseError> own = errors.take();
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

} // namespace warpdrf::frontend
