// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables a function body may change.
#pragma once

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace clang {
class CallExpr;
class DeclRefExpr;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace warpdrf::frontend {

struct Changes {
  llvm::DenseSet<const clang::VarDecl *> changed;
  llvm::DenseSet<const clang::VarDecl *> escaped; ///< not only by assignments in the body itself
};

/// `depth` is that of the calls that led here.
Changes findChanges(const clang::Stmt &body, unsigned depth = 0);

/// The variables that a call hands its callee by reference, or whose addresses, as far as the
/// callee's body is known.
struct Handed {
  std::vector<const clang::DeclRefExpr *> kept;     ///< and it does not change
  std::vector<const clang::DeclRefExpr *> assigned; ///< and it does no more than assign
};
Handed handedTo(const clang::CallExpr &call, unsigned depth = 0);

/// std::forward and std::move: the value is their argument's.
bool isForward(const clang::CallExpr &call);

bool isConst(const clang::VarDecl *variable);

} // namespace warpdrf::frontend
