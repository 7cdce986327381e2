// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about the text of host code. Finding launches asks the same ones again and again, along
// every chain of calls: each is answered once.
#pragma once

#include "analysis/frontend/changes.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <memory>
#include <optional>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace warpdrf::frontend {

/// Of one AST, which nothing is added to meanwhile. Results stay where they are. Not thread-safe.
class Syntax {
public:
  explicit Syntax(clang::ASTContext &ast) : ast(ast) {}

  /// Whether `inner` is `outer` or a part of it, bodies of lambdas included.
  bool contains(const clang::Stmt *outer, const clang::Stmt *inner);

  /// The variables that a statement assigns, or hands to a function that does.
  const llvm::DenseSet<const clang::VarDecl *> &assignedIn(const clang::Stmt *statement);

  const Handed &handedBy(const clang::CallExpr *call);

  /// Whether a body can be run in the order it is written: no labels to jump to.
  bool isStructured(const clang::Stmt *body);

  /// Whether the variable has its last value when control gets to `point`: all assignments are in
  /// earlier statements of the body than the one with the point. All of its assignments are in
  /// statements of the body.
  bool isSettled(const clang::VarDecl *variable, const clang::Stmt *body, const clang::Stmt *point);

  const Changes &changesIn(const clang::Stmt &body);

  /// What Clang alone makes of an integer expression.
  const std::optional<llvm::APSInt> &constant(const clang::Expr *expression);

private:
  template <typename Key, typename Result>
  using Answers = llvm::DenseMap<const Key *, std::unique_ptr<Result>>;

  clang::ASTContext &ast;
  Answers<clang::Stmt, llvm::DenseSet<const clang::Stmt *>> parts;
  Answers<clang::Stmt, llvm::DenseSet<const clang::VarDecl *>> assigned;
  Answers<clang::Stmt, Changes> changes;
  Answers<clang::CallExpr, Handed> handed;
  Answers<clang::Expr, std::optional<llvm::APSInt>> constants;
  llvm::DenseMap<const clang::Stmt *, bool> structured;
};

/// The variable that a place is; null for a part of one and any other place.
const clang::VarDecl *variableOf(const clang::Expr *place);

/// Whether a statement may jump out of itself to where an enclosing loop ends or goes on.
bool jumps(const clang::Stmt *statement, bool breaks = true);

} // namespace warpdrf::frontend
