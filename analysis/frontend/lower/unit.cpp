// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of the lowering: which functions of the unit become `warpdrf.func`s.
#include "analysis/frontend/lower/unit.h"

#include "analysis/frontend/error_marks.h"
#include "analysis/frontend/lower/function.h"
#include "mlir/IR/Verifier.h"

namespace warpdrf::frontend {

namespace {

/// Every kernel with a body, in source order; instantiations after each other as Clang made them.
class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
public:
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool TraverseStmt(clang::Stmt *) { return true; } // kernels are not inside of anything

  bool VisitFunctionTemplateDecl(clang::FunctionTemplateDecl *decl) {
    const clang::FunctionDecl *pattern = decl->getTemplatedDecl();
    if (pattern->hasAttr<clang::CUDAGlobalAttr>() && pattern->isThisDeclarationADefinition() &&
        decl->specializations().empty())
      uninstantiated.push_back(pattern);
    return true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl *function) {
    if (function->hasAttr<clang::CUDAGlobalAttr>() && !function->isDependentContext() &&
        function->doesThisDeclarationHaveABody())
      kernels.push_back(function);
    return true;
  }

  std::vector<const clang::FunctionDecl *> kernels, uninstantiated;
};

/// Clang kept going after an error inside this body: it is not what the user means.
class ErrorFinder : public clang::RecursiveASTVisitor<ErrorFinder> {
public:
  bool VisitExpr(clang::Expr *expr) { return !(found = found || expr->containsErrors()); }
  bool VisitDecl(clang::Decl *decl) { return !(found = found || decl->isInvalidDecl()); }
  /// An initialiser that does not parse is dropped without a trace.
  bool VisitVarDecl(clang::VarDecl *variable) {
    const bool lost = variable->getType()->isReferenceType() && !variable->getInit() &&
                      !llvm::isa<clang::ParmVarDecl>(variable);
    return !(found = found || lost);
  }
  bool found = false;
};

} // namespace

std::string qualifiedName(const clang::FunctionDecl *function) {
  return function->getQualifiedNameAsString();
}

std::string instantiationName(const clang::FunctionDecl *function) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  function->getNameForDiagnostic(stream, function->getASTContext().getPrintingPolicy(),
                                 /*Qualified=*/true);
  return name;
}

UnitLowering::UnitLowering(clang::ASTContext &ast, mlir::MLIRContext &context)
    : ast(ast), context(context), types(ast, context), locations(ast, context),
      module(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context))) {}

bool UnitLowering::hasIntactBody(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = function->getDefinition();
  if (!definition || !definition->getBody() || definition->isInvalidDecl() ||
      hasMarkedErrors(definition))
    return false;
  const auto [known, isNew] = intact.try_emplace(definition, true);
  if (!isNew || isLibrary(definition))
    return known->second;
  ErrorFinder finder;
  finder.TraverseDecl(const_cast<clang::FunctionDecl *>(definition));
  return known->second = !finder.found;
}

std::string UnitLowering::uniqueSymbol(const std::string &wanted) {
  std::string symbol = wanted;
  for (unsigned number = 2; !symbols.insert(symbol).second; ++number)
    symbol = wanted + "#" + std::to_string(number);
  return symbol;
}

std::string UnitLowering::symbolOf(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *canonical = function->getCanonicalDecl();
  std::string &symbol = functions[canonical];
  if (symbol.empty()) {
    symbol = uniqueSymbol(instantiationName(canonical));
    pending.push_back(function->getDefinition() ? function->getDefinition() : function);
  }
  return symbol;
}

std::string UnitLowering::addObject(const std::string &name, const std::string &wanted,
                                    ir::MemorySpace space, std::int64_t size,
                                    clang::SourceRange range) {
  const std::string symbol = uniqueSymbol(wanted);
  // Objects lie in front of the functions, in the order in which they were met.
  mlir::OpBuilder builder(&context);
  mlir::Block &body = *module->getBody();
  auto place =
      llvm::find_if(body, [](mlir::Operation &op) { return !llvm::isa<ir::ObjectOp>(op); });
  builder.setInsertionPoint(&body, place);
  ir::ObjectOp::create(builder, locations.of(range), symbol, name, space, size, mlir::StringAttr());
  return symbol;
}

