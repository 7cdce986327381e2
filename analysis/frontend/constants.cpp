// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/constants.h"

#include "analysis/frontend/call_sites.h"
#include "analysis/frontend/host_interpreter.h"
#include "analysis/frontend/syntax.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {
namespace {

/// `f`, `&f` and kin, or null.
const clang::FunctionDecl *named(const clang::Expr *expression) {
  expression = expression->IgnoreParenCasts();
  if (const auto *address = llvm::dyn_cast<clang::UnaryOperator>(expression);
      address && address->getOpcode() == clang::UO_AddrOf)
    expression = address->getSubExpr()->IgnoreParenCasts();
  const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return use ? llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()) : nullptr;
}

/// Collects the functions that are assigned to a variable.
class AssignedFunctions : public clang::RecursiveASTVisitor<AssignedFunctions> {
public:
  explicit AssignedFunctions(const clang::VarDecl *variable) : variable(variable) {
    if (variable->getInit())
      add(variable->getInit());
  }

  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    const auto *place = llvm::dyn_cast<clang::DeclRefExpr>(binary->getLHS()->IgnoreParens());
    if (binary->getOpcode() == clang::BO_Assign && place && place->getDecl() == variable)
      add(binary->getRHS());
    return true;
  }

  std::vector<const clang::FunctionDecl *> found;

private:
  void add(const clang::Expr *value) {
    value = value->IgnoreParenCasts();
    if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(value)) {
      add(choice->getTrueExpr());
      add(choice->getFalseExpr());
    } else if (const clang::FunctionDecl *function = named(value);
               function && !llvm::is_contained(found, function)) {
      found.push_back(function);
    }
  }

  const clang::VarDecl *variable;
};

/// Whether a variable that changes can be followed through the statements that assign it.
bool canTrack(const clang::VarDecl *variable) {
  clang::QualType type = variable->getType();
  return variable->isLocalVarDeclOrParm() && !variable->isStaticLocal() &&
         type->isIntegralOrEnumerationType() && !type.isVolatileQualified();
}

const clang::FunctionDecl *functionAround(const clang::DeclContext *context) {
  while (context && !llvm::isa<clang::FunctionDecl>(context))
    context = context->getParent();
  return llvm::cast_or_null<clang::FunctionDecl>(context);
}

const clang::FunctionDecl *functionAroundLambda(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method && clang::isLambdaCallOperator(method)
             ? functionAround(method->getParent()->getDeclContext())
             : nullptr;
}

/// The outermost lambda in a body that contains a use, or that `instance` is an instance of.
class LambdaSeeker : public clang::RecursiveASTVisitor<LambdaSeeker> {
public:
  LambdaSeeker(Syntax &syntax, const clang::Stmt *use, const clang::FunctionDecl *instance)
      : syntax(syntax), use(use), instance(instance) {}

  bool VisitLambdaExpr(clang::LambdaExpr *lambda) {
    bool around = instance && lambda->getLambdaClass()->Encloses(instance);
    if (!found && (around || syntax.contains(lambda, use)))
      found = lambda;
    return !found;
  }

  const clang::LambdaExpr *found = nullptr;

private:
  Syntax &syntax;
  const clang::Stmt *use;
  const clang::FunctionDecl *instance;
};

bool capturesCopy(const clang::LambdaExpr &lambda, const clang::VarDecl *variable) {
  return !lambda.isMutable() && llvm::any_of(lambda.captures(), [&](const auto &capture) {
    return capture.capturesVariable() && capture.getCapturedVar() == variable &&
           capture.getCaptureKind() == clang::LCK_ByCopy;
  });
}

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

/// What a record's initialiser gives a field; for a constructor, in terms of its parameters.
const clang::Expr *fieldInit(const clang::CXXConstructorDecl *constructor,
                             const clang::ValueDecl *field) {
  for (const clang::CXXCtorInitializer *init : constructor->inits())
    if (init->getMember() == field)
      return init->getInit();
  return nullptr;
}

} // namespace

const clang::Expr *HostConstants::carried(const clang::Expr *expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression))
      expression = full->getSubExpr();
    else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expression))
      expression = temporary->getSubExpr();
    else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expression))
      expression = bound->getSubExpr();
    else if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(expression))
      expression = argument->getExpr();
    else if (const auto *init = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expression))
      expression = init->getExpr();
    else if (const auto *call = llvm::dyn_cast<clang::CallExpr>(expression);
             call && isForward(*call))
      expression = call->getArg(0);
    else if (const auto *copy = llvm::dyn_cast<clang::CXXConstructExpr>(expression);
             copy && copy->getConstructor()->isCopyOrMoveConstructor())
      expression = copy->getArg(0);
    else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expression);
             cast && !cast->getType()->isIntegralOrEnumerationType())
      expression = cast->getSubExpr();
    else
      return expression;
  }
}

