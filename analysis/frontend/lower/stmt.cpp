// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements. An `if` op carries the range of its condition, which is what a note on the branch
// should underline.
#include "analysis/frontend/lower/function.h"
#include "analysis/ir/attributes.h"

namespace warpdrf::frontend {

void FunctionLowering::statement(const clang::Stmt *stmt) {
  if (!stmt || !reachable())
    return;
  if (const auto *expr = llvm::dyn_cast<clang::Expr>(stmt))
    return effects(expr);
  switch (stmt->getStmtClass()) {
  case clang::Stmt::NullStmtClass:
    return;
  case clang::Stmt::CompoundStmtClass:
    return compound(llvm::cast<clang::CompoundStmt>(stmt));
  case clang::Stmt::DeclStmtClass:
    for (const clang::Decl *decl : llvm::cast<clang::DeclStmt>(stmt)->decls())
      declaration(decl, stmt);
    return;
  case clang::Stmt::IfStmtClass:
    return ifStatement(llvm::cast<clang::IfStmt>(stmt));
  case clang::Stmt::SwitchStmtClass:
    return switchStatement(llvm::cast<clang::SwitchStmt>(stmt));
  case clang::Stmt::AttributedStmtClass: {
    const auto *attributed = llvm::cast<clang::AttributedStmt>(stmt);
    return loopStatement(attributed->getSubStmt(), attributed->getAttrs());
  }
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
  case clang::Stmt::CXXForRangeStmtClass:
    return loopStatement(stmt, {});
  case clang::Stmt::ReturnStmtClass:
    return returnStatement(llvm::cast<clang::ReturnStmt>(stmt));
  case clang::Stmt::BreakStmtClass:
    ir::BreakOp::create(builder, loc(stmt));
    return;
  case clang::Stmt::ContinueStmtClass:
    ir::ContinueOp::create(builder, loc(stmt));
    return;
  case clang::Stmt::LabelStmtClass:
    return statement(llvm::cast<clang::LabelStmt>(stmt)->getSubStmt());
  case clang::Stmt::GCCAsmStmtClass:
    return inlineAsm(llvm::cast<clang::GCCAsmStmt>(stmt));
  case clang::Stmt::GotoStmtClass:
  case clang::Stmt::IndirectGotoStmtClass:
    unsupported(stmt, "goto");
    return;
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    unsupported(stmt, "case label inside a nested statement");
    return statement(llvm::cast<clang::SwitchCase>(stmt)->getSubStmt());
  default:
    unsupported(stmt, std::string("statement ") + stmt->getStmtClassName());
  }
}

void FunctionLowering::compound(const clang::CompoundStmt *stmt) {
  for (const clang::Stmt *child : stmt->body())
    statement(child);
}

void FunctionLowering::declaration(const clang::Decl *decl, const clang::Stmt *at) {
  if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
    declareVariable(variable, at);
}

void FunctionLowering::declareVariable(const clang::VarDecl *variable, const clang::Stmt *at) {
  if (!variable->hasLocalStorage())
    return; // a module-level object, made when it is first named
  const clang::QualType type = variable->getType();
  const mlir::Location where = unit.locations.of(variable->getSourceRange());
  const clang::Expr *init = variable->getInit();
  if (at->getStmtClass() == clang::Stmt::DeclStmtClass && variable->isConstexpr() &&
      types.isScalar(type) && !addressTaken.needsAddress(variable))
    return; // folded where it is used
  if (type->isVariableArrayType()) {
    unsupported(at, "variable-length array");
    return;
  }
  if (type->isReferenceType()) {
    variables[variable] = {.address = zero(where, types.pointer()), .type = type};
    Value target = address(init);
    variables[variable] = {.address = target, .type = type.getNonReferenceType()};
    return;
  }
  auto known = variables.find(variable); // hoisted in front of a switch or loop
  if (types.isScalar(type) && !addressTaken.needsAddress(variable)) {
    Value holder = known != variables.end() ? known->second.slot
                                            : slot(where, variable->getName(), types.scalar(type));
    variables[variable] = {.slot = holder, .type = type}; // the initialiser may name it
    if (init)
      ir::SetOp::create(builder, where, holder, scalar(init));
    return;
  }
  Value object = known != variables.end() ? known->second.address
                                          : local(where, variable->getName(), types.size(type));
  variables[variable] = {.address = object, .type = type};
  if (init)
    initialise(init, object, type);
  noteDestructor(at, type);
}

/// Gives a variable its slot or object here, because its uses lie in several regions.
void FunctionLowering::hoistVariable(const clang::VarDecl *variable) {
  const clang::QualType type = variable->getType();
  if (!variable->hasLocalStorage() || type->isReferenceType() || type->isVariableArrayType())
    return;
  const mlir::Location where = unit.locations.of(variable->getSourceRange());
  Place &place = variables[variable];
  place.type = type;
  if (types.isScalar(type) && !addressTaken.needsAddress(variable))
    place.slot = slot(where, variable->getName(), types.scalar(type));
  else
    place.address = local(where, variable->getName(), types.size(type));
}

void FunctionLowering::hoistVariables(const clang::Stmt *stmt) {
  while (const auto *label = llvm::dyn_cast<clang::LabelStmt>(stmt))
    stmt = label->getSubStmt();
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declarations->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        hoistVariable(variable);
}

void FunctionLowering::ifStatement(const clang::IfStmt *stmt) {
  statement(stmt->getInit());
  if (stmt->isConsteval())
    return statement(stmt->isNegatedConsteval() ? stmt->getThen() : stmt->getElse());
  if (std::optional<const clang::Stmt *> chosen = stmt->getNondiscardedCase(unit.ast))
    return statement(*chosen);
  if (stmt->getConditionVariable())
    declareVariable(stmt->getConditionVariable(), stmt);
  else if (std::optional<bool> known = constantCondition(stmt->getCond()))
    return statement(*known ? stmt->getThen() : stmt->getElse());
  emitIf(
      loc(stmt->getCond()), condition(stmt->getCond()), [&] { statement(stmt->getThen()); },
      [&] { statement(stmt->getElse()); });
}

static std::optional<std::int64_t> unrollCount(llvm::ArrayRef<const clang::Attr *> attributes,
                                               const clang::ASTContext &ast) {
  for (const clang::Attr *attribute : attributes) {
    const auto *hint = llvm::dyn_cast<clang::LoopHintAttr>(attribute);
    if (!hint || hint->getState() == clang::LoopHintAttr::Disable)
      continue;
    clang::Expr::EvalResult value;
    if (hint->getOption() == clang::LoopHintAttr::UnrollCount && hint->getValue() &&
        !hint->getValue()->isValueDependent() && hint->getValue()->EvaluateAsInt(value, ast))
      return value.Val.getInt().getExtValue();
    if (hint->getOption() == clang::LoopHintAttr::Unroll)
      return -1;
  }
  return std::nullopt;
}

void FunctionLowering::loop(const LoopParts &parts, Attributes attributes) {
  const mlir::Location at = loc(parts.at);
  if (parts.conditionVariable)
    hoistVariable(parts.conditionVariable);
  mlir::IntegerAttr unroll;
  if (std::optional<std::int64_t> count = unrollCount(attributes, unit.ast))
    unroll = builder.getI64IntegerAttr(*count);
  auto op = ir::LoopOp::create(builder, at, parts.postTest, unroll);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getCond().emplaceBlock());
  if (parts.conditionVariable)
    declareVariable(parts.conditionVariable, parts.at);
  const mlir::Location conditionAt = parts.condition ? loc(parts.condition) : at;
  Value test = parts.condition ? condition(parts.condition) : boolean(conditionAt, true);
  ir::ConditionOp::create(builder, conditionAt, test);
  builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  for (const clang::Stmt *stmt : parts.body)
    statement(stmt);
  builder.setInsertionPointToStart(&op.getStep().emplaceBlock());
  if (parts.step)
    effects(parts.step);
}

