// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled preambles: the includes at the top of a file cost some two seconds to parse,
// everything below them a tenth of that. One is kept in memory per file that is being edited.
#pragma once

#include "analysis/frontend/frontend.h"

#include "clang/AST/DeclID.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/PrecompiledPreamble.h"

#include <list>
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
};

/// The preambles of the files used last, newest first. Each holds some 100 MB, so only a few are
/// kept.
class PreambleStore {
public:
  /// Returns a preamble that fits the file's text, flags and headers as they are now, building one
  /// if need be. Null when Clang cannot make one: parse without. Valid until the next call.
  Preamble *get(const std::string &path, const Invocation &invocation,
                const llvm::MemoryBuffer &text);

private:
  std::list<Preamble> preambles;
};

} // namespace warpdrf::frontend