HostConstants::HostConstants(clang::ASTContext &ast, Syntax &syntax, const clang::Decl *declaration)
    : ast(ast), syntax(syntax), code(llvm::dyn_cast<clang::FunctionDecl>(declaration)),
      body(code ? code->getBody() : llvm::cast<clang::VarDecl>(declaration)->getInit()),
      changed(syntax.changesIn(*body).changed), facts(std::make_shared<Facts>()) {
  if (syntax.isStructured(body))
    for (const clang::VarDecl *variable : changed)
      if (canTrack(variable) && !syntax.changesIn(*body).escaped.contains(variable) &&
          belongsHere(variable))
        tracked.insert(variable);
}

bool HostConstants::belongsHere(const clang::VarDecl *variable) const {
  if (!code)
    return true;
  const clang::DeclContext *context = variable->getDeclContext();
  while (context && context != code)
    context = context->getParent();
  return context;
}

HostConstants *HostConstants::frameAround(const clang::FunctionDecl *lambda) {
  const clang::FunctionDecl *function = functionAroundLambda(lambda);
  for (HostConstants *frame = this; frame; frame = frame->caller)
    for (HostConstants *outer = frame; outer; outer = outer->enclosing)
      for (const clang::FunctionDecl *around = function; around;
           around = functionAroundLambda(around))
        if (outer->code == around)
          return outer;
  return nullptr;
}

HostConstants *HostConstants::ownerOf(const clang::VarDecl *variable) {
  if (!variable->isLocalVarDeclOrParm() || belongsHere(variable))
    return this;
  if (!enclosing) {
    const clang::FunctionDecl *function = functionAroundLambda(code);
    if (!function || !function->getBody())
      return nullptr;
    ownEnclosing = std::make_unique<HostConstants>(ast, syntax, function);
    ownEnclosing->facts = facts;
    enclosing = ownEnclosing.get();
  }
  return enclosing->ownerOf(variable);
}

const clang::Stmt *HostConstants::pointOf(const clang::DeclRefExpr &use,
                                          HostConstants &owner) const {
  if (&owner == this && !use.refersToEnclosingVariableOrCapture())
    return &use;
  LambdaSeeker seeker(syntax, &use, &owner == this ? nullptr : code);
  seeker.TraverseStmt(const_cast<clang::Stmt *>(owner.body));
  const auto *variable = llvm::cast<clang::VarDecl>(use.getDecl());
  if (!seeker.found)
    return nullptr;
  // A lambda that refers to the variable itself runs later than it is made.
  bool same =
      capturesCopy(*seeker.found, variable) || syntax.isSettled(variable, owner.body, seeker.found);
  return same ? seeker.found : nullptr;
}

HostConstants *HostConstants::enter(const clang::FunctionDecl *callee,
                                    llvm::ArrayRef<const clang::Expr *> values) {
  const clang::FunctionDecl *definition = definitionOf(callee);
  if (depth > MaxDepth || !definition->getBody() || definition->getNumParams() > values.size())
    return nullptr;
  auto inner = std::make_unique<HostConstants>(ast, syntax, definition);
  inner->caller = this;
  inner->facts = facts;
  inner->enclosing = frameAround(definition);
  inner->depth = depth + 1;
  for (unsigned i = 0; i < definition->getNumParams(); ++i)
    inner->arguments[definition->getParamDecl(i)] = values[i];
  callees.push_back(std::move(inner));
  return callees.back().get();
}

HostConstants::Source HostConstants::variable(const clang::VarDecl *variable) {
  HostConstants *owner = ownerOf(variable);
  if (!owner)
    return {};
  if (owner != this)
    return owner->variable(variable);
  if (const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
    auto known = arguments.find(parameter);
    if (known == arguments.end() || changed.contains(variable))
      return {};
    return caller->source(known->second);
  }
  // A constant at namespace scope or a static one keeps its initialiser too.
  bool local = variable->isLocalVarDecl() && !variable->isStaticLocal();
  bool kept = local ? !changed.contains(variable) : isConst(variable);
  return kept && variable->getInit() ? source(variable->getInit()) : Source();
}

