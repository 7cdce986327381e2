// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of Clang over a file, with the AST handed to a callback while it is alive.
#pragma once

#include "analysis/frontend/frontend.h"
#include "analysis/frontend/invocation.h"
#include "analysis/frontend/preamble.h"
#include "analysis/frontend/roots.h"

#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace warpdrf::frontend {

/// Clang and the lowering recurse over the source's nesting; a generated kernel nests deep. Only
/// what is touched of it costs memory.
inline constexpr unsigned kParserStack = 512u << 20;

struct ParsedUnit {
  clang::ASTContext &ast; ///< traversals of it are limited as limitTraversal says
  Roots roots;
  std::vector<clang::Decl *> declarations; ///< what this run parsed: the main file, perhaps more
  Preprocessed preprocessed;
};

/// Parses `text` as the file `path`; `use` gets the result while the AST is alive. It is not called
/// when `cancelled` said so. Returns the errors, the preamble's first.
std::vector<ParseError> parse(const std::string &path, const llvm::MemoryBuffer &text,
                              const Invocation &invocation, const Preamble *preamble,
                              const Unsaved &unsaved, const std::function<bool()> &cancelled,
                              const std::function<void(const ParsedUnit &)> &use);

} // namespace warpdrf::frontend
