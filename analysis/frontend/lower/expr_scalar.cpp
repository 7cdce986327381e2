// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar expressions: the dispatch, constants, loads, `?:` and effects.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

/// The variable at the bottom of `a.b[i].c`, if any.
static const clang::VarDecl *rootVariable(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreParenCasts();
    if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr)) {
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
        return variable;
      expr = member->getBase();
    } else if (const auto *subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(expr)) {
      expr = subscript->getBase();
    } else if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      return llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    } else {
      return nullptr;
    }
  }
}

/// Constants that only Clang's evaluator finds; what is made of constants by arithmetic, `arith`
/// folds itself.
static bool mayBeConstant(const clang::Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::TypeTraitExpr, clang::SizeOfPackExpr,
                clang::ConceptSpecializationExpr, clang::RequiresExpr, clang::CXXNoexceptExpr,
                clang::ConstantExpr, clang::OffsetOfExpr, clang::ArrayTypeTraitExpr,
                clang::ExpressionTraitExpr>(expr))
    return true;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    return callee && (callee->isConstexpr() || callee->getBuiltinID());
  }
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr);
      reference && llvm::isa<clang::EnumConstantDecl>(reference->getDecl()))
    return true;
  if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr);
      member && llvm::isa<clang::EnumConstantDecl>(member->getMemberDecl()))
    return true;
  const clang::VarDecl *root = rootVariable(expr);
  return root && root->getName() != "warpSize" &&
         (root->isConstexpr() || root->getType().isConstQualified() ||
          root->getType()->isReferenceType());
}

/// `tile.width` of a static constant, which is none to Clang's evaluator where `tile` is not known.
static const clang::APValue *staticMember(const clang::Expr *expr, const clang::ASTContext &ast) {
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr->IgnoreParenImpCasts());
  const auto *variable = member ? llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()) : nullptr;
  if (!variable || member->getBase()->HasSideEffects(ast) ||
      !ast.hasSameUnqualifiedType(variable->getType(), expr->getType()))
    return nullptr;
  return variable->mightBeUsableInConstantExpressions(ast) ? variable->evaluateValue() : nullptr;
}

std::optional<clang::APValue> FunctionLowering::constantOf(const clang::Expr *expr) {
  if (expr->isValueDependent() || expr->getType()->isPointerType() || !mayBeConstant(expr))
    return std::nullopt;
  if (const clang::APValue *value = staticMember(expr, unit.ast);
      value && (value->isInt() || value->isFloat()))
    return *value;
  clang::Expr::EvalResult result;
  if (!expr->EvaluateAsRValue(result, unit.ast) || result.HasSideEffects ||
      !(result.Val.isInt() || result.Val.isFloat()))
    return std::nullopt;
  return result.Val;
}

std::optional<bool> FunctionLowering::constantCondition(const clang::Expr *expr) {
  bool value = false;
  if (expr->isValueDependent())
    return std::nullopt;
  // Cheap where it matters: the evaluator stops at the first thing that is not constant.
  if (const clang::VarDecl *root = rootVariable(expr); root && root->getName() == "warpSize")
    return std::nullopt;
  if (!expr->HasSideEffects(unit.ast) && expr->EvaluateAsBooleanCondition(value, unit.ast))
    return value;
  return std::nullopt;
}

mlir::Value FunctionLowering::constantValue(mlir::Location loc, const clang::APValue &value,
                                            clang::QualType type) {
  mlir::Type target = types.scalar(type);
  if (value.isFloat()) {
    llvm::APFloat number = value.getFloat();
    bool losesInfo = false;
    number.convert(llvm::cast<mlir::FloatType>(target).getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return mlir::arith::ConstantOp::create(builder, loc, builder.getFloatAttr(target, number));
  }
  const llvm::APInt bits = value.getInt().extOrTrunc(target.getIntOrFloatBitWidth());
  return mlir::arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(target, bits));
}

