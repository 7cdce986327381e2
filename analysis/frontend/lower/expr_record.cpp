// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisation of objects: records, arrays, unions, lambdas.
#include "analysis/frontend/lower/function.h"
#include "analysis/ir/attributes.h"

namespace warpdrf::frontend {

void FunctionLowering::copyBytes(mlir::Location loc, Value destination, Value source,
                                 clang::QualType type) {
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (record && record->isEmpty())
    return;
  auto copy = ir::CopyOp::create(builder, loc, destination, source, types.size(type));
  const std::int64_t alignment = unit.ast.getTypeAlignInChars(type).getQuantity();
  if (alignment >= 8) // vector types; less says nothing of a host's sizes
    copy->setAttr(ir::alignAttribute, builder.getI64IntegerAttr(alignment));
}

void FunctionLowering::noteDestructor(const clang::Stmt *at, clang::QualType type) {
  const clang::CXXRecordDecl *record = unit.ast.getBaseElementType(type)->getAsCXXRecordDecl();
  if (record && record->hasDefinition() && !record->hasTrivialDestructor() &&
      !isLibraryObject(record))
    unsupported(at, "destructor of " + record->getNameAsString());
}

void FunctionLowering::initialise(const clang::Expr *expr, Value destination,
                                  clang::QualType type) {
  const mlir::Location at = loc(expr);
  if (type->isReferenceType()) {
    ir::WriteOp::create(builder, at, destination, address(expr));
    return;
  }
  if (types.isScalar(type))
    return write(at, destination, scalar(expr), type);
  recordInto(expr, destination);
}

void FunctionLowering::recordInto(const clang::Expr *expr, Value destination) {
  const mlir::Location at = loc(expr);
  const clang::QualType type = expr->getType();
  if (expr->isGLValue())
    return copyBytes(at, destination, address(expr), type);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    this->call(call, destination);
    return;
  }
  if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return construct(construction, destination);
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    if (cast->getCastKind() == clang::CK_LValueToRValue ||
        cast->getCastKind() == clang::CK_LValueToRValueBitCast)
      return copyBytes(at, destination, address(cast->getSubExpr()), type);
    if (!types.isScalar(cast->getSubExpr()->getType()))
      return recordInto(cast->getSubExpr(), destination);
    unsupported(expr, std::string("conversion ") + cast->getCastKindName());
    return;
  }
  switch (expr->getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return recordInto(llvm::cast<clang::ParenExpr>(expr)->getSubExpr(), destination);
  case clang::Stmt::ConstantExprClass:
    return recordInto(llvm::cast<clang::ConstantExpr>(expr)->getSubExpr(), destination);
  case clang::Stmt::ExprWithCleanupsClass:
    return recordInto(llvm::cast<clang::ExprWithCleanups>(expr)->getSubExpr(), destination);
  case clang::Stmt::MaterializeTemporaryExprClass:
    return recordInto(llvm::cast<clang::MaterializeTemporaryExpr>(expr)->getSubExpr(), destination);
  case clang::Stmt::CXXBindTemporaryExprClass:
    noteDestructor(expr, type);
    return recordInto(llvm::cast<clang::CXXBindTemporaryExpr>(expr)->getSubExpr(), destination);
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return recordInto(llvm::cast<clang::SubstNonTypeTemplateParmExpr>(expr)->getReplacement(),
                      destination);
  case clang::Stmt::CXXDefaultArgExprClass:
    return recordInto(llvm::cast<clang::CXXDefaultArgExpr>(expr)->getExpr(), destination);
  case clang::Stmt::CXXDefaultInitExprClass:
    return recordInto(llvm::cast<clang::CXXDefaultInitExpr>(expr)->getExpr(), destination);
  case clang::Stmt::OpaqueValueExprClass:
    return recordInto(llvm::cast<clang::OpaqueValueExpr>(expr)->getSourceExpr(), destination);
  case clang::Stmt::PseudoObjectExprClass:
    return recordInto(pseudoResult(llvm::cast<clang::PseudoObjectExpr>(expr)), destination);
  case clang::Stmt::ImplicitValueInitExprClass:
  case clang::Stmt::CXXScalarValueInitExprClass:
    ir::FillOp::create(builder, at, destination, types.size(type));
    return;
  case clang::Stmt::NoInitExprClass:
    return;
  case clang::Stmt::InitListExprClass: {
    const auto *list = llvm::cast<clang::InitListExpr>(expr);
    if (const clang::InitListExpr *semantic = list->getSemanticForm())
      list = semantic;
    if (list->isTransparent())
      return initialise(list->getInit(0), destination, type);
    return initList(list, const_cast<clang::InitListExpr *>(list)->inits(),
                    list->getInitializedFieldInUnion(), list->getArrayFiller(), type, destination);
  }
  case clang::Stmt::CXXParenListInitExprClass: {
    const auto *list = llvm::cast<clang::CXXParenListInitExpr>(expr);
    return initList(list, const_cast<clang::CXXParenListInitExpr *>(list)->getInitExprs(),
                    list->getInitializedFieldInUnion(), list->getArrayFiller(), type, destination);
  }
  case clang::Stmt::ArrayInitLoopExprClass:
    return copyArray(llvm::cast<clang::ArrayInitLoopExpr>(expr), destination);
  case clang::Stmt::LambdaExprClass:
    return lambda(llvm::cast<clang::LambdaExpr>(expr), destination);
  case clang::Stmt::ConditionalOperatorClass: {
    const auto *choice = llvm::cast<clang::ConditionalOperator>(expr);
    const auto side = [&](const clang::Expr *arm) { return recordInto(arm, destination), Value(); };
    conditional(
        expr, choice->getCond(), {}, [&] { return side(choice->getTrueExpr()); },
        [&] { return side(choice->getFalseExpr()); }, false);
    return;
  }
  case clang::Stmt::BinaryOperatorClass:
    if (const auto *binary = llvm::cast<clang::BinaryOperator>(expr);
        binary->getOpcode() == clang::BO_Comma) {
      effects(binary->getLHS());
      return recordInto(binary->getRHS(), destination);
    }
    break;
  case clang::Stmt::StmtExprClass: {
    const auto *body = llvm::cast<clang::StmtExpr>(expr)->getSubStmt();
    for (const clang::Stmt *child : body->body()) {
      const auto *last = llvm::dyn_cast<clang::Expr>(child);
      if (child == body->body_back() && last)
        return recordInto(last, destination);
      statement(child);
    }
    return;
  }
  default:
    break;
  }
  unsupported(expr, std::string("expression ") + expr->getStmtClassName());
}