void FunctionLowering::forStatement(const clang::ForStmt *stmt, Attributes attributes) {
  statement(stmt->getInit());
  const clang::Stmt *body = stmt->getBody();
  loop({.at = stmt,
        .condition = stmt->getCond(),
        .conditionVariable = stmt->getConditionVariable(),
        .body = body,
        .step = stmt->getInc()},
       attributes);
}

/// `for (int k : {8, 4, 2})`: a counted loop whose variable is chosen by the count, so that the
/// list need not lie in memory.
bool FunctionLowering::listFor(const clang::CXXForRangeStmt *stmt, Attributes attributes) {
  const auto *list =
      llvm::dyn_cast<clang::CXXStdInitializerListExpr>(stmt->getRangeInit()->IgnoreImplicit());
  const clang::VarDecl *variable = stmt->getLoopVariable();
  if (!list || !types.isScalar(variable->getType()) || variable->getType()->isReferenceType() ||
      addressTaken.needsAddress(variable))
    return false;
  const auto *elements = llvm::dyn_cast<clang::InitListExpr>(list->getSubExpr()->IgnoreImplicit());
  if (!elements || elements->getNumInits() == 0)
    return false;
  const mlir::Location at = loc(stmt), where = unit.locations.of(variable->getSourceRange());
  mlir::Type i64 = types.integer(64);
  std::vector<Value> values;
  for (const clang::Expr *element : elements->inits())
    values.push_back(convert(where, scalar(element), element->getType(), variable->getType()));
  Value counter = slot(at, "element", i64);
  ir::SetOp::create(builder, at, counter, integer64(at, 0));
  mlir::IntegerAttr unroll =
      builder.getI64IntegerAttr(unrollCount(attributes, unit.ast).value_or(-1));
  auto op = ir::LoopOp::create(builder, at, /*post_test=*/false, unroll);
  op->setAttr(ir::overListAttribute, builder.getUnitAttr());
  mlir::OpBuilder::InsertionGuard guard(builder);
  const auto is = [&](mlir::arith::CmpIPredicate predicate, std::int64_t number) -> Value {
    return mlir::arith::CmpIOp::create(builder, at, predicate,
                                       ir::GetOp::create(builder, at, i64, counter),
                                       integer64(at, number));
  };
  builder.setInsertionPointToStart(&op.getCond().emplaceBlock());
  ir::ConditionOp::create(builder, at, is(mlir::arith::CmpIPredicate::slt, values.size()));
  builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  Value chosen = values.back();
  for (std::int64_t i = static_cast<std::int64_t>(values.size()) - 2; i >= 0; --i)
    chosen = mlir::arith::SelectOp::create(builder, where, is(mlir::arith::CmpIPredicate::eq, i),
                                           values[i], chosen);
  Value holder = slot(where, variable->getName(), chosen.getType());
  ir::SetOp::create(builder, where, holder, chosen);
  variables[variable] = {.slot = holder, .type = variable->getType()};
  statement(stmt->getBody());
  builder.setInsertionPointToStart(&op.getStep().emplaceBlock());
  Value next = mlir::arith::AddIOp::create(
      builder, at, ir::GetOp::create(builder, at, i64, counter), integer64(at, 1));
  ir::SetOp::create(builder, at, counter, next);
  return true;
}

