// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launches.h"

#include "analysis/frontend/constants.h"
#include "analysis/frontend/ranges.h"

#include <deque>

namespace warpdrf::frontend {
namespace {

/// Looks at one body: its launches, and the functions it names.
class BodyVisitor : public clang::RecursiveASTVisitor<BodyVisitor> {
public:
  std::vector<const clang::CUDAKernelCallExpr *> launches;
  std::vector<const clang::FunctionDecl *> named;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) {
    launches.push_back(call);
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *use) { return name(use->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr *use) { return name(use->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *use) { return name(use->getConstructor()); }
  bool shouldVisitImplicitCode() const { return true; }

private:
  bool name(const clang::ValueDecl *declaration) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
      named.push_back(function);
    return true;
  }
};

class LaunchFinder {
public:
  LaunchFinder(clang::ASTContext &ast,
               const std::map<const clang::FunctionDecl *, std::string> &kernels)
      : ast(ast), sources(ast.getSourceManager()), kernels(kernels) {}

  std::vector<Launch> run(const std::vector<clang::Decl *> &roots) {
    for (clang::Decl *root : roots)
      addRoot(root);
    for (; !work.empty(); work.pop_front())
      visit(work.front());
    return std::move(result);
  }

private:
  void addRoot(clang::Decl *root) {
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(root))
      return add(function);
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(root)) {
      if (variable->getInit() && !variable->getType()->isDependentType() && user(variable))
        visitBody(const_cast<clang::Expr *>(variable->getInit()));
      return;
    }
    if (auto *context = llvm::dyn_cast<clang::DeclContext>(root);
        context && user(root) && !context->isDependentContext())
      for (clang::Decl *inner : context->decls())
        addRoot(inner);
  }

  bool user(const clang::Decl *declaration) const {
    return !sources.isInSystemHeader(sources.getExpansionLoc(declaration->getLocation()));
  }

  void add(const clang::FunctionDecl *function) {
    const clang::FunctionDecl *definition = nullptr;
    if (!user(function) || !function->hasBody(definition) || definition->isDependentContext())
      return;
    if (seen.insert(definition).second)
      work.push_back(definition);
  }

  void visit(const clang::FunctionDecl *definition) {
    visitBody(definition->getBody());
    if (const auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer *init : constructor->inits())
        visitBody(init->getInit());
  }

  void visitBody(clang::Stmt *body) {
    if (!body)
      return;
    BodyVisitor visitor;
    visitor.TraverseStmt(body);
    for (const clang::FunctionDecl *function : visitor.named)
      add(function);
    if (visitor.launches.empty())
      return;
    HostConstants constants(ast, body);
    for (const clang::CUDAKernelCallExpr *call : visitor.launches)
      addLaunch(*call, constants);
  }

  void addLaunch(const clang::CUDAKernelCallExpr &call, HostConstants &constants) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (!callee || call.isInstantiationDependent() || !call.getConfig())
      return;
    auto kernel = kernels.find(callee->getCanonicalDecl());
    if (kernel == kernels.end())
      return;
    Launch launch;
    launch.kernel = kernel->second;
    launch.range = rangeOf(sources, ast.getLangOpts(), call.getSourceRange());
    const clang::CallExpr &config = *call.getConfig();
    if (config.getNumArgs() >= 2) {
      launch.grid = constants.dims(config.getArg(0));
      launch.block = constants.dims(config.getArg(1));
    }
    for (const clang::Expr *argument : call.arguments())
      launch.arguments.push_back(constants.integer(argument));
    result.push_back(std::move(launch));
  }

  clang::ASTContext &ast;
  const clang::SourceManager &sources;
  const std::map<const clang::FunctionDecl *, std::string> &kernels;
  llvm::DenseSet<const clang::FunctionDecl *> seen;
  std::deque<const clang::FunctionDecl *> work;
  std::vector<Launch> result;
};

} // namespace

std::vector<Launch>
findLaunches(clang::ASTContext &ast, const std::vector<clang::Decl *> &roots,
             const std::map<const clang::FunctionDecl *, std::string> &kernels) {
  return LaunchFinder(ast, kernels).run(roots);
}

} // namespace warpdrf::frontend
