// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls. Functions known by name come first (builtins.cpp), then library functions that are pure
// (library.cpp); what is left has a body to lower or is unsupported.
#include "analysis/frontend/lower/function.h"

#include "clang/AST/CXXInheritance.h"

namespace warpdrf::frontend {

/// Also through a constant function pointer, such as a template argument.
static const clang::FunctionDecl *calleeOf(const clang::CallExpr *expr,
                                           const clang::ASTContext &ast) {
  if (const clang::FunctionDecl *callee = expr->getDirectCallee())
    return callee;
  clang::Expr::EvalResult value;
  const clang::Expr *callee = expr->getCallee();
  if (callee->isValueDependent() ||
      llvm::isa<clang::CXXPseudoDestructorExpr>(callee->IgnoreParens()))
    return nullptr;
  if (callee->EvaluateAsRValue(value, ast) && value.Val.isLValue())
    if (const auto *decl = value.Val.getLValueBase().dyn_cast<const clang::ValueDecl *>())
      return llvm::dyn_cast<clang::FunctionDecl>(decl);
  return nullptr;
}

/// The address of the object a member is called on; takes it from the front of an operator's
/// arguments.
mlir::Value FunctionLowering::callObject(const clang::CallExpr *expr,
                                         llvm::ArrayRef<const clang::Expr *> &arguments) {
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr)) {
    const clang::Expr *object = member->getImplicitObjectArgument();
    return object->getType()->isPointerType() && object->isPRValue() ? scalar(object)
                                                                     : address(object);
  }
  const clang::Expr *object = arguments.front();
  arguments = arguments.drop_front();
  return address(object);
}

static bool isVirtualCall(const clang::CallExpr *expr, const clang::CXXMethodDecl *method) {
  if (!method->isVirtual())
    return false;
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(expr->getCallee()->IgnoreParens());
  return !(member && member->hasQualifier()) && !method->hasAttr<clang::FinalAttr>();
}

/// The object a method is called on; of a virtual one also which method it is, when there is only
/// one. Null if there are several.
mlir::Value FunctionLowering::virtualObject(const clang::CallExpr *expr,
                                            const clang::CXXMethodDecl *&method,
                                            llvm::ArrayRef<const clang::Expr *> &arguments) {
  if (!isVirtualCall(expr, method))
    return callObject(expr, arguments);
  const std::vector<const clang::CXXMethodDecl *> targets = unit.targets().ofVirtual(method);
  if (targets.size() != 1)
    return {};
  clang::CXXBasePaths paths;
  std::int64_t bytes = 0;
  const clang::CXXRecordDecl *record = targets[0]->getParent();
  if (record->isDerivedFrom(method->getParent(), paths)) {
    if (paths.isAmbiguous(unit.ast.getCanonicalTagType(method->getParent())) ||
        paths.getDetectedVirtual())
      return {};
    for (const clang::CXXBasePathElement &step : paths.front())
      bytes += unit.ast.getASTRecordLayout(step.Class)
                   .getBaseClassOffset(step.Base->getType()->getAsCXXRecordDecl())
                   .getQuantity();
  }
  method = targets[0];
  return offset(loc(expr), callObject(expr, arguments), -bytes);
}

/// A call through a pointer: any of the functions that it may point to. Of a pointer that is not in
/// memory, no thread knows which one another calls.
mlir::Value FunctionLowering::indirectCall(const clang::CallExpr *expr, Value destination) {
  const mlir::Type type =
      expr->isGLValue() ? mlir::Type(types.pointer()) : types.scalar(expr->getType());
  const clang::QualType pointer = expr->getCallee()->getType();
  std::vector<const clang::FunctionDecl *> targets;
  if (pointer->isFunctionPointerType())
    targets = unit.targets().ofPointers(pointer->getPointeeType());
  if (targets.empty())
    return unsupported(expr, "call through a function pointer", type);
  const mlir::Location at = loc(expr);
  const clang::Expr *pointed = expr->getCallee()->IgnoreParenImpCasts();
  for (;;) {
    const auto *star = llvm::dyn_cast<clang::UnaryOperator>(pointed);
    if (!star || star->getOpcode() != clang::UO_Deref)
      break;
    pointed = star->getSubExpr()->IgnoreParenImpCasts();
  }
  Value entry; // what stands in memory, the same for all who read the same
  if (Place held = pointed->isGLValue() ? place(pointed) : Place(); held.address)
    entry = ir::ReadOp::create(builder, at, types.integer(64), held.address);
  else
    effects(expr->getCallee());
  if (!type && !destination && !expr->getType()->isVoidType())
    destination = temporary(expr, expr->getType());
  const llvm::ArrayRef<const clang::Expr *> arguments(expr->getArgs(), expr->getNumArgs());
  Value result = type ? slot(at, "result", type) : Value();
  const auto alternatives = [&](auto &self, std::size_t which) -> void {
    const auto take = [&] {
      Value value = emitCall(expr, targets[which], destination, {}, arguments);
      if (value)
        ir::SetOp::create(builder, at, result, value);
    };
    if (which + 1 == targets.size())
      return take();
    Value chosen =
        entry ? Value(ir::ApplyOp::create(builder, at, types.integer(1),
                                          "calls " + qualifiedName(targets[which]), entry))
              : ir::UnknownOp::create(builder, at, types.integer(1), "which function is called");
    emitIf(at, chosen, take, [&] { self(self, which + 1); });
  };
  alternatives(alternatives, 0);
  return type ? Value(ir::GetOp::create(builder, at, type, result)) : Value();
}

