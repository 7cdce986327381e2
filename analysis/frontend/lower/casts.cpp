// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between scalars.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

mlir::Value FunctionLowering::truth(mlir::Location loc, Value value) {
  mlir::Type type = value.getType();
  if (type.isInteger(1))
    return value;
  if (llvm::isa<mlir::FloatType>(type))
    return builder.createOrFold<arith::CmpFOp>(loc, arith::CmpFPredicate::UNE, value,
                                               zero(loc, type));
  if (llvm::isa<ir::PtrType>(type)) {
    Value isNull = ir::PtrEqOp::create(builder, loc, types.integer(1), value, zero(loc, type));
    return builder.createOrFold<arith::XOrIOp>(loc, isNull, boolean(loc, true));
  }
  return builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, value, zero(loc, type));
}

mlir::Value FunctionLowering::convert(mlir::Location loc, Value value, clang::QualType from,
                                      clang::QualType to) {
  mlir::Type source = value.getType(), target = types.scalar(to);
  if (source == target)
    return value;
  if (to->isBooleanType())
    return truth(loc, value);
  const bool sourceUnsigned = Types::isUnsigned(from) || source.isInteger(1);
  if (llvm::isa<ir::PtrType>(source)) {
    Value bits = ir::PtrToIntOp::create(builder, loc, types.integer(64), value);
    return convert(loc, bits, unit.ast.UnsignedLongTy, to);
  }
  if (llvm::isa<ir::PtrType>(target)) {
    Value bits = convert(loc, value, from, unit.ast.UnsignedLongTy);
    return ir::IntToPtrOp::create(builder, loc, target, bits);
  }
  const unsigned sourceBits = source.getIntOrFloatBitWidth();
  const unsigned targetBits = target.getIntOrFloatBitWidth();
  const bool fromFloat = llvm::isa<mlir::FloatType>(source);
  const bool toFloat = llvm::isa<mlir::FloatType>(target);
  if (fromFloat && toFloat) {
    if (sourceBits == targetBits) // f16 and bf16
      return convert(loc, convert(loc, value, from, unit.ast.FloatTy), unit.ast.FloatTy, to);
    return sourceBits < targetBits ? builder.createOrFold<arith::ExtFOp>(loc, target, value)
                                   : builder.createOrFold<arith::TruncFOp>(loc, target, value);
  }
  if (fromFloat)
    return Types::isUnsigned(to) ? builder.createOrFold<arith::FPToUIOp>(loc, target, value)
                                 : builder.createOrFold<arith::FPToSIOp>(loc, target, value);
  if (toFloat)
    return sourceUnsigned ? builder.createOrFold<arith::UIToFPOp>(loc, target, value)
                          : builder.createOrFold<arith::SIToFPOp>(loc, target, value);
  if (sourceBits > targetBits)
    return builder.createOrFold<arith::TruncIOp>(loc, target, value);
  return sourceUnsigned ? builder.createOrFold<arith::ExtUIOp>(loc, target, value)
                        : builder.createOrFold<arith::ExtSIOp>(loc, target, value);
}

mlir::Value FunctionLowering::cast(const clang::CastExpr *expr) {
  const clang::Expr *operand = expr->getSubExpr();
  const mlir::Location at = loc(expr);
  switch (expr->getCastKind()) {
  case clang::CK_LValueToRValue:
    return load(operand);
  case clang::CK_NoOp:
  case clang::CK_BitCast:
  case clang::CK_AddressSpaceConversion:
  case clang::CK_UserDefinedConversion:
  case clang::CK_ConstructorConversion:
  case clang::CK_AtomicToNonAtomic:
  case clang::CK_NonAtomicToAtomic:
    if (types.isScalar(operand->getType()))
      return scalar(operand);
    break;
  case clang::CK_IntegralCast:
  case clang::CK_IntegralToBoolean:
  case clang::CK_IntegralToFloating:
  case clang::CK_FloatingCast:
  case clang::CK_FloatingToBoolean:
  case clang::CK_FloatingToIntegral:
  case clang::CK_BooleanToSignedIntegral:
  case clang::CK_PointerToBoolean:
  case clang::CK_PointerToIntegral:
  case clang::CK_IntegralToPointer: {
    Value value = scalar(operand);
    if (expr->getCastKind() == clang::CK_BooleanToSignedIntegral)
      return arith::ExtSIOp::create(builder, at, types.scalar(expr->getType()), value);
    return convert(at, value, operand->getType(), expr->getType());
  }
  case clang::CK_NullToPointer:
    return zero(at, types.pointer());
  case clang::CK_ArrayToPointerDecay:
    return address(operand);
  case clang::CK_FunctionToPointerDecay:
    return address(operand);
  case clang::CK_BuiltinFnToFnPtr:
    return unsupported(expr, "function pointer", types.pointer());
  case clang::CK_DerivedToBase:
  case clang::CK_UncheckedDerivedToBase:
  case clang::CK_BaseToDerived:
    return baseOffset(expr, scalar(operand));
  case clang::CK_LValueToRValueBitCast:
    return read(at, address(operand), expr->getType());
  case clang::CK_ToVoid:
    effects(operand);
    return {};
  default:
    break;
  }
  return unsupported(expr, std::string("conversion ") + expr->getCastKindName(),
                     types.scalar(expr->getType()));
}

/// Moves a pointer (of the cast's operand) between a class and a base of it.
mlir::Value FunctionLowering::baseOffset(const clang::CastExpr *cast, Value pointer) {
  if (Value group = groupOfAnyKind(cast, pointer))
    return group;
  clang::QualType from = cast->getSubExpr()->getType();
  clang::QualType to = cast->getType();
  if (from->isPointerType()) {
    from = from->getPointeeType();
    to = to->getPointeeType();
  }
  const bool down = cast->getCastKind() == clang::CK_BaseToDerived;
  const clang::CXXRecordDecl *derived = (down ? to : from)->getAsCXXRecordDecl();
  std::int64_t bytes = 0;
  for (const clang::CXXBaseSpecifier *step : cast->path()) {
    if (step->isVirtual())
      return unsupported(cast, "virtual base class", types.pointer());
    const clang::CXXRecordDecl *base = step->getType()->getAsCXXRecordDecl();
    bytes += unit.ast.getASTRecordLayout(derived).getBaseClassOffset(base).getQuantity();
    derived = base;
  }
  return offset(loc(cast), pointer, down ? -bytes : bytes);
}

mlir::Value FunctionLowering::bitcast(mlir::Location loc, Value value, mlir::Type type) {
  return builder.createOrFold<arith::BitcastOp>(loc, type, value);
}

} // namespace warpdrf::frontend
