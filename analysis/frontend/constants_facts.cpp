// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of HostConstants, and what conditions say of them.
#include "analysis/frontend/constants.h"

#include "analysis/frontend/call_sites.h"
#include "analysis/frontend/syntax.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {

std::optional<HostConstants::Place> HostConstants::locate(const clang::Expr *expression) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (depth > MaxDepth || expression->isInstantiationDependent() || expression->containsErrors())
    return std::nullopt;
  expression = carried(expression);
  while (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression)) {
    if (cast->getCastKind() != clang::CK_LValueToRValue && cast->getCastKind() != clang::CK_NoOp)
      return std::nullopt;
    expression = carried(cast->getSubExpr());
  }
  if (expression->getType().isVolatileQualified())
    return std::nullopt;
  if (const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(expression))
    return locateVariable(*use);
  const auto *part = llvm::dyn_cast<clang::MemberExpr>(expression);
  const auto *field = part ? llvm::dyn_cast<clang::FieldDecl>(part->getMemberDecl()) : nullptr;
  if (!field || part->isArrow())
    return std::nullopt;
  std::optional<Place> place = locate(part->getBase());
  if (place)
    place->path.push_back(field);
  return place;
}

std::optional<HostConstants::Place> HostConstants::locateVariable(const clang::DeclRefExpr &use) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(use.getDecl());
  if (!variable || !variable->isLocalVarDeclOrParm() || variable->isStaticLocal())
    return std::nullopt;
  HostConstants *owner = ownerOf(variable);
  if (!owner)
    return std::nullopt;
  Place here{owner, variable, {}};
  if (owner->changed.contains(variable)) {
    const clang::Stmt *point = owner->tracked.contains(variable) ? pointOf(use, *owner) : nullptr;
    return point && syntax.isSettled(variable, owner->body, point) ? std::optional(here)
                                                                   : std::nullopt;
  }
  if (const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
    auto known = owner->arguments.find(parameter);
    std::optional<Place> outer;
    if (known != owner->arguments.end())
      outer = owner->caller->locate(known->second);
    return outer ? outer : here;
  }
  std::optional<Place> origin;
  if (variable->getInit())
    origin = owner->locate(variable->getInit());
  // What a reference refers to may change in other ways.
  return origin || variable->getType()->isReferenceType() ? origin : here;
}

void HostConstants::learn(const clang::Expr *expression, const llvm::APSInt &value) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  std::optional<std::int64_t> number = value.tryExtValue();
  if (depth > MaxDepth || !number)
    return;
  if (nullTest(expression)) {
    assume(expression, *number != 0);
    return;
  }
  expression = carried(expression);
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
  if (cast && cast->getCastKind() == clang::CK_IntegralCast) {
    clang::QualType from = cast->getSubExpr()->getType();
    // Two values of a wider type may become the same one.
    bool widens = from->isIntegralOrEnumerationType() &&
                  ast.getIntWidth(from) <= ast.getIntWidth(cast->getType());
    Value before = widens ? convert(value, from) : std::nullopt;
    Value again = before ? convert(*before, cast->getType()) : std::nullopt;
    if (again && again->tryExtValue() == number)
      learn(cast->getSubExpr(), *before);
    return;
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->isComparisonOp() || binary->isLogicalOp())
      assume(binary, *number != 0);
    else if (std::string key = keyOf(*binary); !key.empty())
      facts->expressions.insert_or_assign(key, *number);
    return;
  }
  std::optional<Place> place = locate(expression);
  if (!place)
    return;
  facts->places.insert_or_assign(*place, *number);
  // `const int64_t n = p.n;` says the same of p.n, though its type is another one.
  const clang::VarDecl *variable = place->path.empty() ? place->variable : nullptr;
  auto *owner = const_cast<HostConstants *>(place->owner);
  if (!variable || variable->getType()->isReferenceType() || owner->changed.contains(variable))
    return;
  const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable);
  auto known = parameter ? owner->arguments.find(parameter) : owner->arguments.end();
  if (known != owner->arguments.end())
    owner->caller->learn(known->second, value);
  else if (!parameter && variable->getInit())
    owner->learn(variable->getInit(), value);
}

bool HostConstants::assume(const clang::Expr *condition, bool holds) {
  if (Value value = evaluate(condition))
    return (*value != 0) == holds;
  if (std::optional<NullTest> test = nullTest(condition)) {
    if (std::string key = keyOf(*test); !key.empty())
      facts->expressions.insert_or_assign(key, holds == test->whenNull);
    return true;
  }
  condition = carried(condition);
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(condition);
      unary && unary->getOpcode() == clang::UO_LNot)
    return assume(unary->getSubExpr(), !holds);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition)) {
    clang::BinaryOperatorKind opcode = binary->getOpcode();
    if (opcode == (holds ? clang::BO_LAnd : clang::BO_LOr))
      return assume(binary->getLHS(), holds) && assume(binary->getRHS(), holds);
    if (binary->isLogicalOp()) { // one of the two does
      bool first = evaluate(binary->getLHS()).has_value();
      bool second = evaluate(binary->getRHS()).has_value();
      return first == second || assume(first ? binary->getRHS() : binary->getLHS(), holds);
    }
    if (std::string key = keyOf(*binary); !key.empty())
      facts->expressions.insert_or_assign(key, holds == (opcode != clang::BO_NE));
    if (opcode == (holds ? clang::BO_EQ : clang::BO_NE))
      return assumeEqual(binary->getLHS(), binary->getRHS());
    return true;
  }
  const auto *cast = llvm::dyn_cast<clang::CastExpr>(condition);
  bool number = cast && cast->getCastKind() == clang::CK_IntegralToBoolean;
  const clang::Expr *tested = number ? cast->getSubExpr() : condition;
  if (tested->getType()->isBooleanType() ||
      (!holds && tested->getType()->isIntegralOrEnumerationType()))
    if (Value value = convert(llvm::APSInt::get(holds), tested->getType()))
      learn(tested, *value);
  return true;
}

bool HostConstants::assumeEqual(const clang::Expr *expression, const clang::Expr *other) {
  Value left = evaluate(expression), right = evaluate(other);
  if (left && right)
    return left->tryExtValue() == right->tryExtValue();
  if (right)
    learn(expression, *right);
  else if (left)
    learn(other, *left);
  return true;
}

} // namespace warpdrf::frontend