mlir::Value FunctionLowering::call(const clang::CallExpr *expr, Value destination) {
  const mlir::Type type =
      expr->isGLValue() ? mlir::Type(types.pointer()) : types.scalar(expr->getType());
  const clang::FunctionDecl *callee = calleeOf(expr, unit.ast);
  if (!callee) {
    if (llvm::isa<clang::CXXPseudoDestructorExpr>(expr->getCallee()->IgnoreParens()))
      return {};
    return indirectCall(expr, destination);
  }
  if (const auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(expr)) {
    launchFromDevice(launch);
    return {};
  }
  if (!type && !destination && !expr->getType()->isVoidType())
    destination = temporary(expr, expr->getType());
  Value result;
  if (builtin(expr, callee, destination, result))
    return result;
  llvm::ArrayRef<const clang::Expr *> arguments(expr->getArgs(), expr->getNumArgs());
  Value object;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (method && llvm::isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(expr)) {
    object = virtualObject(expr, method, arguments);
    if (!object)
      return unsupported(expr, "virtual call of " + qualifiedName(callee), type);
    callee = method;
    if (method->isTrivial() &&
        (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator())) {
      copyBytes(loc(expr), object, address(arguments[0]), expr->getType());
      return object;
    }
    if (!hasThis(callee))
      object = {};
  }
  return emitCall(expr, callee, destination, object, arguments);
}

mlir::Value FunctionLowering::argument(const clang::Expr *expr, clang::QualType parameter) {
  if (parameter->isReferenceType())
    return address(expr);
  if (types.isScalar(parameter))
    return scalar(expr);
  Value copy = temporary(expr, parameter);
  initialise(expr, copy, parameter);
  return copy;
}

mlir::Value FunctionLowering::emitCall(const clang::Expr *at, const clang::FunctionDecl *callee,
                                       Value destination, Value object,
                                       llvm::ArrayRef<const clang::Expr *> arguments) {
  const clang::QualType resultType = callee->getReturnType();
  const mlir::Type type = types.scalar(resultType);
  if (!object && isOpaqueLibrary(callee))
    return applyLibrary(at, callee, destination, arguments);
  const clang::FunctionDecl *definition = callee->getDefinition();
  if (!unit.hasIntactBody(callee)) {
    if (callee->isNoReturn()) {
      assumeFalse(loc(at));
      return type ? ir::UnknownOp::create(builder, loc(at), type,
                                          "after " + callee->getNameAsString())
                  : Value();
    }
    return unsupported(at,
                       "call of " + qualifiedName(callee) +
                           (definition ? ", whose body has errors" : ", whose body is not visible"),
                       type);
  }
  llvm::SmallVector<Value> values;
  if (!type && !resultType->isVoidType())
    values.push_back(destination);
  if (hasThis(callee))
    values.push_back(object);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (i < callee->getNumParams())
      values.push_back(argument(arguments[i], callee->getParamDecl(i)->getType()));
    else
      effects(arguments[i]);
  }
  llvm::SmallVector<mlir::Type, 1> results;
  if (type)
    results.push_back(type);
  auto op = ir::CallOp::create(builder, loc(at), results, unit.symbolOf(definition), values);
  return type ? op.getResult(0) : Value();
}

} // namespace warpdrf::frontend
