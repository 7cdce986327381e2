// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of host code, as far as one function shows them: beyond what Clang evaluates, local
// variables that nothing ever changes, and helpers that only return an expression (`(n + b - 1) /
// b`).
#pragma once

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <cstdint>
#include <optional>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class CastExpr;
class CXXConstructExpr;
class Expr;
class MemberExpr;
class Stmt;
class UnaryOperator;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace warpdrf::frontend {

class HostConstants {
public:
  using Dims = std::array<std::optional<std::int64_t>, 3>;

  /// `body` is the function whose locals are looked at.
  HostConstants(clang::ASTContext &ast, const clang::Stmt *body);

  /// The value of an integer, enumeration or bool expression.
  std::optional<std::int64_t> integer(const clang::Expr *expression);

  /// The value of a dim3, or of what converts to one. A component nobody knows is empty.
  Dims dims(const clang::Expr *expression);

private:
  using Value = std::optional<llvm::APSInt>;

  Value evaluate(const clang::Expr *expression);
  Value evaluateCast(const clang::CastExpr &cast);
  Value evaluateBinary(const clang::BinaryOperator &binary);
  Value evaluateUnary(const clang::UnaryOperator &unary);
  Value evaluateCall(const clang::CallExpr &call);
  Value read(const clang::Expr *place);
  Value convert(llvm::APSInt value, const clang::Expr *as) const;
  Dims construct(const clang::CXXConstructExpr &construction);

  /// The initialiser of a local variable that keeps its first value, or null.
  const clang::Expr *initializer(const clang::ValueDecl *declaration) const;

  clang::ASTContext &ast;
  llvm::DenseSet<const clang::VarDecl *> changed;
  llvm::DenseMap<const clang::VarDecl *, llvm::APSInt>
      parameters; ///< of the helpers being evaluated
  unsigned depth = 0;
};

} // namespace warpdrf::frontend
