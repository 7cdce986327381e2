// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/preamble.h"

#include "analysis/frontend/error_marks.h"
#include "analysis/frontend/errors.h"
#include "analysis/frontend/invocation.h"
#include "analysis/frontend/parse.h"
#include "analysis/frontend/preprocessing.h"
#include "analysis/frontend/read_file.h"
#include "analysis/frontend/recording.h"
#include "analysis/frontend/roots.h"
#include "analysis/frontend/shared_objects.h"
#include "analysis/frontend/skipped_bodies.h"

#include "clang/Basic/Stack.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/Support/thread.h"

#include <algorithm>
#include <chrono>
#include <future>

namespace warpdrf::frontend {
namespace {

constexpr std::size_t MaxPreambles = 6;

/// Notes where in the compiled preamble the headers' roots are.
class RootCallbacks final : public clang::PreambleCallbacks {
public:
  explicit RootCallbacks(const ErrorCollector &errors) : errors(errors) {}

  void BeforeExecute(clang::CompilerInstance &compiler) override { instance = &compiler; }

  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override {
    return notePreprocessing(*instance, preprocessed);
  }

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
  Preprocessed preprocessed;

private:
  clang::CompilerInstance *instance = nullptr;
  const ErrorCollector &errors;
  std::vector<clang::Decl *> declarations;
};

std::optional<Preamble> build(const std::string &path, const Invocation &invocation,
                              const llvm::MemoryBuffer &text, clang::PreambleBounds bounds,
                              const Unsaved &unsaved) {
  ErrorCollector errors(path);
  auto files = recording(regularFiles(unsaved));
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
  return Preamble{path,
                  invocation.key,
                  std::move(*compiled),
                  errors.take(),
                  std::move(callbacks.roots),
                  std::move(callbacks.preprocessed)};
}

clang::PreambleBounds boundsOf(const Invocation &invocation, const llvm::MemoryBuffer &text) {
  return clang::ComputePreambleBounds(invocation.compiler->getLangOpts(), text.getMemBufferRef(),
                                      /*MaxLines=*/0);
}

} // namespace

/// A preamble that is being built, by a thread that shares nothing with others.
class PreambleStore::Build {
public:
  Build(const std::string &path, const Invocation &invocation, const llvm::MemoryBuffer &text,
        const Unsaved &unsaved)
      : key(invocation.key), bounds(boundsOf(invocation, text)),
        text(llvm::MemoryBuffer::getMemBufferCopy(text.getBuffer(), path)),
        thread(std::optional<unsigned>(kParserStack), [=, this] {
          clang::noteBottomOfStack();
          promise.set_value(build(path, invocation, *this->text, bounds, unsaved));
        }) {}
  ~Build() { thread.join(); }

  /// Will it be of use for that text, if no header changes?
  bool isOf(const Invocation &invocation, const llvm::MemoryBuffer &other) const {
    const auto head = [](const llvm::MemoryBuffer &buffer, clang::PreambleBounds of) {
      return buffer.getBuffer().take_front(of.Size);
    };
    return key == invocation.key && head(*text, bounds) == head(other, boundsOf(invocation, other));
  }
  bool isDone(std::chrono::milliseconds wait = {}) const {
    return result.wait_for(wait) == std::future_status::ready;
  }
  std::optional<Preamble> take() { return result.get(); }

private:
  const std::string key;
  const clang::PreambleBounds bounds;
  const std::unique_ptr<llvm::MemoryBuffer> text;
  std::promise<std::optional<Preamble>> promise;
  std::future<std::optional<Preamble>> result = promise.get_future();
  llvm::thread thread; ///< last: it uses the others
};

PreambleStore::PreambleStore() = default;
PreambleStore::~PreambleStore() = default;

void PreambleStore::collect() {
  for (auto each = builds.begin(); each != builds.end();) {
    if (!each->second->isDone()) {
      ++each;
      continue;
    }
    if (std::optional<Preamble> fresh = each->second->take())
      preambles.push_front(std::move(*fresh));
    each = builds.erase(each);
  }
  while (preambles.size() > MaxPreambles)
    preambles.pop_back();
}

Preamble *PreambleStore::find(const std::string &path, const Invocation &invocation,
                              const llvm::MemoryBuffer &text, const Unsaved &unsaved) {
  collect();
  auto old = std::ranges::find(preambles, path, &Preamble::path);
  if (old == preambles.end())
    return nullptr;
  auto files = recording(regularFiles(unsaved));
  if (old->key == invocation.key &&
      old->compiled.CanReuse(*invocation.compiler, text.getMemBufferRef(),
                             boundsOf(invocation, text), *files)) {
    preambles.splice(preambles.begin(), preambles, old);
    return &preambles.front();
  }
  preambles.erase(old);
  return nullptr;
}

Preamble *PreambleStore::get(const std::string &path, const Invocation &invocation,
                             const llvm::MemoryBuffer &text, const Unsaved &unsaved,
                             const std::function<bool()> &cancelled) {
  if (auto own = builds.find(path); own != builds.end() && own->second->isOf(invocation, text))
    while (!own->second->isDone(std::chrono::milliseconds(5)))
      if (cancelled && cancelled())
        return nullptr;
  Preamble *fitting = find(path, invocation, text, unsaved);
  if (fitting || !filesSeen())
    return fitting;
  // A batch run: nobody waits for a first answer, and two threads must not note files at a time.
  if (auto made = build(path, invocation, text, boundsOf(invocation, text), unsaved))
    return &preambles.emplace_front(std::move(*made));
  return nullptr;
}

void PreambleStore::prepare(const std::string &path, const Invocation &invocation,
                            const llvm::MemoryBuffer &text, const Unsaved &unsaved) {
  if (!filesSeen() && !builds.contains(path))
    builds.emplace(path, std::make_unique<Build>(path, invocation, text, unsaved));
}

} // namespace warpdrf::frontend