HostConstants::Source HostConstants::member(const clang::MemberExpr &member) {
  const auto *field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  if (!field || member.isArrow())
    return {};
  Source record = source(member.getBase());
  if (!record.expression)
    return {};
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(record.expression)) {
    if (!list->isSemanticForm() && list->getSemanticForm())
      list = list->getSemanticForm();
    const auto *type = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    bool plain = type && !type->isUnion() && type->getNumBases() == 0;
    return plain && field->getFieldIndex() < list->getNumInits()
               ? record.where->source(list->getInit(field->getFieldIndex()))
               : Source();
  }
  const auto *built = llvm::dyn_cast<clang::CXXConstructExpr>(record.expression);
  const clang::FunctionDecl *constructor = built ? definitionOf(built->getConstructor()) : nullptr;
  const clang::Expr *init =
      constructor ? fieldInit(llvm::cast<clang::CXXConstructorDecl>(constructor), field) : nullptr;
  if (!init)
    return {};
  std::vector<const clang::Expr *> values(built->arg_begin(), built->arg_end());
  HostConstants *inner = record.where->enter(constructor, values);
  return inner ? inner->source(init) : Source();
}

HostConstants::Source HostConstants::source(const clang::Expr *place) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (depth > MaxDepth || place->isInstantiationDependent() || place->containsErrors())
    return {};
  place = carried(place);
  if (const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(place)) {
    const auto *declaration = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    return declaration ? variable(declaration) : Source{this, place};
  }
  if (const auto *part = llvm::dyn_cast<clang::MemberExpr>(place))
    return member(*part);
  return {this, place};
}

const clang::FunctionDecl *HostConstants::function(const clang::Expr *expression) {
  Source found = source(expression);
  if (!found.expression)
    return nullptr;
  return named(found.expression);
}

std::vector<const clang::FunctionDecl *> HostConstants::functions(const clang::Expr *expression) {
  if (const clang::FunctionDecl *only = function(expression))
    return {only};
  expression = expression->IgnoreParenCasts();
  if (const auto *loaded = llvm::dyn_cast<clang::UnaryOperator>(expression);
      loaded && loaded->getOpcode() == clang::UO_Deref)
    expression = loaded->getSubExpr()->IgnoreParenCasts();
  const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  const auto *variable = use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
  if (const auto *parameter = llvm::dyn_cast_or_null<clang::ParmVarDecl>(variable)) {
    auto known = arguments.find(parameter);
    return known != arguments.end() && !changed.contains(parameter)
               ? caller->functions(known->second)
               : std::vector<const clang::FunctionDecl *>();
  }
  if (!variable || !variable->isLocalVarDecl() || !belongsHere(variable))
    return {};
  AssignedFunctions assigned(variable);
  assigned.TraverseStmt(const_cast<clang::Stmt *>(body));
  return std::move(assigned.found);
}

std::optional<std::int64_t> HostConstants::integer(const clang::Expr *expression) {
  Value value = evaluate(expression);
  if (!value)
    return std::nullopt;
  return value->tryExtValue();
}

HostConstants::Value HostConstants::convert(llvm::APSInt value, clang::QualType type) const {
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
  if (const Value &constant = syntax.constant(expression))
    return constant;
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  if (std::optional<NullTest> test = nullTest(expression)) {
    std::optional<bool> null = isNull(test->pointer);
    return null ? convert(llvm::APSInt::get(*null == test->whenNull), expression->getType())
                : std::nullopt;
  }
  expression = carried(expression);
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
  return value ? convert(*value, cast.getType()) : std::nullopt;
}

/// The value a place holds: a variable, a field, a component of a dim3.
HostConstants::Value HostConstants::read(const clang::Expr *place) {
  if (const auto *part = llvm::dyn_cast<clang::MemberExpr>(place); part && !part->isArrow()) {
    llvm::StringRef name = part->getMemberDecl()->getName();
    const auto *record = llvm::dyn_cast<clang::RecordDecl>(part->getMemberDecl()->getDeclContext());
    if (record && record->getName() == "dim3") {
      std::optional<std::int64_t> component = dims(part->getBase())[(name[0] - 'x') % 3];
      return component ? convert(llvm::APSInt::get(*component), place->getType()) : std::nullopt;
    }
  }
  if (std::optional<Place> located = locate(place))
    if (auto fact = facts->places.find(*located); fact != facts->places.end())
      return convert(llvm::APSInt::get(fact->second), place->getType());
  if (const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(place))
    if (Value value = readVariable(*use))
      return convert(*value, place->getType());
  Source found = source(place);
  Value value = found.expression && found.expression != place
                    ? found.where->evaluate(found.expression)
                    : std::nullopt;
  return value ? convert(*value, place->getType()) : std::nullopt;
}

