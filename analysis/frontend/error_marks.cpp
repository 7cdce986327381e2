// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/error_marks.h"

namespace warpdrf::frontend {
namespace {

constexpr llvm::StringLiteral markName = "warpdrf: errors in the body";

bool isMarked(const clang::FunctionDecl *function) {
  return llvm::any_of(function->specific_attrs<clang::AnnotateAttr>(),
                      [](const auto *attribute) { return attribute->getAnnotation() == markName; });
}

void markFunction(clang::FunctionDecl *function, llvm::ArrayRef<clang::SourceLocation> places) {
  const clang::SourceManager &sources = function->getASTContext().getSourceManager();
  clang::SourceLocation begin = sources.getExpansionLoc(function->getBeginLoc());
  clang::SourceLocation end = sources.getExpansionRange(function->getEndLoc()).getEnd();
  if (begin.isInvalid() || end.isInvalid() || isMarked(function))
    return;
  bool inside = llvm::any_of(places, [&](clang::SourceLocation place) {
    return sources.isPointWithin(place, begin, end);
  });
  if (inside)
    function->addAttr(
        clang::AnnotateAttr::CreateImplicit(function->getASTContext(), markName, nullptr, 0));
}

} // namespace

void markErrors(llvm::ArrayRef<clang::Decl *> declarations,
                llvm::ArrayRef<clang::SourceLocation> places) {
  if (places.empty())
    return;
  for (clang::Decl *declaration : declarations) {
    if (auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(declaration)) {
      declaration = pattern->getTemplatedDecl();
      if (!declaration)
        continue;
    }
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      markFunction(function, places);
    } else if (auto *context = llvm::dyn_cast<clang::DeclContext>(declaration)) {
      llvm::SmallVector<clang::Decl *> inner(context->noload_decls());
      markErrors(inner, places);
    }
  }
}

bool hasMarkedErrors(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *pattern = function->getTemplateInstantiationPattern();
  return isMarked(function) || (pattern && isMarked(pattern));
}

} // namespace warpdrf::frontend
