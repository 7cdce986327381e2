// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled preambles: the includes at the top of a file cost some two seconds to parse,
// everything below them a tenth of that. One is kept in memory per file that is being edited.
#pragma once

#include "analysis/frontend/frontend.h"

#include "clang/AST/DeclID.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PrecompiledPreamble.h"

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warpdrf::frontend {

struct Invocation;

/// Roots of the headers, by the numbers they have in the compiled preamble.
struct PreambleRoots {
  std::vector<clang::LocalDeclID> kernels, templates, launching;
};

struct Preamble {
  std::string path;
  std::string key; ///< Invocation::key it was built with
  clang::PrecompiledPreamble compiled;
  std::vector<ParseError>
      errors; ///< of the headers; a parse that uses the preamble does not see them
  PreambleRoots roots;
  Preprocessed preprocessed;
};

/// The preambles of the files used last, newest first. Each holds some 100 MB, so only a few are
/// kept. The first answer about a file does not wait for its preamble, which is built on a thread
/// of its own. Not thread-safe itself.
class PreambleStore {
public:
  PreambleStore();
  ~PreambleStore(); ///< waits for what is being built

  /// Returns a preamble that fits the file's text, flags and headers as they are now, waiting for
  /// one that is being built; valid until the next call. Null: parse without, as there is none, or
  /// `cancelled` said so.
  Preamble *get(const std::string &path, const Invocation &invocation,
                const llvm::MemoryBuffer &text, const Unsaved &unsaved,
                const std::function<bool()> &cancelled);
  /// Begins to build the preamble of a text that has none.
  void prepare(const std::string &path, const Invocation &invocation,
               const llvm::MemoryBuffer &text, const Unsaved &unsaved);

private:
  class Build;

  void collect(); ///< what has been built
  Preamble *find(const std::string &path, const Invocation &invocation,
                 const llvm::MemoryBuffer &text, const Unsaved &unsaved);

  std::list<Preamble> preambles;
  std::map<std::string, std::unique_ptr<Build>> builds; ///< by path
};

} // namespace warpdrf::frontend
