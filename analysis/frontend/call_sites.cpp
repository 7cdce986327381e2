// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/call_sites.h"

#include "analysis/frontend/syntax.h"

namespace warpdrf::frontend {
namespace {

/// Whether control never gets behind a statement.
bool leaves(const clang::Stmt *statement) {
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    return llvm::any_of(compound->body(), leaves);
  if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement))
    return choice->getElse() && leaves(choice->getThen()) && leaves(choice->getElse());
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(statement))
    return leaves(full->getSubExpr());
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement))
    return call->getDirectCallee() && call->getDirectCallee()->isNoReturn();
  return llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt,
                   clang::CXXThrowExpr>(statement);
}

const clang::Stmt *unwrapped(const clang::Stmt *statement) {
  if (const auto *full = llvm::dyn_cast<clang::FullExpr>(statement))
    return unwrapped(full->getSubExpr());
  if (const auto *parens = llvm::dyn_cast<clang::ParenExpr>(statement))
    return unwrapped(parens->getSubExpr());
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(statement))
    return cast->getCastKind() == clang::CK_ToVoid ? unwrapped(cast->getSubExpr()) : statement;
  return statement;
}

void addBehind(const clang::Stmt *statement, std::vector<Condition> &behind);

void addBehindChoice(const clang::Expr *condition, const clang::Stmt *yes, const clang::Stmt *no,
                     std::vector<Condition> &behind) {
  for (bool holds : {true, false}) {
    const clang::Stmt *arm = holds ? yes : no, *other = holds ? no : yes;
    if (arm && leaves(arm)) {
      behind.push_back({condition, !holds, nullptr, {}});
      if (other)
        addBehind(other, behind);
      return;
    }
  }
  for (bool holds : {true, false})
    if (const clang::Stmt *arm = holds ? yes : no) {
      std::vector<Condition> inner;
      addBehind(arm, inner);
      for (Condition &each : inner) {
        each.given.push_back({condition, holds, nullptr, {}});
        behind.push_back(std::move(each));
      }
    }
}

/// Adds what holds behind a statement: `if (!c) return;`, assert(c), and `do … while (0)` macros.
void addBehind(const clang::Stmt *statement, std::vector<Condition> &behind) {
  statement = unwrapped(statement);
  if (const auto *compound = llvm::dyn_cast<clang::CompoundStmt>(statement))
    for (const clang::Stmt *part : compound->body())
      addBehind(part, behind);
  else if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement))
    addBehindChoice(choice->getCond(), choice->getThen(), choice->getElse(), behind);
  else if (const auto *either = llvm::dyn_cast<clang::ConditionalOperator>(statement))
    addBehindChoice(either->getCond(), unwrapped(either->getTrueExpr()),
                    unwrapped(either->getFalseExpr()), behind);
  else if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement))
    if (const auto *no = llvm::dyn_cast<clang::IntegerLiteral>(loop->getCond()->IgnoreParenCasts());
        no && no->getValue() == 0 && !jumps(loop->getBody()))
      addBehind(loop->getBody(), behind);
}

/// Whether code may be entered other than from its top: through a label, or through a case label
/// that is not directly in the body of its switch.
class EntryFinder : public clang::RecursiveASTVisitor<EntryFinder> {
public:
  bool VisitLabelStmt(clang::LabelStmt *) { return !(found = true); }
  bool VisitSwitchStmt(clang::SwitchStmt *choice) {
    llvm::DenseSet<const clang::Stmt *> direct;
    if (const auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody()))
      for (const clang::Stmt *part : body->body())
        for (; const auto *label = llvm::dyn_cast<clang::SwitchCase>(part);
             part = label->getSubStmt())
          direct.insert(label);
    for (const clang::SwitchCase *label = choice->getSwitchCaseList(); label;
         label = label->getNextSwitchCase())
      found = found || !direct.contains(label);
    return !found;
  }
  bool found = false;
};

class SiteCollector : public clang::RecursiveASTVisitor<SiteCollector> {
public:
  explicit SiteCollector(bool structured) : structured(structured) {}

