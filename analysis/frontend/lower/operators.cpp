// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators on scalars: arithmetic, comparison, assignment, `&&` and `||`.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

mlir::Value FunctionLowering::unary(const clang::UnaryOperator *expr) {
  const mlir::Location at = loc(expr);
  const clang::Expr *operand = expr->getSubExpr();
  switch (expr->getOpcode()) {
  case clang::UO_Plus:
  case clang::UO_Extension:
    return scalar(operand);
  case clang::UO_Minus: {
    Value value = scalar(operand);
    if (llvm::isa<mlir::FloatType>(value.getType()))
      return builder.createOrFold<arith::NegFOp>(at, value);
    return builder.createOrFold<arith::SubIOp>(at, zero(at, value.getType()), value);
  }
  case clang::UO_Not: {
    Value value = scalar(operand);
    return builder.createOrFold<arith::XOrIOp>(at, value, integer(at, value.getType(), -1));
  }
  case clang::UO_LNot:
    return builder.createOrFold<arith::XOrIOp>(at, scalar(operand), boolean(at, true));
  case clang::UO_AddrOf:
    if (llvm::isa<clang::MemberPointerType>(expr->getType().getCanonicalType()))
      return unsupported(expr, "pointer to member", types.scalar(expr->getType()));
    return address(operand);
  case clang::UO_PostInc:
  case clang::UO_PostDec:
    return increment(expr);
  default:
    return unsupported(expr,
                       "operator " + clang::UnaryOperator::getOpcodeStr(expr->getOpcode()).str(),
                       types.scalar(expr->getType()));
  }
}

/// Gives the old value.
mlir::Value FunctionLowering::increment(const clang::UnaryOperator *expr) {
  const mlir::Location at = loc(expr);
  const clang::QualType type = expr->getSubExpr()->getType();
  const Place target = place(expr->getSubExpr());
  Value old = readPlace(at, target), next;
  if (type->isPointerType()) {
    next = pointerAdd(expr, old, integer64(at, 1), unit.ast.LongTy, type, !expr->isIncrementOp());
  } else if (llvm::isa<mlir::FloatType>(old.getType())) {
    Value one = arith::ConstantOp::create(builder, at, builder.getFloatAttr(old.getType(), 1.0));
    next = arithmetic(expr, expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, old, one, type);
  } else {
    next = arithmetic(expr, expr->isIncrementOp() ? clang::BO_Add : clang::BO_Sub, old,
                      integer(at, old.getType(), 1), type);
  }
  writePlace(at, target, next);
  return old;
}

mlir::Value FunctionLowering::binary(const clang::BinaryOperator *expr) {
  const clang::BinaryOperatorKind kind = expr->getOpcode();
  const clang::QualType left = expr->getLHS()->getType(), right = expr->getRHS()->getType();
  if (kind == clang::BO_Comma) {
    effects(expr->getLHS());
    return scalar(expr->getRHS());
  }
  if (expr->isAssignmentOp())
    return load(expr);
  if (expr->isLogicalOp())
    return logical(expr);
  if (!types.isScalar(left) || !types.isScalar(right) || expr->isPtrMemOp() ||
      kind == clang::BO_Cmp)
    return unsupported(expr, "operator " + expr->getOpcodeStr().str(),
                       types.scalar(expr->getType()));
  Value a = scalar(expr->getLHS()), b = scalar(expr->getRHS());
  if (expr->isComparisonOp())
    return compare(expr, kind, a, b, left);
  if (left->isPointerType() && right->isPointerType()) {
    const mlir::Location at = loc(expr);
    Value bytes = ir::PtrDiffOp::create(builder, at, types.integer(64), a, b);
    return builder.createOrFold<arith::DivSIOp>(at, bytes,
                                                integer64(at, types.size(left->getPointeeType())));
  }
  if (left->isPointerType())
    return pointerAdd(expr, a, b, right, left, kind == clang::BO_Sub);
  if (right->isPointerType())
    return pointerAdd(expr, b, a, left, right, false);
  return arithmetic(expr, kind, a, b, expr->getType());
}