/// Aggregate initialisation. What the list leaves out was filled in by Clang, but for an array's
/// rest.
void FunctionLowering::initList(const clang::Expr *at, llvm::ArrayRef<clang::Expr *> inits,
                                const clang::FieldDecl *unionField, const clang::Expr *filler,
                                clang::QualType type, Value destination) {
  const mlir::Location where = loc(at);
  if (const clang::ConstantArrayType *array = unit.ast.getAsConstantArrayType(type)) {
    const clang::QualType element = array->getElementType();
    const std::int64_t stride = types.size(element);
    const std::int64_t count = array->getZExtSize(), given = inits.size();
    const bool zeroRest = !filler || llvm::isa<clang::ImplicitValueInitExpr>(filler);
    if (inits.size() == 1 && llvm::isa<clang::StringLiteral>(inits[0]->IgnoreParens()))
      return recordInto(inits[0], destination);
    if (given < count && zeroRest)
      ir::FillOp::create(builder, where, destination, stride * count);
    for (std::int64_t i = 0; i < given; ++i)
      if (!zeroRest || given == count || !llvm::isa<clang::ImplicitValueInitExpr>(inits[i]))
        initialise(inits[i], offset(where, destination, i * stride), element);
    if (given < count && !zeroRest)
      countedLoop(where, count - given, [&](Value index) {
        Value bytes =
            builder.createOrFold<mlir::arith::MulIOp>(where, index, integer64(where, stride));
        Value first = offset(where, destination, given * stride);
        initialise(filler, ir::OffsetOp::create(builder, where, types.pointer(), first, bytes),
                   element);
      });
    return;
  }
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record) { // a vector type
    const clang::VectorType *vector = type->getAs<clang::VectorType>();
    if (!vector) {
      unsupported(at, "initialiser of a complex number");
      return;
    }
    const std::int64_t stride = types.size(vector->getElementType());
    for (std::size_t i = 0; i < inits.size(); ++i)
      initialise(inits[i], offset(where, destination, i * stride), vector->getElementType());
    return;
  }
  if (record->isUnion()) {
    if (unionField && !inits.empty())
      initialise(inits[0], destination, unionField->getType());
    return;
  }
  const clang::ASTRecordLayout &layout = unit.ast.getASTRecordLayout(record);
  std::size_t next = 0;
  for (const clang::CXXBaseSpecifier &base : record->bases()) {
    const clang::CXXRecordDecl *decl = base.getType()->getAsCXXRecordDecl();
    if (next < inits.size())
      initialise(inits[next++],
                 offset(where, destination, layout.getBaseClassOffset(decl).getQuantity()),
                 base.getType());
  }
  for (const clang::FieldDecl *field : record->fields()) {
    if (field->isUnnamedBitField() || next >= inits.size())
      continue;
    const clang::Expr *init = inits[next++];
    if (field->isBitField()) {
      writePlace(loc(init), fieldPlace(where, destination, field, field->getType()), scalar(init));
      continue;
    }
    initialise(init, offset(where, destination, unit.ast.getFieldOffset(field) / 8),
               field->getType());
  }
}

