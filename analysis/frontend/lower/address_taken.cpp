// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/lower/address_taken.h"

namespace warpdrf::frontend {

bool isStandardMinMax(const clang::FunctionDecl *callee) {
  return callee->isInStdNamespace() && callee->getNumParams() == 2 &&
         callee->getDeclName().isIdentifier() &&
         (callee->getName() == "min" || callee->getName() == "max");
}

AddressTaken::AddressTaken(const clang::FunctionDecl *function) {
  if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const clang::CXXCtorInitializer *initialiser : constructor->inits())
      visit(initialiser->getInit());
  visit(function->getBody());
}

void AddressTaken::visitRead(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (llvm::isa<clang::DeclRefExpr>(expr))
    return;
  if (const auto *conditional = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    visit(conditional->getCond());
    visitRead(conditional->getTrueExpr());
    return visitRead(conditional->getFalseExpr());
  }
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
      binary && binary->getOpcode() == clang::BO_Comma) {
    visit(binary->getLHS());
    return visitRead(binary->getRHS());
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr);
      cast && cast->getCastKind() == clang::CK_NoOp)
    return visitRead(cast->getSubExpr());
  visit(expr);
}

/// Takes its arguments by reference only to read them, and is known by name (builtins.cpp,
/// groups.cpp).
static bool onlyReads(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getDeclName().isIdentifier())
    return false;
  const std::string name = callee->getQualifiedNameAsString();
  return isStandardMinMax(callee) || (llvm::StringRef(name).starts_with("cooperative_groups::") &&
                                      callee->getName().starts_with("shfl"));
}

void AddressTaken::visitAssigned(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      modified.insert(variable);
    return;
  }
  visit(expr);
}

void AddressTaken::visit(const clang::Stmt *stmt) {
  if (!stmt)
    return;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
      taken.insert(variable);
    return;
  }
  if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(stmt);
      cast &&
      (cast->getCastKind() == clang::CK_LValueToRValue || cast->getCastKind() == clang::CK_ToVoid))
    return visitRead(cast->getSubExpr());
  if (const auto *binary = llvm::dyn_cast<clang::BinaryOperator>(stmt);
      binary && binary->isAssignmentOp()) {
    visitAssigned(binary->getLHS());
    return visit(binary->getRHS());
  }
  if (const auto *unary = llvm::dyn_cast<clang::UnaryOperator>(stmt);
      unary && unary->isIncrementDecrementOp())
    return visitAssigned(unary->getSubExpr());
  if (const auto *assembly = llvm::dyn_cast<clang::GCCAsmStmt>(stmt)) {
    for (unsigned i = 0; i < assembly->getNumOutputs(); ++i)
      visitAssigned(assembly->getOutputExpr(i));
    for (unsigned i = 0; i < assembly->getNumInputs(); ++i)
      visit(assembly->getInputExpr(i));
    return;
  }
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(stmt); call && onlyReads(call)) {
    visit(call->getCallee());
    for (const clang::Expr *argument : call->arguments())
      visitRead(argument);
    return;
  }
  if (const auto *lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt)) {
    for (const clang::Expr *init : lambda->capture_inits())
      visit(init);
    return; // the body is another function's
  }
  if (const auto *declarations = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl *decl : declarations->decls())
      if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(decl))
        visit(variable->getInit());
    return;
  }
  if (const auto *defaulted = llvm::dyn_cast<clang::CXXDefaultInitExpr>(stmt))
    return visit(defaulted->getExpr());
  for (const clang::Stmt *child : stmt->children())
    visit(child);
}

} // namespace warpdrf::frontend
