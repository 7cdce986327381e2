// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of host code: beyond what Clang evaluates, local variables that nothing ever changes,
// helpers that only return an expression (`(n + b - 1) / b`), fields of records that were built
// from such values, parameters, where the call is known, what a loop computes, and what a condition
// around the place of interest says (`if (p.n == 32)`).
#pragma once

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class BinaryOperator;
class CallExpr;
class CastExpr;
class CXXConstructExpr;
class Decl;
class DeclRefExpr;
class Expr;
class FieldDecl;
class FunctionDecl;
class MemberExpr;
class ParmVarDecl;
class QualType;
class Stmt;
class UnaryOperator;
class VarDecl;
} // namespace clang

namespace warpdrf::frontend {

class HostInterpreter;
class Syntax;

/// What one function body shows. Not thread-safe.
class HostConstants {
public:
  using Dims = std::array<std::optional<std::int64_t>, 3>;

  using Value = std::optional<llvm::APSInt>;

  /// A variable or a part of a record, and the function it belongs to.
  struct Place {
    const HostConstants *owner = nullptr;
    const clang::VarDecl *variable = nullptr;
    std::vector<const clang::FieldDecl *> path; ///< innermost first
    auto operator<=>(const Place &) const = default;
  };
  /// What is assumed to be equal to a number: places, and expressions spelled over places.
  struct Facts {
    std::map<Place, std::int64_t> places;
    std::map<std::string, std::int64_t> expressions;
  };
  /// How to spell what a place holds; empty if it has no name.
  using Names = std::function<std::string(const Place &)>;

  /// `code` is the function whose locals are looked at, or a variable with its initialiser.
  /// `syntax` has to live as long as this.
  HostConstants(clang::ASTContext &ast, Syntax &syntax, const clang::Decl *code);

  /// The constants in the body of `callee` when this function calls it with `arguments`; for a
  /// lambda without the closure. Belongs to this object. Null when calls are nested too deep.
  HostConstants *enter(const clang::FunctionDecl *callee,
                       llvm::ArrayRef<const clang::Expr *> arguments);

  /// An expression and the function it stands in.
  struct Source {
    HostConstants *where = nullptr;
    const clang::Expr *expression = nullptr;
  };
  /// Follows a place to the expression that gave it its only value. Null if that is not known.
  Source source(const clang::Expr *place);

  /// `p == nullptr`, `p != nullptr`, and `p` where a condition stands.
  struct NullTest {
    const clang::Expr *pointer;
    bool whenNull; ///< what the condition is then
  };
  std::optional<NullTest> nullTest(const clang::Expr *condition) const;
  /// Of a pointer.
  std::optional<bool> isNull(const clang::Expr *pointer);

  /// The value of an integer, enumeration or bool expression.
  std::optional<std::int64_t> integer(const clang::Expr *expression);

  /// The value of a dim3, or of what converts to one. A component nobody knows is empty.
  Dims dims(const clang::Expr *expression);

  /// The value of an integer or bool expression as one in C, over integers and names, fully in
  /// parentheses. Empty if it depends on anything else. Conversions between integers are taken to
  /// keep the value; a bool is not one.
  std::string spell(const clang::Expr *expression, const Names &names);
  /// The components of a dim3, or of what converts to one.
  std::array<std::string, 3> spellDims(const clang::Expr *expression, const Names &names);

  /// A place that keeps its value from some point on that both the conditions on it and its use are
  /// behind, as far up as it was handed down unchanged. Empty for what is no such place.
  std::optional<Place> locate(const clang::Expr *place);
  /// The place whose value an expression is, conversions between integers left aside.
  std::optional<Place> locateValue(const clang::Expr *expression);
  /// That place first, then those that it got the value from.
  std::vector<Place> originsOf(const clang::Expr *expression);
  std::array<std::optional<Place>, 3> dimPlaces(const clang::Expr *dims);

