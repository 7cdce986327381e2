// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/changes.h"

#include "analysis/frontend/call_sites.h"

#include "llvm/Support/SaveAndRestore.h"

namespace warpdrf::frontend {

bool isForward(const clang::CallExpr &call) {
  const clang::FunctionDecl *callee = call.getDirectCallee();
  return callee && callee->isInStdNamespace() && callee->getIdentifier() &&
         call.getNumArgs() == 1 && (callee->getName() == "forward" || callee->getName() == "move");
}

bool isConst(const clang::VarDecl *variable) {
  return variable->getType().getNonReferenceType().isConstQualified();
}

namespace {

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

constexpr unsigned MaxDepth = 4; ///< of helpers that hand on what they are handed

/// Finds the variables that a body may change: those with a use that is neither a load nor bound to
/// something const.
class ChangeFinder : public clang::RecursiveASTVisitor<ChangeFinder> {
public:
  ChangeFinder(Changes &changes, unsigned depth) : changes(changes), depth(depth) {}

  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    if (binary->isAssignmentOp())
      assigns(binary->getLHS());
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->isIncrementDecrementOp())
      assigns(unary->getSubExpr());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) {
    bool load = cast->getCastKind() == clang::CK_LValueToRValue;
    bool toConst = cast->getCastKind() == clang::CK_NoOp && cast->getType().isConstQualified();
    if (load || toConst)
      keep(cast->getSubExpr());
    return true;
  }

  /// Perfect forwarding of what in the end is a constant; a launch copies its arguments. So does a
  /// helper that is handed a reference and changes nothing. One that sets it assigns here.
  bool VisitCallExpr(clang::CallExpr *call) {
    if (isForward(*call))
      keep(call->getArg(0));
    const Handed handed = handedTo(*call, depth);
    harmless.insert(handed.kept.begin(), handed.kept.end());
    if (lambdas == 0)
      assigned.insert(handed.assigned.begin(), handed.assigned.end());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *use) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(use->getDecl());
    // Parents come before their children, so a load has been seen by now.
    // A copy in a lambda is const where it is used, though the variable is not.
    bool fixed = use->getType().isConstQualified() || harmless.contains(use);
    if (variable && !isConst(variable) && !fixed) {
      changes.changed.insert(variable);
      if (!assigned.contains(use))
        changes.escaped.insert(variable);
    }
    return true;
  }

  /// What stands in the source has no conversions yet: each use in it would look like one of the
  /// variable itself.
  bool TraverseInitListExpr(clang::InitListExpr *list) {
    return TraverseSynOrSemInitListExpr(list->isSemanticForm() ? list : list->getSemanticForm());
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) {
    llvm::SaveAndRestore<unsigned> deeper(lambdas, lambdas + 1);
    std::vector<clang::Stmt *> bodies = instantiatedBodies(*lambda);
    if (bodies.empty())
      return RecursiveASTVisitor::TraverseLambdaExpr(lambda);
    for (auto [capture, init] : llvm::zip(lambda->captures(), lambda->capture_inits()))
      TraverseLambdaCapture(lambda, &capture, init);
    for (clang::Stmt *body : bodies)
      TraverseStmt(body);
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
  void keep(const clang::Expr *place) {
    if (const clang::DeclRefExpr *variable = base(place))
      harmless.insert(variable);
  }

  void assigns(const clang::Expr *place) {
    const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(place->IgnoreParens());
    if (use && lambdas == 0)
      assigned.insert(use);
  }

  Changes &changes;
  unsigned depth;
  llvm::DenseSet<const clang::DeclRefExpr *> harmless;
  llvm::DenseSet<const clang::DeclRefExpr *> assigned; ///< outside lambdas
  unsigned lambdas = 0;
};

} // namespace

/// What a function does to the variable that a parameter points to.
enum class Pointed { Kept, Assigned, Lost };
static Pointed throughPointer(const clang::FunctionDecl &callee, unsigned index, unsigned depth);

namespace {

/// Finds what a body does with a pointer: loads and assignments of what it points to, tests, and
/// calls that are handed it.
class PointerUses : public clang::RecursiveASTVisitor<PointerUses> {
public:
  PointerUses(const clang::ParmVarDecl *pointer, unsigned depth) : pointer(pointer), depth(depth) {}

