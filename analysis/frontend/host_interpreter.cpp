// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/host_interpreter.h"

#include "analysis/frontend/constants.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {
namespace {

constexpr unsigned MaxSteps = 4096; ///< iterations of loops, all together

} // namespace

HostInterpreter::Value HostInterpreter::valueAt(const clang::Stmt *place,
                                                const clang::VarDecl *variable) {
  point = place;
  return run(body) == Outcome::Reached ? value(variable) : std::nullopt;
}

const clang::VarDecl *HostInterpreter::trackedVariable(const clang::Expr *place) const {
  const clang::VarDecl *variable = variableOf(place);
  return variable && tracked.contains(variable) ? variable : nullptr;
}

bool HostInterpreter::changes(const clang::Stmt *statement) const {
  return llvm::any_of(syntax.assignedIn(statement),
                      [&](const clang::VarDecl *variable) { return tracked.contains(variable); });
}

void HostInterpreter::forget(const clang::Stmt *statement) {
  if (statement)
    for (const clang::VarDecl *variable : syntax.assignedIn(statement))
      values[variable] = std::nullopt;
}

HostInterpreter::Outcome HostInterpreter::opaque(const clang::Stmt *statement,
                                                 const clang::Stmt *changed) {
  forget(changed);
  if (isPoint(statement))
    return Outcome::Reached;
  return loops > 0 && jumps(statement) ? Outcome::Lost : Outcome::Normal;
}

HostInterpreter::Value HostInterpreter::evaluate(const clang::Expr *expression) {
  if (!expression || changes(expression))
    return std::nullopt;
  llvm::SaveAndRestore<const clang::Stmt *> now(current, expression);
  return constants.evaluate(expression);
}

HostInterpreter::Outcome HostInterpreter::run(const clang::Stmt *statement) {
  if (!statement)
    return Outcome::Normal;
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    return runDeclarations(*declarations);
  if (llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(statement))
    return isPoint(statement) ? opaque(statement, statement) : Outcome::Left;
  if (llvm::isa<clang::BreakStmt>(statement))
    return Outcome::Break;
  if (llvm::isa<clang::ContinueStmt>(statement))
    return Outcome::Continue;
  bool idle = !isPoint(statement) && !changes(statement) && !jumps(statement);
  if (idle) // at most it leaves the function, and then control does not get to the point
    return Outcome::Normal;
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return runEach(std::vector<const clang::Stmt *>(compound->body_begin(), compound->body_end()));
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement))
    return runIf(*choice);
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement);
      loop && !loop->getConditionVariable())
    return runLoop(loop, loop->getCond(), nullptr, loop->getBody(), true);
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement))
    return runLoop(loop, loop->getCond(), nullptr, loop->getBody(), false);
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(statement);
      loop && !loop->getConditionVariable()) {
    Outcome first = run(loop->getInit());
    return first == Outcome::Normal
               ? runLoop(loop, loop->getCond(), loop->getInc(), loop->getBody(), true)
               : first;
  }
  if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement))
    return run(attributed->getSubStmt());
  const auto *expression = llvm::dyn_cast<clang::Expr>(statement);
  if (!expression || isPoint(expression))
    return opaque(statement, statement);
  runExpression(expression);
  return Outcome::Normal;
}

HostInterpreter::Outcome HostInterpreter::runEach(llvm::ArrayRef<const clang::Stmt *> statements) {
  for (const clang::Stmt *statement : statements)
    if (Outcome outcome = run(statement); outcome != Outcome::Normal)
      return outcome;
  return Outcome::Normal;
}

HostInterpreter::Outcome HostInterpreter::runIf(const clang::IfStmt &choice) {
  if (choice.getConditionVariable())
    return opaque(&choice, &choice);
  if (Outcome first = run(choice.getInit()); first != Outcome::Normal)
    return first;
  Value condition = evaluate(choice.getCond());
  forget(choice.getCond());
  if (isPoint(choice.getCond()))
    return Outcome::Reached;
  if (condition)
    return run(*condition != 0 ? choice.getThen() : choice.getElse());
  if (isPoint(choice.getThen()))
    return run(choice.getThen());
  if (choice.getElse() && isPoint(choice.getElse()))
    return run(choice.getElse());
  return opaque(&choice, &choice);
}

