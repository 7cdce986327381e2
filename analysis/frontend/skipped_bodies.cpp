// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/skipped_bodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

namespace warpdrf::frontend {

bool isOfNoUse(const clang::Decl *function) {
  if (const auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(function))
    function = pattern->getTemplatedDecl();
  if (function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAGlobalAttr>())
    return false;
  const clang::SourceManager &sources = function->getASTContext().getSourceManager();
  return sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation()));
}

} // namespace warpdrf::frontend
