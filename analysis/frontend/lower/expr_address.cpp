// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lvalues: which slot or address an expression designates, and access to it.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

Place FunctionLowering::place(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  const clang::QualType type = expr->getType();
  const mlir::Location at = loc(expr);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    if (call->isGLValue())
      return {.address = this->call(call, {}), .type = type};
    return {.address = address(call), .type = type};
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr); cast && cast->isGLValue()) {
    switch (cast->getCastKind()) {
    case clang::CK_DerivedToBase:
    case clang::CK_UncheckedDerivedToBase:
    case clang::CK_BaseToDerived:
      return {.address = baseOffset(cast, address(cast->getSubExpr())), .type = type};
    case clang::CK_LValueBitCast:
    case clang::CK_AddressSpaceConversion:
      return {.address = address(cast->getSubExpr()), .type = type};
    default: {
      Place result = place(cast->getSubExpr());
      result.type = type;
      return result;
    }
    }
  }
  switch (expr->getStmtClass()) {
  case clang::Stmt::DeclRefExprClass:
    return declPlace(llvm::cast<clang::DeclRefExpr>(expr));
  case clang::Stmt::MemberExprClass:
    return memberPlace(llvm::cast<clang::MemberExpr>(expr));
  case clang::Stmt::ArraySubscriptExprClass: {
    const auto *subscript = llvm::cast<clang::ArraySubscriptExpr>(expr);
    const clang::Expr *base = subscript->getBase(), *index = subscript->getIdx();
    Value pointer = base->getType()->isPointerType() ? scalar(base) : address(base);
    Value wide = convert(at, scalar(index), index->getType(), unit.ast.LongTy);
    Value bytes = builder.createOrFold<arith::MulIOp>(at, wide, integer64(at, types.size(type)));
    return {.address = ir::OffsetOp::create(builder, at, types.pointer(), pointer, bytes,
                                            innerExtent(base, bytes)),
            .type = type};
  }
  case clang::Stmt::UnaryOperatorClass: {
    const auto *unary = llvm::cast<clang::UnaryOperator>(expr);
    if (unary->getOpcode() == clang::UO_Deref)
      return {.address = scalar(unary->getSubExpr()), .type = type};
    if (unary->isIncrementDecrementOp()) {
      increment(unary);
      return place(unary->getSubExpr());
    }
    return place(unary->getSubExpr());
  }
  case clang::Stmt::BinaryOperatorClass: {
    const auto *binary = llvm::cast<clang::BinaryOperator>(expr);
    if (binary->getOpcode() == clang::BO_Comma) {
      effects(binary->getLHS());
      return place(binary->getRHS());
    }
    if (binary->isAssignmentOp()) {
      assign(binary);
      return place(binary->getLHS());
    }
    break;
  }
  case clang::Stmt::CompoundAssignOperatorClass:
    compoundAssign(llvm::cast<clang::CompoundAssignOperator>(expr));
    return place(llvm::cast<clang::CompoundAssignOperator>(expr)->getLHS());
  case clang::Stmt::ConditionalOperatorClass: {
    const auto *choice = llvm::cast<clang::ConditionalOperator>(expr);
    return {.address = conditional(
                expr, choice->getCond(), types.pointer(),
                [&] { return address(choice->getTrueExpr()); },
                [&] { return address(choice->getFalseExpr()); }, false),
            .type = type};
  }
  case clang::Stmt::ExprWithCleanupsClass:
    return place(llvm::cast<clang::ExprWithCleanups>(expr)->getSubExpr());
  case clang::Stmt::ConstantExprClass:
    return place(llvm::cast<clang::ConstantExpr>(expr)->getSubExpr());
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return place(llvm::cast<clang::SubstNonTypeTemplateParmExpr>(expr)->getReplacement());
  case clang::Stmt::CXXDefaultArgExprClass:
    return place(llvm::cast<clang::CXXDefaultArgExpr>(expr)->getExpr());
  case clang::Stmt::CXXDefaultInitExprClass:
    return place(llvm::cast<clang::CXXDefaultInitExpr>(expr)->getExpr());
  case clang::Stmt::OpaqueValueExprClass:
    if (auto bound = boundAddresses.find(llvm::cast<clang::OpaqueValueExpr>(expr));
        bound != boundAddresses.end())
      return {.address = bound->second, .type = type};
    return place(llvm::cast<clang::OpaqueValueExpr>(expr)->getSourceExpr());
  case clang::Stmt::PseudoObjectExprClass:
    return place(pseudoResult(llvm::cast<clang::PseudoObjectExpr>(expr)));
  case clang::Stmt::InitListExprClass:
    if (expr->isGLValue())
      return place(llvm::cast<clang::InitListExpr>(expr)->getInit(0));
    break;
  case clang::Stmt::MaterializeTemporaryExprClass: {
    const auto *temporaryExpr = llvm::cast<clang::MaterializeTemporaryExpr>(expr);
    Value object = temporary(expr, temporaryExpr->getSubExpr()->getType());
    initialise(temporaryExpr->getSubExpr(), object, temporaryExpr->getSubExpr()->getType());
    return {.address = object, .type = type};
  }
  case clang::Stmt::CompoundLiteralExprClass: {
    Value object = temporary(expr, type);
    initialise(llvm::cast<clang::CompoundLiteralExpr>(expr)->getInitializer(), object, type);
    return {.address = object, .type = type};
  }
  case clang::Stmt::StringLiteralClass:
    return {.address =
                ir::AddressOfOp::create(builder, at, types.pointer(),
                                        unit.objectOf(llvm::cast<clang::StringLiteral>(expr))),
            .type = type};
  case clang::Stmt::PredefinedExprClass:
    return place(llvm::cast<clang::PredefinedExpr>(expr)->getFunctionName());
  default:
    break;
  }
  if (!expr->isGLValue())
    return {.address = address(expr), .type = type};
  return {.address =
              unsupported(expr, std::string("lvalue ") + expr->getStmtClassName(), types.pointer()),
          .type = type};
}