void FunctionLowering::rangeFor(const clang::CXXForRangeStmt *stmt, Attributes attributes) {
  if (listFor(stmt, attributes))
    return;
  for (const clang::Stmt *part :
       {stmt->getInit(), static_cast<const clang::Stmt *>(stmt->getRangeStmt()),
        static_cast<const clang::Stmt *>(stmt->getBeginStmt()),
        static_cast<const clang::Stmt *>(stmt->getEndStmt())})
    statement(part);
  const clang::Stmt *body[] = {stmt->getLoopVarStmt(), stmt->getBody()};
  loop({.at = stmt, .condition = stmt->getCond(), .body = body, .step = stmt->getInc()},
       attributes);
}

void FunctionLowering::loopStatement(const clang::Stmt *stmt, Attributes attributes) {
  if (const auto *forStmt = llvm::dyn_cast<clang::ForStmt>(stmt))
    return forStatement(forStmt, attributes);
  if (const auto *whileStmt = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    const clang::Stmt *body = whileStmt->getBody();
    return loop({.at = stmt,
                 .condition = whileStmt->getCond(),
                 .conditionVariable = whileStmt->getConditionVariable(),
                 .body = body},
                attributes);
  }
  if (const auto *doStmt = llvm::dyn_cast<clang::DoStmt>(stmt)) {
    const clang::Stmt *body = doStmt->getBody();
    return loop({.at = stmt, .condition = doStmt->getCond(), .body = body, .postTest = true},
                attributes);
  }
  if (const auto *range = llvm::dyn_cast<clang::CXXForRangeStmt>(stmt))
    return rangeFor(range, attributes);
  statement(stmt);
}

/// A loop of ours, not of the source: over the elements of an array.
void FunctionLowering::countedLoop(mlir::Location loc, std::int64_t count,
                                   llvm::function_ref<void(Value)> body) {
  constexpr std::int64_t unrolled = 16;
  if (count <= unrolled) {
    for (std::int64_t i = 0; i < count; ++i)
      body(integer64(loc, i));
    return;
  }
  const auto isBelow = [&](Value i) {
    return mlir::arith::CmpIOp::create(builder, loc, mlir::arith::CmpIPredicate::slt, i,
                                       integer64(loc, count));
  };
  stridedLoop(loc, integer64(loc, 0), integer64(loc, 1), isBelow, body);
}

void FunctionLowering::stridedLoop(mlir::Location loc, Value first, Value stride,
                                   llvm::function_ref<Value(Value)> goesOn,
                                   llvm::function_ref<void(Value)> body) {
  Value counter = slot(loc, "element", types.integer(64));
  ir::SetOp::create(builder, loc, counter, first);
  auto op = ir::LoopOp::create(builder, loc, /*post_test=*/false, mlir::IntegerAttr());
  const auto current = [&] { return ir::GetOp::create(builder, loc, types.integer(64), counter); };
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op.getCond().emplaceBlock());
  ir::ConditionOp::create(builder, loc, goesOn(current()));
  builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  body(current());
  builder.setInsertionPointToStart(&op.getStep().emplaceBlock());
  Value next = mlir::arith::AddIOp::create(builder, loc, current(), stride);
  ir::SetOp::create(builder, loc, counter, next);
}

void FunctionLowering::returnStatement(const clang::ReturnStmt *stmt) {
  const clang::Expr *value = stmt->getRetValue();
  llvm::SmallVector<Value, 1> results;
  if (value && function->getReturnType()->isReferenceType())
    results.push_back(address(value));
  else if (value && types.isScalar(function->getReturnType()))
    results.push_back(scalar(value));
  else if (value && resultPointer)
    initialise(value, resultPointer, function->getReturnType());
  else if (value)
    effects(value);
  ir::ReturnOp::create(builder, loc(stmt), results);
}

} // namespace warpdrf::frontend
