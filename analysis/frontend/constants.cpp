// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/constants.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {
namespace {

constexpr unsigned MaxDepth = 32; ///< of initialisers and helpers that refer to each other

/// The variable that a place is, or is part of: `v`, `v.x`, `(v).x`. Null for any other place.
const clang::DeclRefExpr *base(const clang::Expr *place) {
  for (;;) {
    place = place->IgnoreParens();
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(place);
        cast && cast->getCastKind() == clang::CK_NoOp)
      place = cast->getSubExpr();
    else if (const auto *member = llvm::dyn_cast<clang::MemberExpr>(place);
             member && !member->isArrow())
      place = member->getBase();
    else
      return llvm::dyn_cast<clang::DeclRefExpr>(place);
  }
}

/// Finds the variables that a body may change: those with a use that is neither a load nor bound to
/// something const.
class ChangeFinder : public clang::RecursiveASTVisitor<ChangeFinder> {
public:
  explicit ChangeFinder(llvm::DenseSet<const clang::VarDecl *> &changed) : changed(changed) {}

  bool VisitCastExpr(clang::CastExpr *cast) {
    bool load = cast->getCastKind() == clang::CK_LValueToRValue;
    bool toConst = cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified();
    if (load || toConst)
      if (const clang::DeclRefExpr *variable = base(cast->getSubExpr()))
        harmless.insert(variable);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *use) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    // Parents come before their children, so a load has been seen by now.
    if (variable && !variable->getType().isConstQualified() && !harmless.contains(use))
      changed.insert(variable);
    return true;
  }

  /// What a lambda does with a captured variable shows in its body, under the variable's own name.
  bool TraverseLambdaCapture(clang::LambdaExpr *lambda, const clang::LambdaCapture *capture,
                             clang::Expr *init) {
    if (!lambda->isInitCapture(capture))
      return true;
    return RecursiveASTVisitor::TraverseLambdaCapture(lambda, capture, init);
  }

  bool shouldVisitImplicitCode() const { return true; }

private:
  llvm::DenseSet<const clang::VarDecl *> &changed;
  llvm::DenseSet<const clang::DeclRefExpr *> harmless;
};

/// The expression a function returns, if that is all it does.
const clang::Expr *onlyReturn(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = nullptr;
  if (!function || !function->hasBody(definition))
    return nullptr;
  const auto *body = llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody());
  if (!body || body->size() != 1)
    return nullptr;
  const auto *result = llvm::dyn_cast<clang::ReturnStmt>(body->body_front());
  return result ? result->getRetValue() : nullptr;
}

const clang::FunctionDecl *definitionOf(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = nullptr;
  return function->hasBody(definition) ? definition : function;
}

} // namespace

HostConstants::HostConstants(clang::ASTContext &ast, const clang::Stmt *body) : ast(ast) {
  ChangeFinder(changed).TraverseStmt(const_cast<clang::Stmt *>(body));
}

const clang::Expr *HostConstants::initializer(const clang::ValueDecl *declaration) const {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
  bool usable = variable && variable->isLocalVarDecl() && !variable->isStaticLocal() &&
                !variable->getType()->isReferenceType() && !changed.contains(variable);
  return usable ? variable->getInit() : nullptr;
}

std::optional<std::int64_t> HostConstants::integer(const clang::Expr *expression) {
  Value value = evaluate(expression);
  if (!value)
    return std::nullopt;
  return value->tryExtValue();
}

HostConstants::Value HostConstants::convert(llvm::APSInt value, const clang::Expr *as) const {
  clang::QualType type = as->getType();
  if (!type->isIntegralOrEnumerationType())
    return std::nullopt;
  if (type->isBooleanType())
    value = llvm::APSInt(llvm::APInt(1, value != 0), /*isUnsigned=*/true);
  value = value.extOrTrunc(ast.getIntWidth(type));
  value.setIsSigned(type->isSignedIntegerOrEnumerationType());
  return value;
}

HostConstants::Value HostConstants::evaluate(const clang::Expr *expression) {
  if (depth > MaxDepth || expression->isInstantiationDependent() || expression->containsErrors() ||
      !expression->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  clang::Expr::EvalResult result;
  if (expression->EvaluateAsInt(result, ast))
    return result.Val.getInt();
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  expression = expression->IgnoreParens();
  if (const auto *cleanups = llvm::dyn_cast<clang::FullExpr>(expression))
    return evaluate(cleanups->getSubExpr());
  if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
    return evaluate(argument->getExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return evaluate(temporary->getSubExpr());
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(expression))
    return list->getNumInits() == 1 ? evaluate(list->getInit(0)) : std::nullopt;
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return evaluateCast(*cast);
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression))
    return evaluateBinary(*binary);
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return evaluateUnary(*unary);
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression))
    return evaluateCall(*call);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    Value condition = evaluate(choice->getCond());
    return condition ? evaluate(*condition != 0 ? choice->getTrueExpr() : choice->getFalseExpr())
                     : std::nullopt;
  }
  return expression->isGLValue() ? read(expression) : std::nullopt;
}

HostConstants::Value HostConstants::evaluateCast(const clang::CastExpr &cast) {
  Value value = evaluate(cast.getSubExpr());
  return value ? convert(*value, &cast) : std::nullopt;
}

