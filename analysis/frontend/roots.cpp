// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/roots.h"

#include "analysis/frontend/callers.h"

namespace warpdrf::frontend {
namespace {

class LaunchSeeker : public clang::RecursiveASTVisitor<LaunchSeeker> {
public:
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *) { return !(found = true); }
  /// A kernel that is handed to a helper, which launches it.
  bool VisitDeclRefExpr(clang::DeclRefExpr *use) {
    found = found || use->getDecl()->hasAttr<clang::CUDAGlobalAttr>();
    return !found;
  }
  bool found = false;
};

bool launches(clang::Stmt *body) {
  LaunchSeeker seeker;
  seeker.TraverseStmt(body);
  return seeker.found;
}

class RootFinder {
public:
  void visit(clang::Decl *declaration) {
    const clang::SourceManager &sources = declaration->getASTContext().getSourceManager();
    if (sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation())))
      return;
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      visitFunction(function);
    } else if (auto *pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
      if (pattern->getTemplatedDecl()->hasAttr<clang::CUDAGlobalAttr>())
        add(roots.templates, pattern->getCanonicalDecl());
    } else if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (variable->getInit() && !variable->getInit()->isInstantiationDependent() &&
          launches(variable->getInit()))
        add(roots.launching, variable);
      else if (variable->getInit() && !variable->getInit()->isInstantiationDependent())
        addOther(variable);
    } else if (auto *context = llvm::dyn_cast<clang::DeclContext>(declaration);
               context && !context->isDependentContext()) {
      for (clang::Decl *inner : context->decls())
        visit(inner);
    }
  }

  /// Adds what calls launching code, `known` or found, and what calls that.
  void addCallers(const Roots &known) {
    llvm::DenseSet<const clang::FunctionDecl *> launching;
    auto note = [&](const clang::Decl *code) {
      if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(code))
        launching.insert(function->getCanonicalDecl());
    };
    llvm::for_each(known.launching, note);
    llvm::for_each(roots.launching, note);
    for (std::size_t before = 0; before != roots.launching.size() && !others.empty();) {
      before = roots.launching.size();
      llvm::erase_if(others, [&](const auto &other) {
        bool calls =
            llvm::any_of(other.second, [&](auto *used) { return launching.contains(used); });
        if (calls) {
          add(roots.launching, other.first);
          note(other.first);
        }
        return calls;
      });
    }
  }

  Roots roots;

private:
  void visitFunction(clang::FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext())
      return;
    if (function->hasAttr<clang::CUDAGlobalAttr>())
      add(roots.kernels, function);
    else if (function->getBody() && launches(function->getBody()))
      add(roots.launching, function);
    else if (function->getBody())
      addOther(function);
  }

  void addOther(clang::Decl *code) {
    if (seen.contains(code))
      return;
    llvm::DenseSet<const clang::FunctionDecl *> references = findReferences(code);
    if (!references.empty())
      others.emplace_back(code, std::move(references));
  }

  void add(std::vector<clang::Decl *> &list, clang::Decl *declaration) {
    if (seen.insert(declaration).second)
      list.push_back(declaration);
  }

  llvm::DenseSet<const clang::Decl *> seen;
  std::vector<std::pair<clang::Decl *, llvm::DenseSet<const clang::FunctionDecl *>>> others;
};

} // namespace

Roots findRoots(const std::vector<clang::Decl *> &declarations, const Roots &known) {
  RootFinder finder;
  for (clang::Decl *declaration : declarations)
    finder.visit(declaration);
  finder.addCallers(known);
  return std::move(finder.roots);
}

void Roots::append(const Roots &more) {
  kernels.insert(kernels.end(), more.kernels.begin(), more.kernels.end());
  templates.insert(templates.end(), more.templates.begin(), more.templates.end());
  launching.insert(launching.end(), more.launching.begin(), more.launching.end());
}

void limitTraversal(clang::ASTContext &ast, const Roots &roots) {
  std::vector<clang::Decl *> scope = roots.kernels;
  for (clang::Decl *pattern : roots.templates)
    if (llvm::cast<clang::FunctionTemplateDecl>(pattern)->specializations().empty())
      scope.push_back(pattern);
  const clang::SourceManager &sources = ast.getSourceManager();
  std::stable_sort(scope.begin(), scope.end(), [&](clang::Decl *a, clang::Decl *b) {
    return sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  ast.setTraversalScope(scope);
}

} // namespace warpdrf::frontend
