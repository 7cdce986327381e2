// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions have errors in their text. The AST alone does not tell: a statement that Clang
// cannot make sense of is often just missing, and the rest would be checked as if it were all.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class Decl;
class FunctionDecl;
class SourceLocation;
} // namespace clang

namespace warpdrf::frontend {

/// Marks each function in or below `declarations` whose text contains one of `places`. The mark is
/// an implicit attribute, so it survives in a preamble; an invalid declaration would make Clang
/// drop its uses.
void markErrors(llvm::ArrayRef<clang::Decl *> declarations,
                llvm::ArrayRef<clang::SourceLocation> places);

/// Whether a function, or the template it was made from, is marked.
bool hasMarkedErrors(const clang::FunctionDecl *function);

} // namespace warpdrf::frontend
