// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of host code: beyond what Clang evaluates, local variables that nothing ever changes,
// helpers that only return an expression (`(n + b - 1) / b`), fields of records that were built
// from such values, and parameters, where the call is known.
#pragma once

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class CastExpr;
class CXXConstructExpr;
class Expr;
class FunctionDecl;
class MemberExpr;
class ParmVarDecl;
class Stmt;
class UnaryOperator;
class VarDecl;
} // namespace clang

namespace warpdrf::frontend {

/// What one function body shows. Not thread-safe.
class HostConstants {
public:
  using Dims = std::array<std::optional<std::int64_t>, 3>;

  /// `body` is the function whose locals are looked at.
  HostConstants(clang::ASTContext &ast, const clang::Stmt *body);

  /// The constants in the body of `callee` when this function calls it with `arguments`. Belongs to
  /// this object. Null when calls are nested too deep.
  HostConstants *enter(const clang::FunctionDecl *callee,
                       llvm::ArrayRef<const clang::Expr *> arguments);

  /// The value of an integer, enumeration or bool expression.
  std::optional<std::int64_t> integer(const clang::Expr *expression);

  /// The value of a dim3, or of what converts to one. A component nobody knows is empty.
  Dims dims(const clang::Expr *expression);

  /// The function that an expression names, perhaps through variables and parameters, or null.
  const clang::FunctionDecl *function(const clang::Expr *expression);

private:
  using Value = std::optional<llvm::APSInt>;

  /// An expression and the function it stands in.
  struct Source {
    HostConstants *where = nullptr;
    const clang::Expr *expression = nullptr;
  };

  /// Follows a place to the expression that gave it its only value. Null if that is not known.
  Source source(const clang::Expr *place);
  Source variable(const clang::VarDecl *variable);
  Source member(const clang::MemberExpr &member);

  Value evaluate(const clang::Expr *expression);
  Value evaluateCast(const clang::CastExpr &cast);
  Value evaluateBinary(const clang::BinaryOperator &binary);
  Value evaluateUnary(const clang::UnaryOperator &unary);
  Value evaluateCall(const clang::CallExpr &call);
  Value read(const clang::Expr *place);
  Value convert(llvm::APSInt value, const clang::Expr *as) const;
  Dims construct(const clang::CXXConstructExpr &construction);

  clang::ASTContext &ast;
  llvm::DenseSet<const clang::VarDecl *> changed;
  HostConstants *caller = nullptr;
  llvm::DenseMap<const clang::ParmVarDecl *, const clang::Expr *> arguments; ///< in the caller
  std::vector<std::unique_ptr<HostConstants>> callees;
  unsigned depth = 0; ///< of calls and of the evaluation
};

} // namespace warpdrf::frontend