mlir::Value FunctionLowering::scalar(const clang::Expr *expr) {
  if (expr->isGLValue())
    return load(expr);
  mlir::Type type = types.scalar(expr->getType());
  if (type && llvm::isa<mlir::IntegerType, mlir::FloatType>(type))
    if (std::optional<clang::APValue> value = constantOf(expr))
      return constantValue(loc(expr), *value, expr->getType());
  Value value = scalarUnfolded(expr);
  if (!value || value.getType() == type)
    return value;
  // Cannot happen for code that Clang accepts; said rather than crashed on.
  return unsupported(expr, "expression of an unexpected type", type);
}

mlir::Value FunctionLowering::scalarUnfolded(const clang::Expr *expr) {
  const mlir::Location at = loc(expr);
  mlir::Type type = types.scalar(expr->getType());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
    return this->cast(cast);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr))
    return this->call(call, {});
  switch (expr->getStmtClass()) {
  case clang::Stmt::ParenExprClass:
    return scalar(llvm::cast<clang::ParenExpr>(expr)->getSubExpr());
  case clang::Stmt::ConstantExprClass:
    return scalar(llvm::cast<clang::ConstantExpr>(expr)->getSubExpr());
  case clang::Stmt::ExprWithCleanupsClass:
    return scalar(llvm::cast<clang::ExprWithCleanups>(expr)->getSubExpr());
  case clang::Stmt::SubstNonTypeTemplateParmExprClass:
    return scalar(llvm::cast<clang::SubstNonTypeTemplateParmExpr>(expr)->getReplacement());
  case clang::Stmt::CXXDefaultArgExprClass:
    return scalar(llvm::cast<clang::CXXDefaultArgExpr>(expr)->getExpr());
  case clang::Stmt::CXXDefaultInitExprClass:
    return scalar(llvm::cast<clang::CXXDefaultInitExpr>(expr)->getExpr());
  case clang::Stmt::GenericSelectionExprClass:
    return scalar(llvm::cast<clang::GenericSelectionExpr>(expr)->getResultExpr());
  case clang::Stmt::MaterializeTemporaryExprClass:
    return scalar(llvm::cast<clang::MaterializeTemporaryExpr>(expr)->getSubExpr());
  case clang::Stmt::PseudoObjectExprClass:
    return scalar(pseudoResult(llvm::cast<clang::PseudoObjectExpr>(expr)));
  case clang::Stmt::OpaqueValueExprClass:
    return scalar(llvm::cast<clang::OpaqueValueExpr>(expr)->getSourceExpr());
  case clang::Stmt::IntegerLiteralClass:
    return constantValue(
        at, clang::APValue(llvm::APSInt(llvm::cast<clang::IntegerLiteral>(expr)->getValue())),
        expr->getType());
  case clang::Stmt::CharacterLiteralClass:
    return integer(at, type, llvm::cast<clang::CharacterLiteral>(expr)->getValue());
  case clang::Stmt::CXXBoolLiteralExprClass:
    return boolean(at, llvm::cast<clang::CXXBoolLiteralExpr>(expr)->getValue());
  case clang::Stmt::FloatingLiteralClass:
    return constantValue(at, clang::APValue(llvm::cast<clang::FloatingLiteral>(expr)->getValue()),
                         expr->getType());
  case clang::Stmt::CXXNullPtrLiteralExprClass:
  case clang::Stmt::GNUNullExprClass:
  case clang::Stmt::ImplicitValueInitExprClass:
  case clang::Stmt::CXXScalarValueInitExprClass:
    return zero(at, type);
  case clang::Stmt::InitListExprClass: {
    const auto *list = llvm::cast<clang::InitListExpr>(expr);
    return list->getNumInits() ? scalar(list->getInit(0)) : zero(at, type);
  }
  case clang::Stmt::CXXThisExprClass:
    if (!thisCapture)
      return thisPointer;
    if (const Place captured = capturePlace(nullptr, expr); thisCapture->getType()->isPointerType())
      return readPlace(at, captured);
    else
      return captured.address;
  case clang::Stmt::UnaryOperatorClass:
    return unary(llvm::cast<clang::UnaryOperator>(expr));
  case clang::Stmt::BinaryOperatorClass:
    return binary(llvm::cast<clang::BinaryOperator>(expr));
  case clang::Stmt::CompoundAssignOperatorClass:
    return load(expr);
  case clang::Stmt::ConditionalOperatorClass: {
    const auto *choice = llvm::cast<clang::ConditionalOperator>(expr);
    return conditional(
        expr, choice->getCond(), type, [&] { return scalar(choice->getTrueExpr()); },
        [&] { return scalar(choice->getFalseExpr()); },
        isSpeculatable(choice->getTrueExpr()) && isSpeculatable(choice->getFalseExpr()));
  }
  case clang::Stmt::StmtExprClass: {
    const auto *body = llvm::cast<clang::StmtExpr>(expr)->getSubStmt();
    for (const clang::Stmt *child : body->body()) {
      const auto *last = llvm::dyn_cast<clang::Expr>(child);
      if (child == body->body_back() && last && type)
        return scalar(last);
      statement(child);
    }
    return type ? unsupported(expr, "statement expression", type) : Value();
  }
  case clang::Stmt::MemberExprClass: // an enumerator of the object's class
    if (const auto *enumerator = llvm::dyn_cast<clang::EnumConstantDecl>(
            llvm::cast<clang::MemberExpr>(expr)->getMemberDecl())) {
      effects(llvm::cast<clang::MemberExpr>(expr)->getBase());
      return integer(loc(expr), type, enumerator->getInitVal().getExtValue());
    }
    return unsupported(expr, "expression MemberExpr", type);
  case clang::Stmt::CXXNewExprClass:
    return newObject(llvm::cast<clang::CXXNewExpr>(expr));
  case clang::Stmt::CXXDeleteExprClass:
    deleteObject(llvm::cast<clang::CXXDeleteExpr>(expr));
    return {};
  case clang::Stmt::ArrayInitIndexExprClass:
    return arrayIndices.back();
  default:
    return unsupported(expr, std::string("expression ") + expr->getStmtClassName(), type);
  }
}

