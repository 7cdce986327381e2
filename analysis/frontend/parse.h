// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of Clang over a file, with the AST handed to a callback while it is alive.
#pragma once

#include "analysis/frontend/frontend.h"
#include "analysis/frontend/invocation.h"
#include "analysis/frontend/preamble.h"

#include "llvm/Support/MemoryBuffer.h"

#include <functional>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace warpdrf::frontend {

/// Parses `text` as the file `path`. `use` gets the AST and the declarations that this run parsed
/// or instantiated (with a preamble: not those of its headers); it is not called when `cancelled`
/// said so. Returns the errors, the preamble's first.
std::vector<ParseError>
parse(const std::string &path, const llvm::MemoryBuffer &text, const Invocation &invocation,
      const Preamble *preamble, const std::function<bool()> &cancelled,
      const std::function<void(clang::ASTContext &, const std::vector<clang::Decl *> &)> &use);

} // namespace warpdrf::frontend
