// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `switch`: one region per group of labels, in source order, falling through as the source does.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace {

struct Case {
  std::vector<std::int64_t> values;
  std::size_t labels = 0;
  bool isDefault = false;
  std::vector<const clang::Stmt *> body;
};

/// Splits the switch's body at its labels. Labels further inside are left where they are.
std::vector<Case> splitCases(const clang::Stmt *body, const clang::ASTContext &ast,
                             std::vector<const clang::Stmt *> &before) {
  std::vector<Case> cases;
  const auto addStatement = [&](const clang::Stmt *stmt) {
    const auto *label = llvm::dyn_cast<clang::SwitchCase>(stmt);
    if (label)
      cases.emplace_back();
    for (; label; label = llvm::dyn_cast<clang::SwitchCase>(stmt)) {
      if (const auto *value = llvm::dyn_cast<clang::CaseStmt>(label)) {
        const std::int64_t low = value->getLHS()->EvaluateKnownConstInt(ast).getExtValue();
        const std::int64_t high =
            value->getRHS() ? value->getRHS()->EvaluateKnownConstInt(ast).getExtValue() : low;
        for (std::int64_t each = low; each <= high && each - low < 4096; ++each)
          cases.back().values.push_back(each);
      } else {
        cases.back().isDefault = true;
      }
      ++cases.back().labels;
      stmt = label->getSubStmt();
    }
    (cases.empty() ? before : cases.back().body).push_back(stmt);
  };
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(body)) {
    for (const clang::Stmt *stmt : compound->body())
      addStatement(stmt);
  } else {
    addStatement(body);
  }
  return cases;
}

std::size_t countLabels(const clang::SwitchStmt *stmt) {
  std::size_t count = 0;
  for (const clang::SwitchCase *each = stmt->getSwitchCaseList(); each;
       each = each->getNextSwitchCase())
    ++count;
  return count;
}

std::size_t countLabels(const std::vector<Case> &cases) {
  std::size_t count = 0;
  for (const Case &each : cases)
    count += each.labels;
  return count;
}

} // namespace

/// Also the variables of nested statements: a label inside of one is entered past their
/// declaration.
void FunctionLowering::hoistAll(const clang::Stmt *stmt) {
  if (!stmt || llvm::isa<clang::LambdaExpr>(stmt))
    return;
  hoistVariables(stmt);
  for (const clang::Stmt *child : stmt->children())
    hoistAll(child);
}

void FunctionLowering::switchStatement(const clang::SwitchStmt *stmt) {
  statement(stmt->getInit());
  if (stmt->getConditionVariable())
    declareVariable(stmt->getConditionVariable(), stmt);
  std::vector<const clang::Stmt *> before;
  const std::vector<Case> cases = splitCases(stmt->getBody(), unit.ast, before);
  for (const clang::Stmt *each : before)
    hoistVariables(each);
  const bool labelsInside = countLabels(stmt) > countLabels(cases);
  for (const Case &each : cases)
    for (const clang::Stmt *inner : each.body)
      labelsInside ? hoistAll(inner) : hoistVariables(inner);
  llvm::SmallVector<mlir::Attribute> values;
  std::int64_t defaultCase = -1;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    values.push_back(builder.getDenseI64ArrayAttr(cases[i].values));
    if (cases[i].isDefault)
      defaultCase = i;
  }
  Value selector = scalar(stmt->getCond());
  auto op = ir::SwitchOp::create(builder, loc(stmt->getCond()), selector,
                                 builder.getArrayAttr(values), defaultCase, cases.size());
  mlir::OpBuilder::InsertionGuard guard(builder);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    builder.setInsertionPointToStart(&op.getCases()[i].emplaceBlock());
    for (const clang::Stmt *inner : cases[i].body)
      statement(inner);
  }
}

} // namespace warpdrf::frontend