static ir::MemorySpace spaceOf(const clang::VarDecl *variable) {
  if (variable->hasAttr<clang::CUDASharedAttr>())
    return ir::MemorySpace::Shared;
  if (variable->hasAttr<clang::CUDAConstantAttr>() || variable->getType().isConstQualified() ||
      variable->isConstexpr())
    return ir::MemorySpace::Constant;
  return ir::MemorySpace::Global;
}

std::string UnitLowering::objectOf(const clang::VarDecl *variable) {
  const clang::VarDecl *canonical = variable->getCanonicalDecl();
  const ir::MemorySpace space = spaceOf(canonical);
  const bool dynamic = space == ir::MemorySpace::Shared && canonical->hasExternalStorage();
  std::string &symbol = dynamic ? dynamicShared : variables[canonical];
  if (symbol.empty()) {
    const std::string name = canonical->getNameAsString();
    std::string wanted = name;
    if (const auto *owner = llvm::dyn_cast<clang::FunctionDecl>(canonical->getDeclContext()))
      wanted = dynamic ? name : owner->getNameAsString() + "." + name;
    symbol = addObject(name, wanted, space, dynamic ? 0 : types.size(canonical->getType()),
                       canonical->getSourceRange());
  }
  return symbol;
}

std::string UnitLowering::objectOf(const clang::StringLiteral *literal) {
  std::string &symbol = strings[literal];
  if (symbol.empty())
    symbol = addObject("string literal", "string", ir::MemorySpace::Constant,
                       types.size(literal->getType()), literal->getSourceRange());
  return symbol;
}

std::string UnitLowering::objectOf(const clang::FunctionDecl *function) {
  std::string &symbol = pointees[function->getCanonicalDecl()];
  if (symbol.empty()) {
    const std::string name = "function " + qualifiedName(function);
    symbol = addObject(name, name, ir::MemorySpace::Constant, 1, function->getSourceRange());
  }
  return symbol;
}

const CallTargets &UnitLowering::targets() {
  if (!callTargets)
    callTargets = std::make_unique<CallTargets>(ast);
  return *callTargets;
}

mlir::FunctionType UnitLowering::functionType(const clang::FunctionDecl *function) const {
  llvm::SmallVector<mlir::Type> inputs, results;
  const clang::QualType result = function->getReturnType();
  if (mlir::Type scalar = types.scalar(result))
    results.push_back(scalar);
  else if (!result->isVoidType())
    inputs.push_back(types.pointer());
  if (hasThis(function))
    inputs.push_back(types.pointer());
  for (const clang::ParmVarDecl *parameter : function->parameters()) {
    mlir::Type scalar = types.scalar(parameter->getType());
    inputs.push_back(scalar ? scalar : types.pointer());
  }
  return mlir::FunctionType::get(&context, inputs, results);
}

bool UnitLowering::isLibrary(const clang::Decl *decl) const {
  const clang::SourceManager &sources = ast.getSourceManager();
  const clang::SourceLocation location = sources.getExpansionLoc(decl->getLocation());
  return location.isInvalid() || sources.isInSystemHeader(location) ||
         sources.isWrittenInBuiltinFile(location);
}