/// The value a place holds: a local variable's, a parameter's, a component of a dim3.
HostConstants::Value HostConstants::read(const clang::Expr *place) {
  const clang::DeclRefExpr *variable = base(place);
  if (!variable)
    return std::nullopt;
  const auto *declaration = llvm::dyn_cast<clang::VarDecl>(variable->getDecl());
  const auto *member = llvm::dyn_cast<clang::MemberExpr>(place->IgnoreParens());
  if (!member) {
    if (auto known = parameters.find(declaration); known != parameters.end())
      return known->second;
    const clang::Expr *init = initializer(variable->getDecl());
    Value value = init ? evaluate(init) : std::nullopt;
    return value ? convert(*value, place) : std::nullopt;
  }
  llvm::StringRef name = member->getMemberDecl()->getName();
  if (name.size() != 1 || name < "x" || name > "z" || base(member->getBase()) != variable)
    return std::nullopt;
  std::optional<std::int64_t> component = dims(variable)[name[0] - 'x'];
  return component ? convert(llvm::APSInt::get(*component), place) : std::nullopt;
}

HostConstants::Value HostConstants::evaluateBinary(const clang::BinaryOperator &binary) {
  Value left = evaluate(binary.getLHS());
  if (left && binary.getOpcode() == clang::BO_LAnd && *left == 0)
    return convert(llvm::APSInt::get(0), &binary);
  if (left && binary.getOpcode() == clang::BO_LOr && *left != 0)
    return convert(llvm::APSInt::get(1), &binary);
  Value right = evaluate(binary.getRHS());
  if (!left || !right)
    return std::nullopt;
  bool shift = binary.isShiftOp();
  if (!shift &&
      (left->getBitWidth() != right->getBitWidth() || left->isSigned() != right->isSigned()))
    return std::nullopt; // && and || of unlike types; the others have been converted
  if (shift && (right->isNegative() || right->getLimitedValue() >= left->getBitWidth()))
    return std::nullopt;
  auto truth = [&](bool value) { return convert(llvm::APSInt::get(value), &binary); };
  switch (binary.getOpcode()) {
  case clang::BO_Add:
    return *left + *right;
  case clang::BO_Sub:
    return *left - *right;
  case clang::BO_Mul:
    return *left * *right;
  case clang::BO_Div:
    return *right == 0 ? Value() : *left / *right;
  case clang::BO_Rem:
    return *right == 0 ? Value() : *left % *right;
  case clang::BO_And:
    return *left & *right;
  case clang::BO_Or:
    return *left | *right;
  case clang::BO_Xor:
    return *left ^ *right;
  case clang::BO_Shl:
    return *left << static_cast<unsigned>(right->getZExtValue());
  case clang::BO_Shr:
    return *left >> static_cast<unsigned>(right->getZExtValue());
  case clang::BO_LT:
    return truth(*left < *right);
  case clang::BO_GT:
    return truth(*left > *right);
  case clang::BO_LE:
    return truth(*left <= *right);
  case clang::BO_GE:
    return truth(*left >= *right);
  case clang::BO_EQ:
    return truth(*left == *right);
  case clang::BO_NE:
    return truth(*left != *right);
  case clang::BO_LAnd:
  case clang::BO_LOr:
    return truth(*right != 0);
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
    return convert(llvm::APSInt::get(*value == 0), &unary);
  default:
    return std::nullopt;
  }
}

/// std::min and kin, and functions that only return an expression of their parameters.
HostConstants::Value HostConstants::evaluateCall(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  std::vector<llvm::APSInt> arguments;
  for (const clang::Expr *argument : call.arguments()) {
    Value value = evaluate(argument);
    if (!value)
      return std::nullopt;
    arguments.push_back(*value);
  }
  llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
  bool extremum = name == "min" || name == "max";
  if (extremum && arguments.size() == 2 &&
      arguments[0].getBitWidth() == arguments[1].getBitWidth() &&
      arguments[0].isSigned() == arguments[1].isSigned())
    return (arguments[0] < arguments[1]) == (name == "min") ? arguments[0] : arguments[1];
  const clang::Expr *result = onlyReturn(callee);
  const clang::FunctionDecl *definition = definitionOf(callee);
  if (!result || definition->getNumParams() != arguments.size())
    return std::nullopt;
  auto outer = parameters; // a helper may call itself
  for (std::size_t i = 0; i < arguments.size(); ++i)
    parameters.insert_or_assign(definition->getParamDecl(i), arguments[i]);
  Value value = evaluate(result);
  parameters = std::move(outer);
  return value;
}

HostConstants::Dims HostConstants::dims(const clang::Expr *expression) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (depth > MaxDepth || expression->isInstantiationDependent() || expression->containsErrors())
    return {};
  expression = expression->IgnoreParens();
  if (const auto *cleanups = llvm::dyn_cast<clang::FullExpr>(expression))
    return dims(cleanups->getSubExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
    return dims(temporary->getSubExpr());
  if (const auto *temporary = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
    return dims(temporary->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression))
    return dims(cast->getSubExpr());
  if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expression))
    return construct(*construction);
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expression)) {
    Value condition = evaluate(choice->getCond());
    return condition ? dims(*condition != 0 ? choice->getTrueExpr() : choice->getFalseExpr())
                     : Dims();
  }
  if (const auto *variable = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto *declaration = llvm::dyn_cast<clang::VarDecl>(variable->getDecl());
    if (!declaration)
      return {};
    if (const clang::Expr *init = initializer(declaration))
      return dims(init);
    // A constant at namespace scope or a static one keeps its initialiser too.
    bool constant = declaration->getType().isConstQualified() && declaration->hasInit();
    return constant ? dims(declaration->getInit()) : Dims();
  }
  return {};
}

HostConstants::Dims HostConstants::construct(const clang::CXXConstructExpr &construction) {
  const clang::CXXConstructorDecl *constructor = construction.getConstructor();
  if (constructor->isCopyOrMoveConstructor())
    return dims(construction.getArg(0));
  Dims result;
  if (constructor->getParent()->getName() != "dim3" || constructor->getNumParams() != 3)
    return result;
  for (unsigned i = 0; i < 3; ++i)
    result[i] = integer(construction.getArg(i));
  return result;
}

} // namespace warpdrf::frontend
