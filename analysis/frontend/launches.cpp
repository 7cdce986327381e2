// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launches.h"

#include "analysis/frontend/call_sites.h"
#include "analysis/frontend/callers.h"
#include "analysis/frontend/constants.h"
#include "analysis/frontend/launch_facts.h"
#include "analysis/frontend/launch_merge.h"
#include "analysis/frontend/ranges.h"
#include "analysis/frontend/syntax.h"

#include "llvm/Support/SaveAndRestore.h"

#include <set>

namespace warpdrf::frontend {
namespace {

clang::Stmt *bodyOf(clang::Decl *declaration) {
  if (auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
    return variable->getInit();
  return declaration->getBody();
}

constexpr unsigned MaxVisits = 4000; ///< of bodies, along all chains of calls

class LaunchFinder {
public:
  LaunchFinder(clang::ASTContext &ast,
               const std::map<const clang::FunctionDecl *, std::string> &kernels,
               const std::vector<clang::Decl *> &launching)
      : ast(ast), syntax(ast), kernels(kernels), covered(findCoveredFunctions(launching)) {}

  /// Looks at code on its own unless all calls of it are known.
  void visit(clang::Decl *code, bool alone = false) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(code);
    if (!bodyOf(code) || (!alone && function && isCovered(function)))
      return;
    HostConstants constants(ast, syntax, code);
    visit(code, constants, clang::SourceRange());
  }

  /// Looks at code that no chain of calls has led to after all.
  void visitRest(const std::vector<clang::Decl *> &launching) {
    llvm::DenseSet<const clang::FunctionDecl *> done;
    for (bool more = true; std::exchange(more, false);)
      for (clang::Decl *code : launching) {
        const auto *function = llvm::dyn_cast<clang::FunctionDecl>(code);
        const clang::FunctionDecl *named = function ? function->getCanonicalDecl() : nullptr;
        bool rest =
            named && isCovered(named) && (!reached.contains(named) || missed.contains(named));
        if (!rest || !done.insert(named).second)
          continue;
        visit(code, /*alone=*/true);
        more = true;
      }
  }

  /// Kernels that no chain of calls seen launches still have the launches in their own functions,
  /// as other callers may see them.
  void visitForgotten(const std::vector<clang::Decl *> &launching) {
    std::vector<MergedLaunch> seen = std::exchange(result, {});
    std::set<std::string> launched;
    for (const MergedLaunch &each : seen)
      launched.insert(each.launch.kernel);
    bool forgotten = llvm::any_of(
        kernels, [&](const auto &kernel) { return !launched.contains(kernel.second); });
    if (forgotten)
      for (clang::Decl *code : launching)
        visit(code, /*alone=*/true);
    std::erase_if(result,
                  [&](const MergedLaunch &each) { return launched.contains(each.launch.kernel); });
    result.insert(result.end(), seen.begin(), seen.end());
  }

  std::vector<MergedLaunch> result;

private:
  bool isCovered(const clang::FunctionDecl *function) const {
    return covered.contains(function->getCanonicalDecl());
  }

  /// `from` is the call that led here, in the function that names the kernel; none there itself.
  void visit(clang::Decl *code, HostConstants &constants, clang::SourceRange from) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(code);
    active.push_back(function);
    ++visits;
    for (const CallSite &site : findCallSites(bodyOf(code))) {
      llvm::SaveAndRestore<HostConstants::Facts> outer(constants.assumed());
      const std::size_t around = conditions.size();
      bool runs = assume(site, constants);
      const auto *launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(site.call);
      if (!launch && isLaunchCall(*site.call))
        addCall(*site.call, runs, constants, from);
      else if (!launch)
        follow(*site.call, runs, constants, from);
      // A kernel that a helper names itself is found when the helper is visited for its own sake.
      else if (runs && (from.isInvalid() || !launch->getDirectCallee() || isCovered(function)))
        add(*launch, constants, launch->getDirectCallee() ? clang::SourceRange() : from);
      conditions.resize(around);
    }
    active.pop_back();
  }