/// `type` decides the signedness; the operands have its width (a shift count may have another one).
mlir::Value FunctionLowering::arithmetic(const clang::Stmt *stmt, clang::BinaryOperatorKind kind,
                                         Value lhs, Value rhs, clang::QualType type) {
  const mlir::Location at = loc(stmt);
  const bool isUnsigned = Types::isUnsigned(type);
  if (llvm::isa<mlir::FloatType>(lhs.getType())) {
    switch (kind) {
    case clang::BO_Add:
      return builder.createOrFold<arith::AddFOp>(at, lhs, rhs);
    case clang::BO_Sub:
      return builder.createOrFold<arith::SubFOp>(at, lhs, rhs);
    case clang::BO_Mul:
      return builder.createOrFold<arith::MulFOp>(at, lhs, rhs);
    case clang::BO_Div:
      return builder.createOrFold<arith::DivFOp>(at, lhs, rhs);
    default:
      return unsupported(stmt, "operator on floating-point values", lhs.getType());
    }
  }
  switch (kind) {
  case clang::BO_Add:
    return builder.createOrFold<arith::AddIOp>(at, lhs, rhs);
  case clang::BO_Sub:
    return builder.createOrFold<arith::SubIOp>(at, lhs, rhs);
  case clang::BO_Mul:
    return builder.createOrFold<arith::MulIOp>(at, lhs, rhs);
  case clang::BO_Div:
    return isUnsigned ? builder.createOrFold<arith::DivUIOp>(at, lhs, rhs)
                      : builder.createOrFold<arith::DivSIOp>(at, lhs, rhs);
  case clang::BO_Rem:
    return isUnsigned ? builder.createOrFold<arith::RemUIOp>(at, lhs, rhs)
                      : builder.createOrFold<arith::RemSIOp>(at, lhs, rhs);
  case clang::BO_And:
    return builder.createOrFold<arith::AndIOp>(at, lhs, rhs);
  case clang::BO_Or:
    return builder.createOrFold<arith::OrIOp>(at, lhs, rhs);
  case clang::BO_Xor:
    return builder.createOrFold<arith::XOrIOp>(at, lhs, rhs);
  case clang::BO_Shl:
  case clang::BO_Shr: {
    if (rhs.getType() != lhs.getType()) {
      const bool narrows =
          rhs.getType().getIntOrFloatBitWidth() > lhs.getType().getIntOrFloatBitWidth();
      rhs = narrows ? builder.createOrFold<arith::TruncIOp>(at, lhs.getType(), rhs)
                    : builder.createOrFold<arith::ExtUIOp>(at, lhs.getType(), rhs);
    }
    if (kind == clang::BO_Shl)
      return builder.createOrFold<arith::ShLIOp>(at, lhs, rhs);
    return isUnsigned ? builder.createOrFold<arith::ShRUIOp>(at, lhs, rhs)
                      : builder.createOrFold<arith::ShRSIOp>(at, lhs, rhs);
  }
  default:
    return unsupported(stmt, "binary operator", lhs.getType());
  }
}

static arith::CmpIPredicate integerPredicate(clang::BinaryOperatorKind kind, bool isUnsigned) {
  switch (kind) {
  case clang::BO_EQ:
    return arith::CmpIPredicate::eq;
  case clang::BO_NE:
    return arith::CmpIPredicate::ne;
  case clang::BO_LT:
    return isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  case clang::BO_LE:
    return isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle;
  case clang::BO_GT:
    return isUnsigned ? arith::CmpIPredicate::ugt : arith::CmpIPredicate::sgt;
  default:
    return isUnsigned ? arith::CmpIPredicate::uge : arith::CmpIPredicate::sge;
  }
}

static arith::CmpFPredicate floatPredicate(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_EQ:
    return arith::CmpFPredicate::OEQ;
  case clang::BO_NE:
    return arith::CmpFPredicate::UNE;
  case clang::BO_LT:
    return arith::CmpFPredicate::OLT;
  case clang::BO_LE:
    return arith::CmpFPredicate::OLE;
  case clang::BO_GT:
    return arith::CmpFPredicate::OGT;
  default:
    return arith::CmpFPredicate::OGE;
  }
}