/// Of a subscript into an array of known size: a variable, or part of another object; null for
/// others, and for a last member that may be a flexible array.
mlir::IntegerAttr FunctionLowering::innerExtent(const clang::Expr *base, Value bytes) {
  const auto *decay = llvm::dyn_cast<clang::ImplicitCastExpr>(base->IgnoreParens());
  if (!decay || decay->getCastKind() != clang::CK_ArrayToPointerDecay ||
      bytes.getDefiningOp<arith::ConstantOp>())
    return {};
  const clang::Expr *array = decay->getSubExpr()->IgnoreParens();
  const auto *type = unit.ast.getAsConstantArrayType(array->getType());
  if (!type || type->getSize().ule(1) ||
      !llvm::isa<clang::ArraySubscriptExpr, clang::MemberExpr, clang::DeclRefExpr>(array))
    return {};
  return builder.getI64IntegerAttr(static_cast<std::int64_t>(types.size(array->getType())));
}

mlir::Value FunctionLowering::address(const clang::Expr *expr) {
  if (expr->isGLValue())
    return pointerTo(place(expr), expr);
  Value object = temporary(expr, expr->getType());
  initialise(expr, object, expr->getType());
  return object;
}

mlir::Value FunctionLowering::pointerTo(const Place &place, const clang::Expr *at) {
  if (place.bitField)
    return unsupported(at, "reference to a bit-field", types.pointer());
  if (place.address)
    return place.address;
  return unsupported(at, "reference to the result of an assignment", types.pointer());
}

Place FunctionLowering::declPlace(const clang::DeclRefExpr *expr) {
  const clang::ValueDecl *decl = expr->getDecl();
  if (captures.count(decl) && captures.lookup(decl))
    return capturePlace(decl, expr);
  if (const auto *binding = llvm::dyn_cast<clang::BindingDecl>(decl)) {
    if (const clang::VarDecl *holding = binding->getHoldingVar())
      return variablePlace(holding, expr);
    return place(binding->getBinding());
  }
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
    return variablePlace(variable, expr);
  if (const auto *named = llvm::dyn_cast<clang::FunctionDecl>(decl))
    return {.address =
                ir::AddressOfOp::create(builder, loc(expr), types.pointer(), unit.objectOf(named)),
            .type = expr->getType()};
  return {.address = unsupported(expr, "reference to " + decl->getNameAsString(), types.pointer()),
          .type = expr->getType()};
}

Place FunctionLowering::variablePlace(const clang::VarDecl *variable, const clang::Expr *at) {
  if (auto known = variables.find(variable); known != variables.end())
    return known->second;
  const clang::QualType type = variable->getType();
  if (variable->hasLocalStorage()) {
    // A constant that is named only where it cannot be folded, perhaps by a lambda that need not
    // capture it.
    declareVariable(variable, at);
    return variables[variable];
  }
  const mlir::Location where = loc(at);
  if (const auto *record = type->getAsCXXRecordDecl();
      record && record->getName().starts_with("__cuda_builtin_"))
    return {.address = zero(where, types.pointer()), .type = type};
  if (type->isReferenceType() && variable->getInit())
    return place(variable->getInit());
  Value address = ir::AddressOfOp::create(builder, where, types.pointer(), unit.objectOf(variable));
  return {.address = address, .type = type};
}