HostInterpreter::Outcome HostInterpreter::runLoop(const clang::Stmt *loop,
                                                  const clang::Expr *condition,
                                                  const clang::Expr *increment,
                                                  const clang::Stmt *inner, bool conditionFirst) {
  auto forgetLoop = [&] {
    forget(condition);
    forget(increment);
    forget(inner);
  };
  if (isPoint(loop)) { // in some iteration, nobody knows which
    forgetLoop();
    return isPoint(inner) ? run(inner) : Outcome::Reached;
  }
  llvm::SaveAndRestore<unsigned> deeper(loops, loops + 1);
  for (bool ask = conditionFirst;; ask = true) {
    Value more = ask && condition ? evaluate(condition) : llvm::APSInt::get(1);
    if (!more || ++steps > MaxSteps || !constants.mayWork()) {
      forgetLoop();
      return Outcome::Normal;
    }
    if (*more == 0)
      return Outcome::Normal;
    Outcome outcome = run(inner);
    if (outcome == Outcome::Break)
      return Outcome::Normal;
    if (outcome == Outcome::Lost) {
      forgetLoop();
      return Outcome::Normal;
    }
    if (outcome != Outcome::Normal && outcome != Outcome::Continue)
      return outcome;
    if (increment)
      runExpression(increment);
  }
}

/// Variables that never change are noted as well: their initialisers may read others that do.
HostInterpreter::Outcome HostInterpreter::runDeclarations(const clang::DeclStmt &statement) {
  for (const clang::Decl *declaration : statement.decls()) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (!variable)
      continue;
    const clang::Expr *init = variable->getInit();
    if (init && isPoint(init))
      return opaque(init, init);
    Value value = init ? evaluate(init) : std::nullopt;
    if (init)
      forget(init);
    if (variable->getType()->isIntegralOrEnumerationType() && !variable->isStaticLocal())
      values[variable] = value ? constants.convert(*value, variable->getType()) : std::nullopt;
  }
  return isPoint(&statement) ? Outcome::Reached : Outcome::Normal;
}

void HostInterpreter::runExpression(const clang::Expr *expression) {
  expression = expression->IgnoreParens();
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(expression))
    return runExpression(full->getSubExpr());
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (binary->getOpcode() == clang::BO_Comma) {
      runExpression(binary->getLHS());
      return runExpression(binary->getRHS());
    }
    if (binary->isAssignmentOp() && trackedVariable(binary->getLHS()))
      return assign(*binary);
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary && unary->isIncrementDecrementOp() && trackedVariable(unary->getSubExpr()))
    return step(*unary);
  forget(expression);
}

void HostInterpreter::assign(const clang::BinaryOperator &assignment) {
  const clang::VarDecl *variable = trackedVariable(assignment.getLHS());
  Value right = evaluate(assignment.getRHS());
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&assignment)) {
    Value left = value(variable);
    if (left)
      left = constants.convert(*left, compound->getComputationLHSType());
    clang::BinaryOperatorKind opcode =
        clang::BinaryOperator::getOpForCompoundAssignment(compound->getOpcode());
    right = left && right
                ? constants.operate(opcode, *left, *right, compound->getComputationResultType())
                : std::nullopt;
  }
  forget(&assignment); // also what the right side assigns
  values[variable] = right ? constants.convert(*right, variable->getType()) : std::nullopt;
}

void HostInterpreter::step(const clang::UnaryOperator &unary) {
  const clang::VarDecl *variable = trackedVariable(unary.getSubExpr());
  Value value = this->value(variable);
  if (value)
    value = unary.isIncrementOp()
                ? *value + llvm::APSInt(llvm::APInt(value->getBitWidth(), 1), value->isUnsigned())
                : *value - llvm::APSInt(llvm::APInt(value->getBitWidth(), 1), value->isUnsigned());
  values[variable] = value;
}

} // namespace warpdrf::frontend