/// The checker inlines every call, so a cycle of calls has to end somewhere: at its closing call.
void UnitLowering::cutRecursion() {
  std::map<llvm::StringRef, ir::FuncOp> byName;
  for (ir::FuncOp function : module->getOps<ir::FuncOp>())
    byName[function.getSymName()] = function;
  std::set<mlir::Operation *> active, done;
  std::vector<ir::CallOp> closing;
  const std::function<void(ir::FuncOp)> visit = [&](ir::FuncOp function) {
    active.insert(function);
    function.walk([&](ir::CallOp call) {
      ir::FuncOp callee = byName[call.getCallee()];
      if (active.count(callee))
        closing.push_back(call);
      else if (!done.count(callee))
        visit(callee);
    });
    active.erase(function);
    done.insert(function);
  };
  for (ir::FuncOp function : module->getOps<ir::FuncOp>())
    if (!done.count(function))
      visit(function);
  for (ir::CallOp call : closing) {
    mlir::OpBuilder builder(call);
    mlir::Type type = call.getNumResults() ? call.getResult(0).getType() : mlir::Type();
    auto unsupported = ir::UnsupportedOp::create(builder, call.getLoc(), type,
                                                 "recursive call of " + call.getCallee().str());
    if (type)
      call.getResult(0).replaceAllUsesWith(unsupported.getValue());
    call.erase();
  }
}

/// The checker relies on well-formed functions. Code with errors in it, or jumps into scopes, may
/// yet give one that uses a value where it is not defined: it is said to be unsupported.
void UnitLowering::replaceMalformed() {
  mlir::ScopedDiagnosticHandler silent(&context,
                                       [](mlir::Diagnostic &) { return mlir::success(); });
  if (mlir::succeeded(mlir::verify(*module)))
    return;
  for (ir::FuncOp function : module->getOps<ir::FuncOp>()) {
    if (mlir::succeeded(mlir::verify(function)))
      continue;
    mlir::Block &entry = function.getBody().front();
    function.getBody().dropAllReferences(); // also uses that lie before their definition
    entry.clear();
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(&entry);
    llvm::SmallVector<mlir::Value, 1> results;
    for (mlir::Type type : function.getFunctionType().getResults())
      results.push_back(
          ir::UnknownOp::create(builder, function.getLoc(), type, "unsupported function"));
    ir::UnsupportedOp::create(builder, function.getLoc(), mlir::Type(),
                              "function with jumps into scopes");
    ir::ReturnOp::create(builder, function.getLoc(), results);
  }
}

void UnitLowering::run(LoweredUnit &unit, const std::function<bool()> &cancelled) {
  KernelFinder finder;
  finder.TraverseAST(ast);
  for (const clang::FunctionDecl *kernel : finder.kernels) {
    if (isLibrary(kernel))
      continue;
    if (!hasIntactBody(kernel)) {
      unit.broken.push_back({qualifiedName(kernel),
                             locations.range(kernel->getNameInfo().getSourceRange()),
                             "the kernel has errors"});
      continue;
    }
    unit.kernels[kernel->getCanonicalDecl()] = symbolOf(kernel);
  }
  for (const clang::FunctionDecl *pattern : finder.uninstantiated)
    if (!isLibrary(pattern))
      unit.broken.push_back({qualifiedName(pattern),
                             locations.range(pattern->getNameInfo().getSourceRange()),
                             "unproved: not instantiated here", Verdict::Unproved});
  while (!pending.empty() && !(cancelled && cancelled())) {
    const clang::FunctionDecl *function = pending.front();
    pending.pop_front();
    const std::string &symbol = functions[function->getCanonicalDecl()];
    FunctionLowering(*this, function).run(symbol);
    if (!function->hasAttr<clang::CUDAGlobalAttr>() && !isLibrary(function))
      unit.deviceFunctions.push_back({symbol, qualifiedName(function),
                                      locations.range(function->getNameInfo().getSourceRange())});
  }
  if (pending.empty()) {
    replaceMalformed();
    cutRecursion();
  }
  unit.module = std::move(module);
}

LoweredUnit lowerUnit(clang::ASTContext &ast, mlir::MLIRContext &context,
                      const std::function<bool()> &cancelled) {
  LoweredUnit unit;
  UnitLowering(ast, context).run(unit, cancelled);
  return unit;
}

} // namespace warpdrf::frontend
