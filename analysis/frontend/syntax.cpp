// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/syntax.h"

namespace warpdrf::frontend {
namespace {

class PartFinder : public clang::RecursiveASTVisitor<PartFinder> {
public:
  explicit PartFinder(llvm::DenseSet<const clang::Stmt *> &parts) : parts(parts) {}
  bool VisitStmt(clang::Stmt *statement) {
    parts.insert(statement);
    return true;
  }
  bool shouldVisitImplicitCode() const { return true; }

private:
  llvm::DenseSet<const clang::Stmt *> &parts;
};

class LabelSeeker : public clang::RecursiveASTVisitor<LabelSeeker> {
public:
  bool VisitLabelStmt(clang::LabelStmt *) { return !(found = true); }
  bool found = false;
};

class AssignmentFinder : public clang::RecursiveASTVisitor<AssignmentFinder> {
public:
  AssignmentFinder(Syntax &syntax, llvm::DenseSet<const clang::VarDecl *> &assigned)
      : syntax(syntax), assigned(assigned) {}
  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    if (binary->isAssignmentOp())
      add(binary->getLHS());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->isIncrementDecrementOp())
      add(unary->getSubExpr());
    return true;
  }
  bool VisitCallExpr(clang::CallExpr *call) {
    for (const clang::DeclRefExpr *use : syntax.handedBy(call).assigned)
      add(use);
    return true;
  }

private:
  void add(const clang::Expr *place) {
    if (const clang::VarDecl *variable = variableOf(place))
      assigned.insert(variable);
  }

  Syntax &syntax;
  llvm::DenseSet<const clang::VarDecl *> &assigned;
};

/// Looks an answer up; true if it has to be found out.
template <typename Map, typename Key>
bool isNew(Map &answers, Key key, auto *&answer) {
  auto [entry, inserted] = answers.try_emplace(key);
  if (inserted)
    entry->second = std::make_unique<std::remove_reference_t<decltype(*answer)>>();
  answer = entry->second.get();
  return inserted;
}

clang::Stmt *traversable(const clang::Stmt *statement) {
  return const_cast<clang::Stmt *>(statement);
}

} // namespace

bool Syntax::contains(const clang::Stmt *outer, const clang::Stmt *inner) {
  llvm::DenseSet<const clang::Stmt *> *all = nullptr;
  if (isNew(parts, outer, all))
    PartFinder(*all).TraverseStmt(traversable(outer));
  return all->contains(inner);
}

const llvm::DenseSet<const clang::VarDecl *> &Syntax::assignedIn(const clang::Stmt *statement) {
  llvm::DenseSet<const clang::VarDecl *> *found = nullptr;
  if (isNew(assigned, statement, found))
    AssignmentFinder(*this, *found).TraverseStmt(traversable(statement));
  return *found;
}

const Handed &Syntax::handedBy(const clang::CallExpr *call) {
  Handed *found = nullptr;
  if (isNew(handed, call, found))
    *found = handedTo(*call);
  return *found;
}

bool Syntax::isStructured(const clang::Stmt *body) {
  auto [entry, isNew] = structured.try_emplace(body, true);
  if (isNew) {
    LabelSeeker seeker;
    seeker.TraverseStmt(traversable(body));
    entry->second = !seeker.found;
  }
  return entry->second;
}

bool Syntax::isSettled(const clang::VarDecl *variable, const clang::Stmt *body,
                       const clang::Stmt *point) {
  const auto *compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  if (!compound)
    return false;
  bool reached = false;
  for (const clang::Stmt *part : compound->body()) {
    reached = reached || contains(part, point);
    if (reached && assignedIn(part).contains(variable))
      return false;
  }
  return reached;
}

const Changes &Syntax::changesIn(const clang::Stmt &body) {
  Changes *found = nullptr;
  if (isNew(changes, &body, found))
    *found = findChanges(body);
  return *found;
}

const std::optional<llvm::APSInt> &Syntax::constant(const clang::Expr *expression) {
  std::optional<llvm::APSInt> *value = nullptr;
  if (isNew(constants, expression, value))
    if (clang::Expr::EvalResult result; expression->EvaluateAsInt(result, ast))
      *value = result.Val.getInt();
  return *value;
}

const clang::VarDecl *variableOf(const clang::Expr *place) {
  const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
  return use ? llvm::dyn_cast<clang::VarDecl>(use->getDecl()) : nullptr;
}

bool jumps(const clang::Stmt *statement, bool breaks) {
  if (!statement || llvm::isa<clang::LambdaExpr>(statement))
    return false;
  if (llvm::isa<clang::ContinueStmt>(statement) ||
      (breaks && llvm::isa<clang::BreakStmt>(statement)))
    return true;
  if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt>(statement))
    return false;
  bool inner = breaks && !llvm::isa<clang::SwitchStmt>(statement);
  return llvm::any_of(statement->children(),
                      [&](const clang::Stmt *part) { return jumps(part, inner); });
}

} // namespace warpdrf::frontend
