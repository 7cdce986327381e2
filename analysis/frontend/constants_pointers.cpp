// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What HostConstants knows of pointers: whether they are null.
#include "analysis/frontend/constants.h"

namespace warpdrf::frontend {

std::optional<HostConstants::NullTest> HostConstants::nullTest(const clang::Expr *condition) const {
  condition = condition->IgnoreParens();
  if (condition->isInstantiationDependent() || condition->containsErrors())
    return std::nullopt;
  if (condition->getType()->isPointerType())
    return NullTest{condition, false};
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(condition))
    return cast->getCastKind() == clang::CK_PointerToBoolean
               ? std::optional(NullTest{cast->getSubExpr(), false})
               : std::nullopt;
  const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(condition);
  if (!binary || !binary->isEqualityOp())
    return std::nullopt;
  const auto isNull = [&](const clang::Expr *side) {
    return side->isNullPointerConstant(ast, clang::Expr::NPC_ValueDependentIsNotNull);
  };
  const clang::Expr *left = binary->getLHS(), *right = binary->getRHS();
  if (isNull(left))
    std::swap(left, right);
  if (!left->getType()->isPointerType() || !isNull(right))
    return std::nullopt;
  return NullTest{left, binary->getOpcode() == clang::BO_EQ};
}

std::optional<bool> HostConstants::isNull(const clang::Expr *pointer) {
  if (auto fact = facts->expressions.find(keyOf({pointer, true})); fact != facts->expressions.end())
    return fact->second != 0;
  const clang::Expr *value = source(pointer).expression;
  if (!value)
    return std::nullopt;
  if (value->isNullPointerConstant(ast, clang::Expr::NPC_ValueDependentIsNotNull))
    return true;
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(value);
  return address && address->getOpcode() == clang::UO_AddrOf ? std::optional(false) : std::nullopt;
}

/// Of what is equal to 0 if the pointer is null; empty if it is in no place that keeps its value.
std::string HostConstants::keyOf(const NullTest &test) {
  std::optional<Place> place = locate(test.pointer);
  return place ? "(" + keyOf(*place) + " == 0)" : "";
}

} // namespace warpdrf::frontend
