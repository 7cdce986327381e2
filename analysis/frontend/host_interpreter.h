// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the straight parts of a host function up to one point, to know what integer variables hold
// there that the function changes: `int t = 32; while (t < n) t *= 2;`. A condition nobody knows,
// a loop that runs for long, or a point inside a loop make what is changed there unknown.
#pragma once

#include "analysis/frontend/syntax.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace clang {
class BinaryOperator;
class DeclStmt;
class Expr;
class IfStmt;
class Stmt;
class UnaryOperator;
class VarDecl;
} // namespace clang

namespace warpdrf::frontend {

class HostConstants;

class HostInterpreter {
public:
  using Value = std::optional<llvm::APSInt>;

  /// `tracked` are the variables of `body` that change by assignments in its own statements only.
  HostInterpreter(HostConstants &constants, Syntax &syntax, const clang::Stmt *body,
                  const llvm::DenseSet<const clang::VarDecl *> &tracked)
      : constants(constants), syntax(syntax), body(body), tracked(tracked) {}

  /// What a parameter holds at first.
  void start(const clang::VarDecl *variable, Value value) { values[variable] = std::move(value); }

  /// What the variable holds when control first gets to `point`, or whenever it does.
  Value valueAt(const clang::Stmt *point, const clang::VarDecl *variable);

  /// Whether the value of a use of the variable is being asked for by the statement at work; then
  /// `value` is what it holds.
  bool asks(const clang::Stmt *use) const { return current && syntax.contains(current, use); }
  bool knows(const clang::VarDecl *variable) const { return values.contains(variable); }
  Value value(const clang::VarDecl *variable) const { return values.lookup(variable); }

private:
  enum class Outcome { Normal, Reached, Break, Continue, Left, Lost };

  Outcome run(const clang::Stmt *statement);
  Outcome runEach(llvm::ArrayRef<const clang::Stmt *> statements);
  Outcome runIf(const clang::IfStmt &choice);
  Outcome runLoop(const clang::Stmt *loop, const clang::Expr *condition, const clang::Expr *step,
                  const clang::Stmt *inner, bool conditionFirst);
  Outcome runDeclarations(const clang::DeclStmt &statement);
  void runExpression(const clang::Expr *expression);
  void assign(const clang::BinaryOperator &assignment);
  void step(const clang::UnaryOperator &unary);

  bool isPoint(const clang::Stmt *statement) const { return syntax.contains(statement, point); }
  bool changes(const clang::Stmt *statement) const;
  void forget(const clang::Stmt *statement);
  /// What a statement nobody understands does, if it changes only `changed`.
  Outcome opaque(const clang::Stmt *statement, const clang::Stmt *changed);
  Value evaluate(const clang::Expr *expression);
  const clang::VarDecl *trackedVariable(const clang::Expr *place) const;

  HostConstants &constants;
  Syntax &syntax;
  const clang::Stmt *body;
  const llvm::DenseSet<const clang::VarDecl *> &tracked;
  const clang::Stmt *point = nullptr;
  const clang::Stmt *current = nullptr;
  llvm::DenseMap<const clang::VarDecl *, Value> values;
  unsigned steps = 0;
  unsigned loops = 0; ///< being run; who goes on to the point does not jump in others
};

} // namespace warpdrf::frontend