  /// What holds at a call. False if it is known not to run.
  bool assume(const CallSite &site, HostConstants &constants) {
    const auto holds = [&](const Condition &condition) {
      return condition.equals ? constants.assumeEqual(condition.expression, condition.equals)
                              : constants.assume(condition.expression, condition.holds);
    };
    const auto isSure = [&](const Condition &given) {
      HostConstants::Value value = constants.evaluate(given.expression);
      return value && (*value != 0) == given.holds;
    };
    bool runs = true;
    for (const Condition &condition : site.conditions)
      if (condition.given.empty()) {
        runs = runs && holds(condition);
        conditions.push_back({&constants, condition});
      }
    // What the branches around the call say may make sure what is asserted before them.
    for (const Condition &condition : site.conditions)
      if (llvm::all_of(condition.given, isSure)) {
        runs = runs && holds(condition);
        if (!condition.given.empty())
          conditions.push_back({&constants, condition});
      }
    return runs;
  }

  /// Where the call may lead to launches: a helper that is handed a kernel, perhaps launches it;
  /// one that all calls are known of is looked at with each.
  void follow(const clang::CallExpr &call, bool runs, HostConstants &constants,
              clang::SourceRange from) {
    const clang::FunctionDecl *helper = call.getDirectCallee();
    const clang::FunctionDecl *definition = nullptr;
    if (!helper || call.isInstantiationDependent() || !helper->hasBody(definition) ||
        ast.getSourceManager().isInSystemHeader(definition->getLocation()))
      return;
    bool all = isCovered(helper);
    if (all && !runs)
      reached.insert(helper->getCanonicalDecl());
    if (!runs || (!all && llvm::isa<clang::CXXMethodDecl>(helper)))
      return;
    llvm::ArrayRef<const clang::Expr *> arguments(call.getArgs(), call.getNumArgs());
    bool handsKernel = llvm::any_of(arguments, [&](const clang::Expr *argument) {
      return llvm::any_of(constants.functions(argument), [](const clang::FunctionDecl *function) {
        return function->hasAttr<clang::CUDAGlobalAttr>();
      });
    });
    if (!all && !handsKernel)
      return;
    if (llvm::isa<clang::CXXMethodDecl>(helper))
      arguments = arguments.drop_front(); // the closure
    bool again = llvm::is_contained(active, definition);
    HostConstants *inner =
        again || visits >= MaxVisits ? nullptr : constants.enter(definition, arguments);
    if (inner) {
      clang::SourceRange start = from.isValid() ? from : call.getSourceRange();
      visit(const_cast<clang::FunctionDecl *>(definition), *inner,
            handsKernel ? start : clang::SourceRange());
    }
    if (all)
      (inner ? reached : missed).insert(helper->getCanonicalDecl());
  }

  /// A launch by `call`, or by the call `from` that led there.
  Launch launchOf(const std::string &symbol, const clang::CallExpr &call,
                  clang::SourceRange from) const {
    Launch launch;
    launch.kernel = symbol;
    launch.range = rangeOf(ast.getSourceManager(), ast.getLangOpts(),
                           from.isValid() ? from : call.getSourceRange());
    return launch;
  }

  /// `cudaLaunchKernel(kernel, grid, block, arguments, …)` and its cooperative twin.
  static bool isLaunchCall(const clang::CallExpr &call) {
    const clang::FunctionDecl *callee = call.getDirectCallee();
    return callee && callee->getDeclName().isIdentifier() && call.getNumArgs() >= 4 &&
           (callee->getName() == "cudaLaunchKernel" ||
            callee->getName() == "cudaLaunchCooperativeKernel");
  }

  /// The arguments of such a call are behind pointers: only the dimensions are known.
  void addCall(const clang::CallExpr &call, bool runs, HostConstants &constants,
               clang::SourceRange from) {
    if (!runs || call.isInstantiationDependent())
      return;
    for (const clang::FunctionDecl *callee : constants.functions(call.getArg(0)))
      if (auto kernel = kernels.find(callee->getCanonicalDecl()); kernel != kernels.end()) {
        Launch launch = launchOf(kernel->second, call, from);
        launch.grid = constants.dims(call.getArg(1));
        launch.block = constants.dims(call.getArg(2));
        launch.arguments.resize(callee->getNumParams());
        merge(result, std::move(launch));
      }
  }