/// `threadIdx.x` is a pseudo-object whose result is the getter's call; its operands are bound to
/// opaque values, which name their source themselves.
const clang::Expr *FunctionLowering::pseudoResult(const clang::PseudoObjectExpr *expr) {
  return expr->getResultExpr() ? expr->getResultExpr() : expr->getSyntacticForm();
}

mlir::Value FunctionLowering::load(const clang::Expr *glvalue) {
  const clang::Expr *expr = glvalue->IgnoreParens();
  mlir::Type type = types.scalar(expr->getType());
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr))
    return conditional(
        expr, choice->getCond(), type, [&] { return load(choice->getTrueExpr()); },
        [&] { return load(choice->getFalseExpr()); },
        isSpeculatable(choice->getTrueExpr()) && isSpeculatable(choice->getFalseExpr()));
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expr))
    return scalar(pseudoResult(pseudo));
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr);
      call && call->getDirectCallee() && isStandardMinMax(call->getDirectCallee()) && type &&
      !llvm::isa<ir::PtrType>(type))
    return standardMinMax(call);
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr);
      reference && reference->getDecl()->getName() == "warpSize" &&
      unit.isLibrary(reference->getDecl()))
    return ir::SpecialOp::create(builder, loc(expr), types.integer(32), ir::SpecialValue::WarpSize);
  if (type && llvm::isa<mlir::IntegerType, mlir::FloatType>(type))
    if (std::optional<clang::APValue> value = constantOf(expr))
      return constantValue(loc(expr), *value, expr->getType());
  return readPlace(loc(expr), place(expr));
}