  std::vector<CallSite> sites;

  bool VisitCallExpr(clang::CallExpr *call) {
    sites.push_back({call, structured ? conditions : std::vector<Condition>()});
    return true;
  }

  bool TraverseIfStmt(clang::IfStmt *choice) {
    TraverseStmt(choice->getInit());
    if (choice->getConditionVariable())
      TraverseDecl(choice->getConditionVariable());
    TraverseStmt(choice->getCond());
    under({choice->getCond(), true, nullptr, {}}, choice->getThen());
    under({choice->getCond(), false, nullptr, {}}, choice->getElse());
    return true;
  }

  bool TraverseConditionalOperator(clang::ConditionalOperator *choice) {
    TraverseStmt(choice->getCond());
    under({choice->getCond(), true, nullptr, {}}, choice->getTrueExpr());
    under({choice->getCond(), false, nullptr, {}}, choice->getFalseExpr());
    return true;
  }

  bool TraverseBinaryOperator(clang::BinaryOperator *binary) {
    if (!binary->isLogicalOp())
      return RecursiveASTVisitor::TraverseBinaryOperator(binary);
    TraverseStmt(binary->getLHS());
    // What a call on the left returned is not known, and does no harm as a condition.
    under({binary->getLHS(), binary->getOpcode() == clang::BO_LAnd, nullptr, {}}, binary->getRHS());
    return true;
  }

  /// What follows `if (…) return;` runs under the negated condition.
  bool TraverseCompoundStmt(clang::CompoundStmt *compound) {
    std::size_t outer = conditions.size();
    for (clang::Stmt *part : compound->body()) {
      TraverseStmt(part);
      passed(part);
    }
    conditions.resize(outer);
    return true;
  }

  bool TraverseSwitchStmt(clang::SwitchStmt *choice) {
    TraverseStmt(choice->getInit());
    if (choice->getConditionVariable())
      TraverseDecl(choice->getConditionVariable());
    TraverseStmt(choice->getCond());
    auto *body = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
    if (!body)
      return TraverseStmt(choice->getBody());
    std::size_t outer = conditions.size();
    bool falls = false; // into the next label
    for (clang::Stmt *part : body->body()) {
      if (auto *label = llvm::dyn_cast<clang::SwitchCase>(part)) {
        conditions.resize(outer);
        auto *only = llvm::dyn_cast<clang::CaseStmt>(label);
        if (only && !falls && !only->getRHS() && !llvm::isa<clang::SwitchCase>(only->getSubStmt()))
          conditions.push_back({choice->getCond(), true, only->getLHS(), {}});
        while (auto *inner = llvm::dyn_cast<clang::SwitchCase>(part))
          part = inner->getSubStmt();
      }
      TraverseStmt(part);
      passed(part);
      falls = !leaves(part);
    }
    conditions.resize(outer);
    return true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    return !instantiatedBodies(*lambda).empty() || RecursiveASTVisitor::TraverseLambdaExpr(lambda);
  }

private:
  void under(Condition condition, clang::Stmt *part) {
    conditions.push_back(condition);
    TraverseStmt(part);
    conditions.pop_back();
  }

  void passed(const clang::Stmt *part) { addBehind(part, conditions); }

  bool structured;
  std::vector<Condition> conditions;
};

} // namespace

std::vector<clang::Stmt *> instantiatedBodies(const clang::LambdaExpr &lambda) {
  std::vector<clang::Stmt *> bodies;
  if (clang::FunctionTemplateDecl *pattern = lambda.getDependentCallOperator())
    for (clang::FunctionDecl *instance : pattern->specializations())
      if (instance->getBody())
        bodies.push_back(instance->getBody());
  return bodies;
}

std::vector<CallSite> findCallSites(clang::Stmt *body) {
  EntryFinder entries;
  entries.TraverseStmt(body);
  SiteCollector collector(!entries.found);
  collector.TraverseStmt(body);
  return std::move(collector.sites);
}

} // namespace warpdrf::frontend