  void add(const clang::CUDAKernelCallExpr &call, HostConstants &constants,
           clang::SourceRange from) {
    if (call.isInstantiationDependent() || !call.getConfig())
      return;
    std::vector<const clang::FunctionDecl *> callees{call.getDirectCallee()};
    if (!callees.front())
      callees = constants.functions(call.getCallee());
    for (const clang::FunctionDecl *callee : callees)
      if (auto kernel = kernels.find(callee->getCanonicalDecl()); kernel != kernels.end())
        add(call, *callee, kernel->second, constants, from);
  }

  void add(const clang::CUDAKernelCallExpr &call, const clang::FunctionDecl &callee,
           const std::string &symbol, HostConstants &constants, clang::SourceRange from) {
    Launch launch = launchOf(symbol, call, from);
    const clang::CallExpr &config = *call.getConfig();
    if (config.getNumArgs() >= 2) {
      launch.grid = constants.dims(config.getArg(0));
      launch.block = constants.dims(config.getArg(1));
    }
    for (const clang::Expr *argument : call.arguments())
      launch.arguments.push_back(constants.integer(argument));
    tieTogether(launch, call, callee, constants, conditions);
    launch.aliases = aliasesAmong(call);
    merge(result, std::move(launch));
  }

  /// The variable a pointer argument is, or is a constant number of elements behind.
  struct Target {
    const clang::VarDecl *variable = nullptr;
    std::int64_t bytes = 0;
  };
  Target targetOf(const clang::Expr *argument) const {
    Target target;
    const clang::Expr *expr = argument->IgnoreParenCasts();
    while (const auto *sum = llvm::dyn_cast<clang::BinaryOperator>(expr)) {
      clang::Expr::EvalResult count;
      if (!sum->isAdditiveOp() || !sum->getLHS()->getType()->isPointerType() ||
          sum->getLHS()->getType()->isVoidPointerType() ||
          !sum->getRHS()->EvaluateAsInt(count, ast))
        return {};
      std::int64_t size =
          ast.getTypeSizeInChars(sum->getLHS()->getType()->getPointeeType()).getQuantity();
      std::int64_t elements = count.Val.getInt().getExtValue();
      target.bytes += (sum->getOpcode() == clang::BO_Add ? elements : -elements) * size;
      expr = sum->getLHS()->IgnoreParenCasts();
    }
    if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expr))
      if (name->getType()->isPointerType())
        target.variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return target;
  }

  std::vector<Launch::Alias> aliasesAmong(const clang::CallExpr &call) const {
    std::vector<Launch::Alias> aliases;
    std::vector<Target> targets;
    for (const clang::Expr *argument : call.arguments()) {
      Target target = targetOf(argument);
      auto first = llvm::find_if(targets, [&](const Target &earlier) {
        return target.variable && earlier.variable == target.variable;
      });
      if (first != targets.end())
        aliases.push_back({static_cast<unsigned>(targets.size()),
                           static_cast<unsigned>(first - targets.begin()),
                           target.bytes - first->bytes});
      targets.push_back(target);
    }
    return aliases;
  }

  clang::ASTContext &ast;
  Syntax syntax;
  const std::map<const clang::FunctionDecl *, std::string> &kernels;
  llvm::DenseSet<const clang::FunctionDecl *> covered; ///< all calls are known
  llvm::DenseSet<const clang::FunctionDecl *> reached; ///< with what all calls say
  llvm::DenseSet<const clang::FunctionDecl *> missed;  ///< with what some call says
  std::vector<const clang::FunctionDecl *> active;
  std::vector<PlacedCondition> conditions; ///< hold where the visit is
  unsigned visits = 0;
};

} // namespace

std::vector<Launch>
findLaunches(clang::ASTContext &ast, const std::vector<clang::Decl *> &launching,
             const std::map<const clang::FunctionDecl *, std::string> &kernels) {
  LaunchFinder finder(ast, kernels, launching);
  for (clang::Decl *code : launching)
    finder.visit(code);
  finder.visitRest(launching);
  finder.visitForgotten(launching);
  std::vector<Launch> launches;
  for (MergedLaunch &found : finder.result)
    launches.push_back(settled(std::move(found)));
  llvm::stable_sort(launches, [](const Launch &a, const Launch &b) { return a.range < b.range; });
  return launches;
}

} // namespace warpdrf::frontend