/// `type` is null for `void`. With `speculate` both sides are evaluated, which their purity allows.
mlir::Value FunctionLowering::conditional(const clang::Expr *at, const clang::Expr *condition,
                                          mlir::Type type, llvm::function_ref<Value()> whenTrue,
                                          llvm::function_ref<Value()> whenFalse, bool speculate) {
  if (std::optional<bool> known = constantCondition(condition))
    return *known ? whenTrue() : whenFalse();
  const mlir::Location where = loc(at);
  Value test = scalar(condition);
  if (type && speculate) {
    Value a = whenTrue(), b = whenFalse();
    return builder.createOrFold<mlir::arith::SelectOp>(where, test, a, b);
  }
  Value result = type ? slot(where, "choice", type) : Value();
  const auto side = [&](llvm::function_ref<Value()> value) {
    if (Value chosen = value(); type && chosen)
      ir::SetOp::create(builder, where, result, chosen);
  };
  emitIf(loc(condition), test, [&] { side(whenTrue); }, [&] { side(whenFalse); });
  return type ? Value(ir::GetOp::create(builder, where, type, result)) : Value();
}

/// Evaluating it early, or for nothing, changes nothing: no access, no call, no division.
bool FunctionLowering::isSpeculatable(const clang::Expr *expr) {
  if (constantOf(expr))
    return true;
  const auto children = [&] {
    return llvm::all_of(expr->children(), [&](const clang::Stmt *child) {
      return isSpeculatable(llvm::cast<clang::Expr>(child));
    });
  };
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    const auto known = variables.find(reference->getDecl());
    return known != variables.end() && (known->second.value || known->second.slot);
  }
  if (const auto *pseudo = llvm::dyn_cast<clang::PseudoObjectExpr>(expr)) {
    const auto *call = llvm::dyn_cast_or_null<clang::CallExpr>(pseudo->getResultExpr());
    return call && call->getDirectCallee() &&
           call->getDirectCallee()->getDeclName().isIdentifier() &&
           call->getDirectCallee()->getName().starts_with("__fetch_builtin_");
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    const bool divides =
        binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_Rem;
    clang::Expr::EvalResult divisor;
    if (divides && !binary->getRHS()->EvaluateAsInt(divisor, unit.ast))
      return false;
    return !binary->isAssignmentOp() && binary->getOpcode() != clang::BO_Comma && children();
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expr))
    return !unary->isIncrementDecrementOp() && unary->getOpcode() != clang::UO_Deref &&
           unary->getOpcode() != clang::UO_AddrOf && children();
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
    return cast->getCastKind() != clang::CK_UserDefinedConversion &&
           cast->getCastKind() != clang::CK_LValueToRValueBitCast && children();
  if (llvm::isa<clang::ParenExpr, clang::ConditionalOperator, clang::SubstNonTypeTemplateParmExpr,
                clang::ConstantExpr>(expr))
    return children();
  return llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CXXBoolLiteralExpr,
                   clang::CharacterLiteral, clang::CXXNullPtrLiteralExpr>(expr);
}

void FunctionLowering::effects(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *cleanups = llvm::dyn_cast<clang::ExprWithCleanups>(expr))
    return effects(cleanups->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && (cast->getCastKind() == clang::CK_ToVoid || cast->getCastKind() == clang::CK_NoOp))
    return effects(cast->getSubExpr());
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    const auto side = [&](const clang::Expr *arm) { return effects(arm), Value(); };
    conditional(
        expr, choice->getCond(), {}, [&] { return side(choice->getTrueExpr()); },
        [&] { return side(choice->getFalseExpr()); }, false);
    return;
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
    if (binary->getOpcode() == clang::BO_Comma) {
      effects(binary->getLHS());
      return effects(binary->getRHS());
    }
    if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(binary))
      return compoundAssign(compound);
    if (binary->isAssignmentOp())
      return assign(binary);
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expr)) {
    const bool record =
        !call->isGLValue() && !call->getType()->isVoidType() && !types.isScalar(call->getType());
    this->call(call, record ? temporary(call, call->getType()) : Value());
    return;
  }
  if (expr->isGLValue()) {
    if (!llvm::isa<clang::DeclRefExpr>(expr)) // `(void)x` does nothing
      place(expr);
    return;
  }
  if (types.isScalar(expr->getType()))
    scalar(expr);
  else if (!expr->getType()->isVoidType())
    address(expr);
  else
    scalarUnfolded(expr);
}

} // namespace warpdrf::frontend
