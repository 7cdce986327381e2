// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/call_sites.h"

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
    under({choice->getCond(), true}, choice->getThen());
    under({choice->getCond(), false}, choice->getElse());
    return true;
  }

  bool TraverseConditionalOperator(clang::ConditionalOperator *choice) {
    TraverseStmt(choice->getCond());
    under({choice->getCond(), true}, choice->getTrueExpr());
    under({choice->getCond(), false}, choice->getFalseExpr());
    return true;
  }

  bool TraverseBinaryOperator(clang::BinaryOperator *binary) {
    if (!binary->isLogicalOp())
      return RecursiveASTVisitor::TraverseBinaryOperator(binary);
    TraverseStmt(binary->getLHS());
    // What a call on the left returned is not known, and does no harm as a condition.
    under({binary->getLHS(), binary->getOpcode() == clang::BO_LAnd}, binary->getRHS());
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
          conditions.push_back({choice->getCond(), true, only->getLHS()});
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

  void passed(const clang::Stmt *part) {
    const auto *choice = llvm::dyn_cast<clang::IfStmt>(part);
    if (!choice)
      return;
    if (leaves(choice->getThen()))
      conditions.push_back({choice->getCond(), false});
    else if (choice->getElse() && leaves(choice->getElse()))
      conditions.push_back({choice->getCond(), true});
  }

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
