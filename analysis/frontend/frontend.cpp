// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a file to a TranslationUnit: read, parse (with a preamble where it pays), lower, collect
// facts.
#include "analysis/frontend/frontend.h"

#include "analysis/frontend/annotations.h"
#include "analysis/frontend/files_seen.h"
#include "analysis/frontend/invocation.h"
#include "analysis/frontend/launches.h"
#include "analysis/frontend/lower/lower.h"
#include "analysis/frontend/outline.h"
#include "analysis/frontend/parse.h"
#include "analysis/frontend/paths.h"
#include "analysis/frontend/preamble.h"
#include "analysis/frontend/read_file.h"
#include "analysis/ir/text.h"

#include "clang/Basic/Stack.h"
#include "llvm/Support/thread.h"

namespace warpdrf::frontend {

struct TranslationUnit::Impl {
  std::unique_ptr<mlir::MLIRContext> context = ir::makeContext(); // outlives the module
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TranslationUnit::TranslationUnit() : impl(std::make_unique<Impl>()) {
  impl->module = mlir::ModuleOp::create(mlir::UnknownLoc::get(impl->context.get()));
}
TranslationUnit::TranslationUnit(TranslationUnit &&) noexcept = default;
TranslationUnit &TranslationUnit::operator=(TranslationUnit &&) noexcept = default;
TranslationUnit::~TranslationUnit() = default;

mlir::ModuleOp TranslationUnit::module() const {
  return *impl->module;
}

struct Frontend::Impl {
  PreambleStore preambles;

  void run(TranslationUnit &unit, const std::string &path, const std::optional<std::string> &text,
           const CompileCommand &command, const std::function<bool()> &cancelled,
           const Unsaved &unsaved);
};

Frontend::Frontend() : impl(std::make_unique<Impl>()) {}
Frontend::~Frontend() = default;

namespace {

ParseError errorAt(const std::string &path, std::string message) {
  return {Range{path, {1, 1}, {1, 1}}, std::move(message)};
}

std::unique_ptr<llvm::MemoryBuffer> read(const std::string &path,
                                         const std::optional<std::string> &text,
                                         std::vector<ParseError> &errors) {
  if (text)
    return llvm::MemoryBuffer::getMemBufferCopy(*text, path);
  std::string failure;
  std::unique_ptr<llvm::MemoryBuffer> buffer = readFile(path, failure);
  if (!buffer)
    errors.push_back(errorAt(path, "cannot read the file: " + failure));
  return buffer;
}

} // namespace

void Frontend::Impl::run(TranslationUnit &unit, const std::string &path,
                         const std::optional<std::string> &text, const CompileCommand &command,
                         const std::function<bool()> &cancelled, const Unsaved &unsaved) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = read(path, text, unit.errors);
  if (FilesSeen *seen = filesSeen(); seen && !text) // Clang gets it from memory
    seen->note(absolutePath(path, currentDirectory()), buffer ? fileOf(buffer->getBuffer()) : "!");
  if (!buffer)
    return;
  unit.annotations = findAnnotations(path, buffer->getBuffer().str());
  Invocation invocation = makeInvocation(path, command);
  if (!invocation.compiler) {
    unit.errors = std::move(invocation.errors);
    return;
  }
  // What is on disk is parsed once: a preamble would cost more than it saves.
  const Preamble *preamble =
      text ? preambles.get(path, invocation, *buffer, unsaved, cancelled) : nullptr;
  auto use = [&](const ParsedUnit &parsed) {
    unit.preprocessed = parsed.preprocessed;
    unit.functions = outline(parsed.ast, parsed.declarations);
    LoweredUnit lowered = lowerUnit(parsed.ast, *unit.impl->context, cancelled);
    if (cancelled && cancelled())
      return;
    unit.launches = findLaunches(parsed.ast, parsed.roots.launching, lowered.kernels);
    unit.broken = std::move(lowered.broken);
    unit.deviceFunctions = std::move(lowered.deviceFunctions);
    unit.impl->module = std::move(lowered.module);
  };
  std::vector<ParseError> errors =
      parse(path, *buffer, invocation, preamble, unsaved, cancelled, use);
  if (text && !preamble) // only now: two parses at a time would make this one slower
    preambles.prepare(path, invocation, *buffer, unsaved);
  unit.errors = std::move(invocation.errors);
  unit.errors.insert(unit.errors.end(), errors.begin(), errors.end());
}

TranslationUnit Frontend::lower(const std::string &path, const std::optional<std::string> &text,
                                const CompileCommand &command,
                                const std::function<bool()> &cancelled, const Unsaved &unsaved) {
  TranslationUnit unit;
  llvm::thread worker(std::optional<unsigned>(kParserStack), [&] {
    clang::noteBottomOfStack();
    impl->run(unit, path, text, command, cancelled, unsaved);
  });
  worker.join();
  return unit;
}

} // namespace warpdrf::frontend
