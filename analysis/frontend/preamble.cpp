// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/preamble.h"

#include "analysis/frontend/error_marks.h"
#include "analysis/frontend/errors.h"
#include "analysis/frontend/invocation.h"
#include "analysis/frontend/read_file.h"
#include "analysis/frontend/recording.h"
#include "analysis/frontend/roots.h"
#include "analysis/frontend/shared_objects.h"
#include "analysis/frontend/skipped_bodies.h"

#include "clang/Serialization/ASTWriter.h"

namespace warpdrf::frontend {
namespace {

constexpr std::size_t MaxPreambles = 6;

/// Notes where in the compiled preamble the headers' roots are.
class RootCallbacks final : public clang::PreambleCallbacks {
public:
  explicit RootCallbacks(const ErrorCollector &errors) : errors(errors) {}

  void HandleTopLevelDecl(clang::DeclGroupRef group) override {
    markErrors({group.begin(), group.end()}, errors.places());
    emptySharedDestructors({group.begin(), group.end()});
    declarations.insert(declarations.end(), group.begin(), group.end());
  }

  bool shouldSkipFunctionBody(clang::Decl *declaration) override { return isOfNoUse(declaration); }

  void AfterPCHEmitted(clang::ASTWriter &writer) override {
    Roots found = findRoots(declarations);
    auto number = [&](const std::vector<clang::Decl *> &list) {
      std::vector<clang::LocalDeclID> numbers;
      for (const clang::Decl *declaration : list)
        numbers.push_back(writer.getDeclID(declaration));
      return numbers;
    };
    roots = {number(found.kernels), number(found.templates), number(found.launching)};
  }

  PreambleRoots roots;

private:
  const ErrorCollector &errors;
  std::vector<clang::Decl *> declarations;
};

std::optional<Preamble> build(const std::string &path, const Invocation &invocation,
                              const llvm::MemoryBuffer &text, clang::PreambleBounds bounds) {
  ErrorCollector errors(path);
  auto files = recording(regularFiles());
  clang::CompilerInvocation compiler(*invocation.compiler);
  auto engine = clang::CompilerInstance::createDiagnostics(*files, compiler.getDiagnosticOpts(),
                                                           &errors, /*ShouldOwnClient=*/false);
  engine->setFatalsAsError(true); // a missing header must not hide what follows
  RootCallbacks callbacks(errors);
  auto compiled = clang::PrecompiledPreamble::Build(
      compiler, &text, bounds, engine, files, std::make_shared<clang::PCHContainerOperations>(),
      /*StoreInMemory=*/true, /*StoragePath=*/"", callbacks);
  if (!compiled)
    return std::nullopt;
  return Preamble{path, invocation.key, std::move(*compiled), errors.take(),
                  std::move(callbacks.roots)};
}

} // namespace

Preamble *PreambleStore::get(const std::string &path, const Invocation &invocation,
                             const llvm::MemoryBuffer &text) {
  clang::PreambleBounds bounds = clang::ComputePreambleBounds(
      invocation.compiler->getLangOpts(), text.getMemBufferRef(), /*MaxLines=*/0);
  auto old = std::find_if(preambles.begin(), preambles.end(),
                          [&](const Preamble &one) { return one.path == path; });
  if (old != preambles.end()) {
    auto files = recording(regularFiles());
    if (old->key == invocation.key &&
        old->compiled.CanReuse(*invocation.compiler, text.getMemBufferRef(), bounds, *files)) {
      preambles.splice(preambles.begin(), preambles, old);
      return &preambles.front();
    }
    preambles.erase(old);
  }
  std::optional<Preamble> fresh = build(path, invocation, text, bounds);
  if (!fresh)
    return nullptr;
  preambles.push_front(std::move(*fresh));
  if (preambles.size() > MaxPreambles)
    preambles.pop_back();
  return &preambles.front();
}

} // namespace warpdrf::frontend