/// A variable that is no reference, by what it holds where it is used.
HostConstants::Value HostConstants::readVariable(const clang::DeclRefExpr &use) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(use.getDecl());
  if (!variable || !canTrack(variable))
    return std::nullopt;
  HostConstants *owner = ownerOf(variable);
  if (!owner)
    return std::nullopt;
  bool changes = owner->changed.contains(variable);
  if (changes)
    return owner->tracked.contains(variable) ? interpret(use, *owner) : std::nullopt;
  if (owner->running && owner->running->knows(variable))
    return owner->running->value(variable);
  if (const auto *parameter = llvm::dyn_cast<clang::ParmVarDecl>(variable)) {
    auto known = owner->arguments.find(parameter);
    return known == owner->arguments.end() ? std::nullopt : owner->caller->evaluate(known->second);
  }
  return variable->getInit() ? owner->evaluate(variable->getInit()) : std::nullopt;
}

HostConstants::Value HostConstants::interpret(const clang::DeclRefExpr &use, HostConstants &owner) {
  llvm::SaveAndRestore<unsigned> deeper(owner.depth, owner.depth + 1);
  const clang::Stmt *point = pointOf(use, owner);
  if (!point || owner.depth > MaxDepth)
    return std::nullopt;
  const auto *variable = llvm::cast<clang::VarDecl>(use.getDecl());
  if (owner.running && owner.running->asks(point))
    return owner.running->value(variable);
  if (!owner.mayWork())
    return std::nullopt;
  HostInterpreter interpreter(owner, syntax, owner.body, owner.tracked);
  for (auto [parameter, argument] : owner.arguments)
    if (owner.tracked.contains(parameter))
      if (Value value = owner.caller->evaluate(argument))
        interpreter.start(parameter, owner.convert(*value, parameter->getType()));
  llvm::SaveAndRestore<HostInterpreter *> now(owner.running, &interpreter);
  return interpreter.valueAt(point, variable);
}

/// std::min and kin, and functions that only return an expression of their parameters.
HostConstants::Value HostConstants::evaluateCall(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  if (!callee || llvm::isa<clang::CXXMethodDecl>(callee))
    return std::nullopt;
  llvm::StringRef name = callee->getIdentifier() ? callee->getName() : "";
  if ((name == "min" || name == "max") && call.getNumArgs() == 2) {
    Value a = evaluate(call.getArg(0)), b = evaluate(call.getArg(1));
    bool alike = a && b && a->getBitWidth() == b->getBitWidth() && a->isSigned() == b->isSigned();
    return alike ? ((*a < *b) == (name == "min") ? a : b) : std::nullopt;
  }
  const clang::Expr *result = onlyReturn(callee);
  if (!result)
    return std::nullopt;
  std::vector<const clang::Expr *> values(call.arg_begin(), call.arg_end());
  HostConstants *inner = enter(callee, values);
  return inner ? inner->evaluate(result) : std::nullopt;
}

std::array<HostConstants::Source, 3> HostConstants::components(const clang::Expr *expression) {
  llvm::SaveAndRestore<unsigned> deeper(depth, depth + 1);
  Source found = source(expression);
  if (!found.expression)
    return {};
  if (const auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(found.expression)) {
    Value condition = found.where->evaluate(choice->getCond());
    return condition ? found.where->components(*condition != 0 ? choice->getTrueExpr()
                                                               : choice->getFalseExpr())
                     : std::array<Source, 3>{};
  }
  const auto *built = llvm::dyn_cast<clang::CXXConstructExpr>(found.expression);
  const clang::CXXConstructorDecl *constructor = built ? built->getConstructor() : nullptr;
  if (!built || constructor->getParent()->getName() != "dim3" || constructor->getNumParams() != 3)
    return {};
  return {Source{found.where, built->getArg(0)}, Source{found.where, built->getArg(1)},
          Source{found.where, built->getArg(2)}};
}

HostConstants::Dims HostConstants::dims(const clang::Expr *expression) {
  Dims result;
  auto parts = components(expression);
  for (std::size_t i = 0; i < 3; ++i)
    if (parts[i].expression)
      result[i] = parts[i].where->integer(parts[i].expression);
  return result;
}

} // namespace warpdrf::frontend
