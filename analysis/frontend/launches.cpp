// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launches.h"

#include "analysis/frontend/constants.h"
#include "analysis/frontend/ranges.h"

namespace warpdrf::frontend {
namespace {

/// The launches and the other calls in a body.
class CallCollector : public clang::RecursiveASTVisitor<CallCollector> {
public:
  std::vector<const clang::CUDAKernelCallExpr *> launches;
  std::vector<const clang::CallExpr *> calls;

  bool VisitCallExpr(clang::CallExpr *call) {
    if (const auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(call))
      launches.push_back(launch);
    else
      calls.push_back(call);
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
    HostConstants constants(ast, body);
    visit(body, constants, clang::SourceRange());
  }

  std::vector<Launch> result;

private:
  /// `from` is the call that led here, in the function that names the kernel; none there itself.
  void visit(clang::Stmt *body, HostConstants &constants, clang::SourceRange from) {
    CallCollector collector;
    collector.TraverseStmt(body);
    for (const clang::CUDAKernelCallExpr *launch : collector.launches)
      // A kernel that a helper names itself was found when the helper was visited on its own.
      if (from.isInvalid() || !launch->getDirectCallee())
        add(*launch, constants, from);
    for (const clang::CallExpr *call : collector.calls)
      follow(*call, constants, from);
  }

  /// A helper that is handed a kernel launches it, perhaps.
  void follow(const clang::CallExpr &call, HostConstants &constants, clang::SourceRange from) {
    const clang::FunctionDecl *helper = call.getDirectCallee();
    const clang::FunctionDecl *definition = nullptr;
    if (!helper || llvm::isa<clang::CXXMethodDecl>(helper) || !helper->hasBody(definition) ||
        ast.getSourceManager().isInSystemHeader(definition->getLocation()))
      return;
    bool handsKernel = llvm::any_of(call.arguments(), [&](const clang::Expr *argument) {
      const clang::FunctionDecl *function = constants.function(argument);
      return function && function->hasAttr<clang::CUDAGlobalAttr>();
    });
    if (!handsKernel)
      return;
    std::vector<const clang::Expr *> arguments(call.arg_begin(), call.arg_end());
    if (HostConstants *inner = constants.enter(definition, arguments))
      visit(definition->getBody(), *inner, from.isValid() ? from : call.getSourceRange());
  }

  void add(const clang::CUDAKernelCallExpr &call, HostConstants &constants,
           clang::SourceRange from) {
    if (call.isInstantiationDependent() || !call.getConfig())
      return;
    const clang::FunctionDecl *callee =
        call.getDirectCallee() ? call.getDirectCallee() : constants.function(call.getCallee());
    auto kernel = callee ? kernels.find(callee->getCanonicalDecl()) : kernels.end();
    if (kernel == kernels.end())
      return;
    Launch launch;
    launch.kernel = kernel->second;
    launch.range = rangeOf(ast.getSourceManager(), ast.getLangOpts(),
                           from.isValid() ? from : call.getSourceRange());
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
