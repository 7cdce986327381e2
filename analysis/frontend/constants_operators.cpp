// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of HostConstants.
#include "analysis/frontend/constants.h"

#include "analysis/frontend/call_sites.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {

HostConstants::Value HostConstants::evaluateBinary(const clang::BinaryOperator &binary) {
  Value left = evaluate(binary.getLHS());
  if (left && binary.getOpcode() == clang::BO_LAnd && *left == 0)
    return convert(llvm::APSInt::get(0), binary.getType());
  if (left && binary.getOpcode() == clang::BO_LOr && *left != 0)
    return convert(llvm::APSInt::get(1), binary.getType());
  Value right = evaluate(binary.getRHS());
  if (right && binary.getOpcode() == clang::BO_LAnd && *right == 0)
    return convert(llvm::APSInt::get(0), binary.getType());
  if (right && binary.getOpcode() == clang::BO_LOr && *right != 0)
    return convert(llvm::APSInt::get(1), binary.getType());
  if (left && right)
    return operate(binary.getOpcode(), *left, *right, binary.getType());
  if (facts->expressions.empty())
    return std::nullopt;
  auto fact = facts->expressions.find(keyOf(binary));
  if (fact == facts->expressions.end())
    return std::nullopt;
  const bool negated = binary.getOpcode() == clang::BO_NE;
  return convert(llvm::APSInt::get(negated ? !fact->second : fact->second), binary.getType());
}

HostConstants::Value HostConstants::operate(int opcode, const llvm::APSInt &left,
                                            const llvm::APSInt &right, clang::QualType type) const {
  bool shift = opcode == clang::BO_Shl || opcode == clang::BO_Shr;
  if (!shift && (left.getBitWidth() != right.getBitWidth() || left.isSigned() != right.isSigned()))
    return std::nullopt; // && and || of unlike types; the others have been converted
  if (shift && (right.isNegative() || right.getLimitedValue() >= left.getBitWidth()))
    return std::nullopt;
  auto truth = [&](bool value) { return convert(llvm::APSInt::get(value), type); };
  switch (opcode) {
  case clang::BO_Add:
    return left + right;
  case clang::BO_Sub:
    return left - right;
  case clang::BO_Mul:
    return left * right;
  case clang::BO_Div:
    return right == 0 ? Value() : left / right;
  case clang::BO_Rem:
    return right == 0 ? Value() : left % right;
  case clang::BO_And:
    return left & right;
  case clang::BO_Or:
    return left | right;
  case clang::BO_Xor:
    return left ^ right;
  case clang::BO_Shl:
    return left << static_cast<unsigned>(right.getZExtValue());
  case clang::BO_Shr:
    return left >> static_cast<unsigned>(right.getZExtValue());
  case clang::BO_LT:
    return truth(left < right);
  case clang::BO_GT:
    return truth(left > right);
  case clang::BO_LE:
    return truth(left <= right);
  case clang::BO_GE:
    return truth(left >= right);
  case clang::BO_EQ:
    return truth(left == right);
  case clang::BO_NE:
    return truth(left != right);
  case clang::BO_LAnd:
  case clang::BO_LOr:
    return truth(right != 0);
  default:
    return std::nullopt;
  }
}

HostConstants::Value HostConstants::evaluateUnary(const clang::UnaryOperator &unary) {
  if (unary.isIncrementDecrementOp())
    return std::nullopt;
  Value value = evaluate(unary.getSubExpr());
  if (!value)
    return std::nullopt;
  switch (unary.getOpcode()) {
  case clang::UO_Plus:
    return value;
  case clang::UO_Minus:
    return -*value;
  case clang::UO_Not:
    return ~*value;
  case clang::UO_LNot:
    return convert(llvm::APSInt::get(*value == 0), unary.getType());
  default:
    return std::nullopt;
  }
}

} // namespace warpdrf::frontend