/// With a null `variable`: the captured `this` (or `*this`).
Place FunctionLowering::capturePlace(const clang::ValueDecl *variable, const clang::Expr *at) {
  const clang::FieldDecl *field = variable ? captures.lookup(variable) : thisCapture;
  Place result = fieldPlace(loc(at), thisPointer, field, field->getType());
  if (field->getType()->isReferenceType())
    result.type = field->getType().getNonReferenceType();
  return result;
}

Place FunctionLowering::memberPlace(const clang::MemberExpr *expr) {
  const clang::ValueDecl *member = expr->getMemberDecl();
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member))
    return variablePlace(variable, expr);
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(member);
  if (!field)
    return {.address = unsupported(expr, "pointer to member", types.pointer()),
            .type = expr->getType()};
  Value base = expr->isArrow() ? scalar(expr->getBase()) : address(expr->getBase());
  return fieldPlace(loc(expr), base, field, expr->getType());
}

/// A field of reference type designates what it refers to.
Place FunctionLowering::fieldPlace(mlir::Location loc, Value base, const clang::FieldDecl *field,
                                   clang::QualType type) {
  const std::uint64_t bits = unit.ast.getFieldOffset(field);
  if (field->isBitField()) {
    const std::uint64_t unitBits = unit.ast.getTypeSize(field->getType());
    return {.address = offset(loc, base, bits / unitBits * unitBits / 8),
            .bitField = field,
            .type = type};
  }
  Value address = offset(loc, base, bits / 8);
  if (field->getType()->isReferenceType())
    address = ir::ReadOp::create(builder, loc, types.pointer(), address);
  return {.address = address, .type = type};
}

namespace {
/// Where a bit-field lies in the storage unit of its declared type.
struct BitRange {
  unsigned unit, shift, width;
};
} // namespace

static BitRange bitRange(const clang::FieldDecl *field, const clang::ASTContext &ast) {
  const unsigned unit = ast.getTypeSize(field->getType());
  return {unit, static_cast<unsigned>(ast.getFieldOffset(field) % unit), field->getBitWidthValue()};
}

mlir::Value FunctionLowering::readPlace(mlir::Location loc, const Place &place) {
  if (place.value)
    return place.value;
  if (place.slot)
    return ir::GetOp::create(builder, loc, types.scalar(place.type), place.slot);
  if (!place.bitField)
    return read(loc, place.address, place.type);
  const BitRange bits = bitRange(place.bitField, unit.ast);
  mlir::Type type = types.integer(bits.unit);
  Value word = ir::ReadOp::create(builder, loc, type, place.address);
  const auto shift = [&](unsigned by) { return integer(loc, type, by); };
  word = builder.createOrFold<arith::ShLIOp>(loc, word, shift(bits.unit - bits.shift - bits.width));
  word = Types::isUnsigned(place.bitField->getType())
             ? builder.createOrFold<arith::ShRUIOp>(loc, word, shift(bits.unit - bits.width))
             : builder.createOrFold<arith::ShRSIOp>(loc, word, shift(bits.unit - bits.width));
  return place.bitField->getType()->isBooleanType() ? truth(loc, word) : word;
}

void FunctionLowering::writePlace(mlir::Location loc, const Place &place, Value value) {
  if (place.slot) {
    ir::SetOp::create(builder, loc, place.slot, value);
    return;
  }
  if (!place.bitField)
    return write(loc, place.address, value, place.type);
  const BitRange bits = bitRange(place.bitField, unit.ast);
  mlir::Type type = types.integer(bits.unit);
  if (value.getType() != type)
    value = builder.createOrFold<arith::ExtUIOp>(loc, type, value);
  const llvm::APInt mask =
      llvm::APInt::getBitsSet(bits.unit, bits.shift, std::min(bits.shift + bits.width, bits.unit));
  Value maskValue = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, mask));
  Value keep = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, ~mask));
  Value word = ir::ReadOp::create(builder, loc, type, place.address);
  word = builder.createOrFold<arith::AndIOp>(loc, word, keep);
  value = builder.createOrFold<arith::ShLIOp>(loc, value, integer(loc, type, bits.shift));
  value = builder.createOrFold<arith::AndIOp>(loc, value, maskValue);
  ir::WriteOp::create(builder, loc, place.address,
                      builder.createOrFold<arith::OrIOp>(loc, word, value));
}

} // namespace warpdrf::frontend
