// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/lower/targets.h"

#include "llvm/ADT/SetVector.h"

namespace warpdrf::frontend {

namespace {
class TargetFinder : public clang::RecursiveASTVisitor<TargetFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitCallExpr(clang::CallExpr *call) {
    called.insert(call->getCallee()->IgnoreParenImpCasts());
    if (const auto *conversion =
            llvm::dyn_cast_or_null<clang::CXXConversionDecl>(call->getDirectCallee());
        conversion && conversion->getParent()->isLambda() &&
        conversion->getConversionType()->isFunctionPointerType())
      fromLambdas.push_back(conversion->getConversionType()->getPointeeType());
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *name) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    if (function && function->hasAttr<clang::CUDADeviceAttr>() && !called.contains(name) &&
        !function->isDependentContext())
      addressed.insert(function->getCanonicalDecl());
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl *record) {
    if (record->isThisDeclarationADefinition() && !record->isDependentType() &&
        record->isPolymorphic() && !record->isAbstract())
      classes.push_back(record);
    return true;
  }

  llvm::SetVector<const clang::FunctionDecl *> addressed;
  std::vector<clang::QualType> fromLambdas;
  std::vector<const clang::CXXRecordDecl *> classes;

private:
  llvm::DenseSet<const clang::Expr *> called;
};
} // namespace

CallTargets::CallTargets(clang::ASTContext &ast)
    : ast(ast), complete(!ast.getLangOpts().GPURelocatableDeviceCode) {
  if (!complete)
    return;
  TargetFinder finder;
  const clang::SourceManager &sources = ast.getSourceManager();
  for (clang::Decl *decl : ast.getTranslationUnitDecl()->decls())
    if (!finder.TraverseDecl(decl))
      complete &= sources.isInSystemHeader(decl->getLocation());
  addressed.assign(finder.addressed.begin(), finder.addressed.end());
  fromLambdas = std::move(finder.fromLambdas);
  classes = std::move(finder.classes);
}

std::vector<const clang::FunctionDecl *> CallTargets::ofPointers(clang::QualType function) const {
  const auto isSame = [&](clang::QualType other) {
    return ast.hasSameFunctionTypeIgnoringExceptionSpec(function, other);
  };
  std::vector<const clang::FunctionDecl *> targets;
  if (llvm::any_of(fromLambdas, isSame))
    return targets;
  llvm::copy_if(addressed, std::back_inserter(targets),
                [&](const clang::FunctionDecl *each) { return isSame(each->getType()); });
  return targets;
}

std::vector<const clang::CXXMethodDecl *>
CallTargets::ofVirtual(const clang::CXXMethodDecl *method) const {
  llvm::SetVector<const clang::CXXMethodDecl *> targets;
  for (const clang::CXXRecordDecl *record : classes)
    if (record->getCanonicalDecl() == method->getParent()->getCanonicalDecl() ||
        record->isDerivedFrom(method->getParent()))
      if (const clang::CXXMethodDecl *final =
              method->getCorrespondingMethodInClass(record, /*MayBeBase=*/true))
        targets.insert(final->getCanonicalDecl());
  return {targets.begin(), targets.end()};
}

} // namespace warpdrf::frontend
