// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/callers.h"

namespace warpdrf::frontend {
namespace {

class ReferenceFinder : public clang::RecursiveASTVisitor<ReferenceFinder> {
public:
  llvm::DenseSet<const clang::FunctionDecl *> called, referred; ///< canonical

  void visitBody(clang::Decl *code) {
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(code))
      TraverseStmt(variable->getInit());
    else
      TraverseStmt(code->getBody());
  }

  /// What runs with a function but is not in its body.
  void visitAround(clang::Decl *code) {
    if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(code))
      for (clang::CXXCtorInitializer *init : constructor->inits())
        TraverseStmt(init->getInit());
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(code))
      for (clang::ParmVarDecl *parameter : function->parameters())
        if (parameter->hasDefaultArg() && !parameter->hasUnparsedDefaultArg() &&
            !parameter->hasUninstantiatedDefaultArg())
          TraverseStmt(parameter->getDefaultArg());
  }

  bool VisitCallExpr(clang::CallExpr *call) {
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
    if (name)
      callees.insert(name);
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *use) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(use->getDecl()))
      // A call comes before its parts.
      (callees.contains(use) ? called : referred).insert(function->getCanonicalDecl());
    return true;
  }

  bool shouldVisitImplicitCode() const { return true; }

private:
  llvm::DenseSet<const clang::DeclRefExpr *> callees;
};

/// Calls in other units may say otherwise; that the launches seen are all is an assumption anyway.
bool canBeFollowed(const clang::FunctionDecl *function) {
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  return !method || clang::isLambdaCallOperator(method);
}

} // namespace

llvm::DenseSet<const clang::FunctionDecl *> findReferences(clang::Decl *code) {
  ReferenceFinder finder;
  finder.visitBody(code);
  finder.visitAround(code);
  finder.referred.insert(finder.called.begin(), finder.called.end());
  return std::move(finder.referred);
}

llvm::DenseSet<const clang::FunctionDecl *>
findCoveredFunctions(const std::vector<clang::Decl *> &code) {
  ReferenceFinder bodies, around;
  for (clang::Decl *declaration : code) {
    bodies.visitBody(declaration);
    around.visitAround(declaration);
  }
  llvm::DenseSet<const clang::FunctionDecl *> covered;
  for (clang::Decl *declaration : code) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!function || !canBeFollowed(function))
      continue;
    const clang::FunctionDecl *named = function->getCanonicalDecl();
    if (bodies.called.contains(named) && !bodies.referred.contains(named) &&
        !around.called.contains(named) && !around.referred.contains(named))
      covered.insert(named);
  }
  return covered;
}

} // namespace warpdrf::frontend