void FunctionLowering::construct(const clang::CXXConstructExpr *expr, Value destination) {
  const mlir::Location at = loc(expr);
  const clang::CXXConstructorDecl *constructor = expr->getConstructor();
  const clang::QualType type = expr->getType();
  if (isTile(constructor->getParent()))
    return;
  if (expr->requiresZeroInitialization())
    ir::FillOp::create(builder, at, destination, types.size(type));
  if (constructor->isTrivial()) {
    if (constructor->isCopyOrMoveConstructor())
      copyBytes(at, destination, address(expr->getArg(0)), type);
    return;
  }
  const llvm::ArrayRef<const clang::Expr *> arguments(expr->getArgs(), expr->getNumArgs());
  const clang::ConstantArrayType *array = unit.ast.getAsConstantArrayType(type);
  if (!array) {
    emitCall(expr, constructor, {}, destination, arguments);
    return;
  }
  const std::int64_t count = unit.ast.getConstantArrayElementCount(array);
  const std::int64_t stride = types.size(unit.ast.getBaseElementType(type));
  countedLoop(at, count, [&](Value index) {
    Value bytes = builder.createOrFold<mlir::arith::MulIOp>(at, index, integer64(at, stride));
    emitCall(expr, constructor, {},
             ir::OffsetOp::create(builder, at, types.pointer(), destination, bytes), arguments);
  });
}

/// The implicit copy of an array member or of a captured array.
void FunctionLowering::copyArray(const clang::ArrayInitLoopExpr *expr, Value destination) {
  const mlir::Location at = loc(expr);
  const clang::OpaqueValueExpr *common = expr->getCommonExpr();
  Value source = address(common->getSourceExpr());
  if (unit.ast.getBaseElementType(expr->getType()).isTriviallyCopyableType(unit.ast))
    return copyBytes(at, destination, source, expr->getType());
  const clang::ConstantArrayType *array = unit.ast.getAsConstantArrayType(expr->getType());
  const clang::QualType element = array->getElementType();
  boundAddresses[common] = source;
  countedLoop(at, array->getZExtSize(), [&](Value index) {
    arrayIndices.push_back(index);
    Value bytes =
        builder.createOrFold<mlir::arith::MulIOp>(at, index, integer64(at, types.size(element)));
    initialise(expr->getSubExpr(),
               ir::OffsetOp::create(builder, at, types.pointer(), destination, bytes), element);
    arrayIndices.pop_back();
  });
}

void FunctionLowering::lambda(const clang::LambdaExpr *expr, Value destination) {
  auto field = expr->getLambdaClass()->field_begin();
  for (const clang::Expr *init : expr->capture_inits()) {
    if (init)
      initialise(init, offset(loc(init), destination, unit.ast.getFieldOffset(*field) / 8),
                 field->getType());
    ++field;
  }
}

} // namespace warpdrf::frontend