  bool VisitBinaryOperator(clang::BinaryOperator *binary) {
    if (binary->isAssignmentOp())
      assigns(binary->getLHS());
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->isIncrementDecrementOp())
      assigns(unary->getSubExpr());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr *cast) {
    const clang::DeclRefExpr *use = nullptr;
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      use = pointee(cast->getSubExpr());
    else if (cast->getCastKind() == clang::CK_PointerToBoolean)
      use = itself(cast->getSubExpr());
    if (use)
      known.insert(use);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    for (unsigned i = 0; callee && i < call->getNumArgs(); ++i)
      if (const clang::DeclRefExpr *use = itself(call->getArg(i)))
        if (Pointed there = throughPointer(*callee, i, depth); there != Pointed::Lost) {
          known.insert(use);
          assigned |= there == Pointed::Assigned;
        }
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *use) { // parents come before their children
    lost |= use->getDecl() == pointer && !known.contains(use);
    return !lost;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr *) { return !(lost = true); }

  Pointed result() const {
    return lost ? Pointed::Lost : assigned ? Pointed::Assigned : Pointed::Kept;
  }

private:
  const clang::DeclRefExpr *itself(const clang::Expr *value) const {
    const auto *use = llvm::dyn_cast<clang::DeclRefExpr>(value->IgnoreParenImpCasts());
    return use && use->getDecl() == pointer ? use : nullptr;
  }

  const clang::DeclRefExpr *pointee(const clang::Expr *place) const {
    const auto *load = llvm::dyn_cast<clang::UnaryOperator>(place->IgnoreParens());
    return load && load->getOpcode() == clang::UO_Deref ? itself(load->getSubExpr()) : nullptr;
  }

  void assigns(const clang::Expr *place) {
    if (const clang::DeclRefExpr *use = pointee(place)) {
      known.insert(use);
      assigned = true;
    }
  }

  const clang::ParmVarDecl *pointer;
  unsigned depth;
  llvm::DenseSet<const clang::DeclRefExpr *> known;
  bool assigned = false, lost = false;
};

/// The variable of an argument `&v`; null for others.
const clang::DeclRefExpr *pointedTo(const clang::Expr *argument) {
  const auto *address = llvm::dyn_cast<clang::UnaryOperator>(argument->IgnoreParens());
  return address && address->getOpcode() == clang::UO_AddrOf
             ? llvm::dyn_cast<clang::DeclRefExpr>(address->getSubExpr()->IgnoreParens())
             : nullptr;
}

} // namespace

static Pointed throughPointer(const clang::FunctionDecl &callee, unsigned index, unsigned depth) {
  const clang::FunctionDecl *definition = nullptr;
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method || depth >= MaxDepth || !callee.hasBody(definition) || callee.isDependentContext() ||
      index >= definition->getNumParams())
    return Pointed::Lost;
  PointerUses uses(definition->getParamDecl(index), depth + 1);
  uses.TraverseStmt(definition->getBody());
  return uses.result();
}

Handed handedTo(const clang::CallExpr &call, unsigned depth) {
  Handed handed;
  const clang::FunctionDecl *callee = call.getDirectCallee(), *definition = nullptr;
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  // The object of an operator comes first; which virtual method is called is not known.
  const bool other = method && (method->isVirtual() || llvm::isa<clang::CXXOperatorCallExpr>(call));
  if (!callee || other || depth >= MaxDepth || call.isInstantiationDependent() ||
      !callee->hasBody(definition))
    return handed;
  // What returns a reference may go on to change it outside.
  const bool ends = !definition->getReturnType()->isReferenceType();
  std::optional<Changes> within;
  for (unsigned i = 0; i < std::min(call.getNumArgs(), definition->getNumParams()); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (const clang::DeclRefExpr *variable = pointedTo(call.getArg(i)))
      if (Pointed there = throughPointer(*callee, i, depth); there != Pointed::Lost)
        (there == Pointed::Kept ? handed.kept : handed.assigned).push_back(variable);
    const clang::DeclRefExpr *variable = base(call.getArg(i));
    if (!parameter->getType()->isReferenceType() || !variable)
      continue;
    if (!within)
      within = findChanges(*definition->getBody(), depth + 1);
    if (!within->changed.contains(parameter))
      handed.kept.push_back(variable);
    else if (ends && !within->escaped.contains(parameter))
      handed.assigned.push_back(variable);
  }
  return handed;
}

Changes findChanges(const clang::Stmt &body, unsigned depth) {
  Changes changes;
  ChangeFinder(changes, depth).TraverseStmt(const_cast<clang::Stmt *>(&body));
  return changes;
}

} // namespace warpdrf::frontend
