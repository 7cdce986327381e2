// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launches.h"

#include "analysis/frontend/constants.h"
#include "analysis/frontend/ranges.h"

namespace warpdrf::frontend {
namespace {

class LaunchCollector : public clang::RecursiveASTVisitor<LaunchCollector> {
public:
  std::vector<const clang::CUDAKernelCallExpr *> launches;

  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr *call) {
    launches.push_back(call);
    return true;
  }
};

clang::Stmt *bodyOf(clang::Decl *declaration) {
  if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
    return variable->getInit();
  return declaration->getBody();
}

class LaunchFinder {
public:
  LaunchFinder(clang::ASTContext &ast,
               const std::map<const clang::FunctionDecl *, std::string> &kernels)
      : ast(ast), kernels(kernels) {}

  void visit(clang::Stmt *body) {
    LaunchCollector collector;
    collector.TraverseStmt(body);
    HostConstants constants(ast, body);
    for (const clang::CUDAKernelCallExpr *call : collector.launches)
      add(*call, constants);
  }

  std::vector<Launch> result;

private:
  void add(const clang::CUDAKernelCallExpr &call, HostConstants &constants) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    if (!callee || call.isInstantiationDependent() || !call.getConfig())
      return;
    auto kernel = kernels.find(callee->getCanonicalDecl());
    if (kernel == kernels.end())
      return;
    Launch launch;
    launch.kernel = kernel->second;
    launch.range = rangeOf(ast.getSourceManager(), ast.getLangOpts(), call.getSourceRange());
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
  const std::map<const clang::FunctionDecl *, std::string> &kernels;
};

} // namespace

std::vector<Launch>
findLaunches(clang::ASTContext &ast, const std::vector<clang::Decl *> &launching,
             const std::map<const clang::FunctionDecl *, std::string> &kernels) {
  LaunchFinder finder(ast, kernels);
  for (clang::Decl *declaration : launching)
    if (clang::Stmt *body = bodyOf(declaration))
      finder.visit(body);
  std::stable_sort(finder.result.begin(), finder.result.end(),
                   [](const Launch &a, const Launch &b) { return a.range < b.range; });
  return std::move(finder.result);
}

} // namespace warpdrf::frontend
