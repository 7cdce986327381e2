// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/shared_objects.h"

namespace warpdrf::frontend {

static void emptyDestructor(const clang::CXXRecordDecl *record) {
  clang::CXXDestructorDecl *destructor = record->getDestructor();
  if (!destructor || !destructor->doesThisDeclarationHaveABody())
    return;
  const clang::SourceLocation at = destructor->getLocation();
  destructor->setBody(
      clang::CompoundStmt::Create(record->getASTContext(), {}, clang::FPOptionsOverride(), at, at));
}

void emptySharedDestructors(llvm::ArrayRef<clang::Decl *> declarations) {
  for (clang::Decl *declaration : declarations) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(declaration);
    if (!space || (space->getName() != "cuda" && !space->isInline()))
      continue;
    llvm::SmallVector<clang::Decl *> inner(space->noload_decls());
    for (clang::Decl *each : inner)
      if (const auto *record = llvm::dyn_cast<clang::CXXRecordDecl>(each);
          record && record->getName() == "barrier" && record->isThisDeclarationADefinition())
        emptyDestructor(record);
    emptySharedDestructors(inner);
  }
}

} // namespace warpdrf::frontend
