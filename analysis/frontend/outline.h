// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statement outline of a file's functions: where a quick fix may insert or move text.
#pragma once

#include "analysis/frontend/frontend.h"

#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace warpdrf::frontend {

/// One Compound per function body written in the main file, in source order; templates once, as
/// written. A statement that a macro wrote is one Other, however much is in it.
std::vector<Statement> outline(clang::ASTContext &ast,
                               const std::vector<clang::Decl *> &declarations);

} // namespace warpdrf::frontend