  /// The function that an expression names, perhaps through variables and parameters, or null.
  const clang::FunctionDecl *function(const clang::Expr *expression);
  /// That function, or those that the body assigns to the variable which the expression names.
  std::vector<const clang::FunctionDecl *> functions(const clang::Expr *expression);

  /// Takes for true, in this function and its callers, that a condition came out as given, or that
  /// a value is equal to another. False if it is known to be otherwise.
  bool assume(const clang::Expr *condition, bool holds);
  bool assumeEqual(const clang::Expr *expression, const clang::Expr *value);
  /// All that is assumed; shared with callers and callees.
  Facts &assumed() { return *facts; }

  /// Counts a run or an iteration; false once there were too many.
  bool mayWork() { return ++work <= MaxWork; }

  Value evaluate(const clang::Expr *expression);
  Value convert(llvm::APSInt value, clang::QualType type) const;
  /// A binary operation on converted operands.
  Value operate(int opcode, const llvm::APSInt &left, const llvm::APSInt &right,
                clang::QualType type) const;

private:
  static constexpr unsigned MaxDepth = 32; ///< of initialisers and helpers that refer to each other
  /// Runs of the body, and iterations in them: a run may need others, and each of those, too.
  static constexpr unsigned MaxWork = 1 << 14;

  /// Removes what only carries a value along: copies, temporaries, casts that change nothing.
  static const clang::Expr *carried(const clang::Expr *expression);

  Source variable(const clang::VarDecl *variable);
  Source member(const clang::MemberExpr &member);

  std::optional<Place> locateVariable(const clang::DeclRefExpr &use);
  void learn(const clang::Expr *place, const llvm::APSInt &value);

  std::string keyOf(const NullTest &test);
  std::string keyOf(const Place &place) const;
  Value evaluateCast(const clang::CastExpr &cast);
  Value evaluateBinary(const clang::BinaryOperator &binary);
  Value evaluateUnary(const clang::UnaryOperator &unary);
  Value evaluateCall(const clang::CallExpr &call);
  Value read(const clang::Expr *place);
  Value readVariable(const clang::DeclRefExpr &use);
  Value interpret(const clang::DeclRefExpr &use, HostConstants &owner);
  /// The expressions of a dim3's components; null where they are not known.
  std::array<Source, 3> components(const clang::Expr *expression);
  std::string spellBinary(const clang::BinaryOperator &binary, const Names &names);
  std::string spellPlace(const clang::Expr *place, const Names &names);
  /// Names an expression for Facts, `a != b` as `a == b`; empty if it is none over places.
  std::string keyOf(const clang::BinaryOperator &binary);

  /// The function that a local variable belongs to: this one or, for a lambda, one around it.
  HostConstants *ownerOf(const clang::VarDecl *variable);
  bool belongsHere(const clang::VarDecl *variable) const;
  HostConstants *frameAround(const clang::FunctionDecl *lambda);
  /// Where in the owner's body a use stands: itself, or the lambda that captured a copy.
  const clang::Stmt *pointOf(const clang::DeclRefExpr &use, HostConstants &owner) const;

  clang::ASTContext &ast;
  Syntax &syntax;
  const clang::FunctionDecl *code = nullptr; ///< none for the initialiser of a variable
  const clang::Stmt *body = nullptr;
  const llvm::DenseSet<const clang::VarDecl *> &changed; ///< in the body
  llvm::DenseSet<const clang::VarDecl *> tracked; ///< changed, but only by assignments in the body
  std::shared_ptr<Facts> facts;
  HostInterpreter *running = nullptr;
  HostConstants *caller = nullptr;
  HostConstants *enclosing = nullptr; ///< of a lambda that was entered
  std::unique_ptr<HostConstants> ownEnclosing;
  llvm::DenseMap<const clang::ParmVarDecl *, const clang::Expr *> arguments; ///< in the caller
  std::vector<std::unique_ptr<HostConstants>> callees;
  unsigned work = 0;
  unsigned depth = 0; ///< of calls and of the evaluation
};

} // namespace warpdrf::frontend