mlir::Value FunctionLowering::compare(const clang::Stmt *stmt, clang::BinaryOperatorKind kind,
                                      Value lhs, Value rhs, clang::QualType type) {
  const mlir::Location at = loc(stmt);
  if (llvm::isa<mlir::FloatType>(lhs.getType()))
    return builder.createOrFold<arith::CmpFOp>(at, floatPredicate(kind), lhs, rhs);
  if (llvm::isa<ir::PtrType>(lhs.getType())) {
    if (kind == clang::BO_EQ || kind == clang::BO_NE) {
      Value equal = ir::PtrEqOp::create(builder, at, types.integer(1), lhs, rhs);
      return kind == clang::BO_EQ
                 ? equal
                 : builder.createOrFold<arith::XOrIOp>(at, equal, boolean(at, true));
    }
    Value bytes = ir::PtrDiffOp::create(builder, at, types.integer(64), lhs, rhs);
    return arith::CmpIOp::create(builder, at, integerPredicate(kind, false), bytes,
                                 integer64(at, 0));
  }
  return builder.createOrFold<arith::CmpIOp>(at, integerPredicate(kind, Types::isUnsigned(type)),
                                             lhs, rhs);
}

mlir::Value FunctionLowering::pointerAdd(const clang::Stmt *stmt, Value base, Value index,
                                         clang::QualType indexType, clang::QualType pointer,
                                         bool negative) {
  const mlir::Location at = loc(stmt);
  Value wide = convert(at, index, indexType, unit.ast.LongTy);
  Value bytes = builder.createOrFold<arith::MulIOp>(
      at, wide, integer64(at, types.size(pointer->getPointeeType())));
  if (negative)
    bytes = builder.createOrFold<arith::SubIOp>(at, integer64(at, 0), bytes);
  return ir::OffsetOp::create(builder, at, types.pointer(), base, bytes);
}

mlir::Value FunctionLowering::logical(const clang::BinaryOperator *expr) {
  const mlir::Location at = loc(expr);
  const bool isAnd = expr->getOpcode() == clang::BO_LAnd;
  if (std::optional<bool> left = constantCondition(expr->getLHS()))
    return *left == isAnd ? scalar(expr->getRHS()) : boolean(at, *left);
  Value left = scalar(expr->getLHS());
  if (isSpeculatable(expr->getRHS())) {
    Value right = scalar(expr->getRHS());
    return isAnd ? builder.createOrFold<arith::AndIOp>(at, left, right)
                 : builder.createOrFold<arith::OrIOp>(at, left, right);
  }
  mlir::Type type = types.integer(1);
  Value result = slot(at, isAnd ? "and" : "or", type);
  ir::SetOp::create(builder, at, result, left);
  const auto right = [&] { ir::SetOp::create(builder, at, result, scalar(expr->getRHS())); };
  const auto nothing = [] {};
  if (isAnd)
    emitIf(loc(expr->getLHS()), left, right, nothing);
  else
    emitIf(loc(expr->getLHS()), left, nothing, right);
  return ir::GetOp::create(builder, at, type, result);
}

void FunctionLowering::assign(const clang::BinaryOperator *expr) {
  if (!types.isScalar(expr->getLHS()->getType())) {
    // Only vectors, complex numbers and the like: records are assigned by their operator.
    Value source = address(expr->getRHS());
    return copyBytes(loc(expr), address(expr->getLHS()), source, expr->getLHS()->getType());
  }
  Value value = scalar(expr->getRHS());
  writePlace(loc(expr->getLHS()), place(expr->getLHS()), value);
}

void FunctionLowering::compoundAssign(const clang::CompoundAssignOperator *expr) {
  const clang::QualType type = expr->getLHS()->getType();
  if (!types.isScalar(type)) {
    unsupported(expr, "operator on a vector");
    return;
  }
  const mlir::Location at = loc(expr->getLHS());
  const clang::BinaryOperatorKind kind =
      clang::BinaryOperator::getOpForCompoundAssignment(expr->getOpcode());
  Value right = scalar(expr->getRHS());
  const Place target = place(expr->getLHS());
  Value old = readPlace(at, target);
  if (type->isPointerType())
    return writePlace(
        at, target,
        pointerAdd(expr, old, right, expr->getRHS()->getType(), type, kind == clang::BO_Sub));
  Value left = convert(at, old, type, expr->getComputationLHSType());
  Value value = arithmetic(expr, kind, left, right, expr->getComputationResultType());
  writePlace(at, target, convert(at, value, expr->getComputationResultType(), type));
}

} // namespace warpdrf::frontend
