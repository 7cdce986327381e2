// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies by name: the primitives of <cuda_pipeline_primitives.h>, and a thread's own
// `cuda::pipeline` with `cuda::memcpy_async`. A copy is complete for its thread after a wait, which
// is a fence of scope `thread`.
#include "analysis/frontend/lower/function.h"
#include "analysis/ir/attributes.h"

namespace warpdrf::frontend {

/// Copies are waited for in groups: `commit` closes one, a wait keeps the `keep` newest under way,
/// or is for the oldest one that nobody waited for.
void FunctionLowering::closeCopies(mlir::Location at) {
  ir::FenceOp::create(builder, at, ir::SyncScope::Thread)
      ->setAttr(ir::commitAttribute, builder.getUnitAttr());
}

void FunctionLowering::waitForCopies(mlir::Location at, std::int64_t keep) {
  ir::FenceOp::create(builder, at, ir::SyncScope::Thread)
      ->setAttr(ir::keepAttribute, builder.getI64IntegerAttr(keep));
}

/// The primitives of <cuda_pipeline_primitives.h>.
bool FunctionLowering::pipeline(const clang::CallExpr *expr, llvm::StringRef name) {
  clang::Expr::EvalResult number;
  if (name == "__pipeline_commit") {
    closeCopies(loc(expr));
    return true;
  }
  if (name == "__pipeline_wait_prior" && expr->getArg(0)->EvaluateAsInt(number, unit.ast)) {
    waitForCopies(loc(expr), number.Val.getInt().getExtValue());
    return true;
  }
  const bool whole = expr->getNumArgs() < 4 || llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(3));
  if (name == "__pipeline_memcpy_async" && whole &&
      expr->getArg(2)->EvaluateAsInt(number, unit.ast)) {
    Value destination = scalar(expr->getArg(0));
    ir::CopyOp::create(builder, loc(expr), destination, scalar(expr->getArg(1)),
                       number.Val.getInt().getZExtValue(), /*async=*/true);
    return true;
  }
  unsupported(expr, name.str());
  if (name == "__pipeline_wait_prior") // counts as a wait for all: no race with what it orders
    ir::FenceOp::create(builder, loc(expr), ir::SyncScope::Thread);
  return true;
}

/// The number of bytes that `sizeof(T)`, `cuda::aligned_size_t<N>(sizeof(T))` or a constant that
/// holds one of them stands for.
std::optional<std::int64_t> FunctionLowering::constantSize(const clang::Expr *expr) {
  for (;;) {
    expr = expr->IgnoreImplicit()->IgnoreParens();
    clang::Expr::EvalResult number;
    if (expr->getType()->isIntegerType() && expr->EvaluateAsInt(number, unit.ast))
      return number.Val.getInt().getExtValue();
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
      expr = cast->getSubExpr();
    else if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
      expr = member->getImplicitObjectArgument(); // its conversion to size_t
    else if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
             construction && construction->getNumArgs() == 1)
      expr = construction->getArg(0);
    else if (const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expr)) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      if (!variable || !variable->getType().isConstQualified() || !variable->getInit())
        return std::nullopt;
      expr = variable->getInit();
    } else {
      return std::nullopt;
    }
  }
}

bool isLibraryObject(clang::QualType type, llvm::StringRef name, llvm::StringRef scopeName) {
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!record || record->getName() != name)
    return false;
  const clang::TemplateArgument &scope = record->getTemplateArgs()[0];
  if (scope.getKind() != clang::TemplateArgument::Integral)
    return false;
  const auto *scopes = scope.getIntegralType()->getAsEnumDecl();
  return scopes && llvm::any_of(scopes->enumerators(), [&](const clang::EnumConstantDecl *each) {
           return each->getName() == scopeName &&
                  each->getInitVal() == scope.getAsIntegral().getExtValue();
         });
}

/// `cuda::pipeline<cuda::thread_scope_thread>`: it orders nothing between threads.
static bool isThreadPipeline(clang::QualType type) {
  return isLibraryObject(type, "pipeline", "thread_scope_thread");
}

/// Whether an object of the class holds nothing that is read, and its destructor does nothing.
bool FunctionLowering::isLibraryObject(const clang::CXXRecordDecl *record) const {
  return unit.isLibrary(record) && isThreadPipeline(unit.ast.getCanonicalTagType(record));
}

/// Makes the copy that `cuda::memcpy_async(to, from, size, pipeline)` is.
bool FunctionLowering::pipelineCopy(const clang::CallExpr *expr) {
  if (expr->getNumArgs() != 4 || !isThreadPipeline(expr->getArg(3)->getType()) ||
      !expr->getArg(0)->getType()->isPointerType())
    return false;
  const std::optional<std::int64_t> size = constantSize(expr->getArg(2));
  Value destination = scalar(expr->getArg(0)), source = scalar(expr->getArg(1));
  if (size)
    ir::CopyOp::create(builder, loc(expr), destination, source, *size, /*async=*/true);
  else
    unsupported(expr, "memcpy_async of a size that is not constant");
  return true;
}

bool FunctionLowering::pipelineObject(const clang::CallExpr *expr,
                                      const clang::FunctionDecl *callee, Value &result) {
  const std::string name = qualifiedName(callee);
  if (!llvm::StringRef(name).starts_with("cuda::") || !unit.isLibrary(callee) ||
      !callee->getDeclName().isIdentifier())
    return false;
  const llvm::StringRef function = callee->getName();
  const auto setUnknown = [&] {
    if (mlir::Type type = types.scalar(expr->getType()))
      result = ir::UnknownOp::create(builder, loc(expr), type, name);
  };
  if (function == "make_pipeline" && expr->getNumArgs() == 0)
    return true; // the object holds nothing that is read
  if (function == "memcpy_async" && pipelineCopy(expr)) {
    setUnknown();
    return true;
  }
  if (function == "pipeline_consumer_wait_prior" && isThreadPipeline(expr->getArg(0)->getType())) {
    if (const clang::TemplateArgumentList *arguments = callee->getTemplateSpecializationArgs())
      waitForCopies(loc(expr), (*arguments)[0].getAsIntegral().getExtValue());
    return true;
  }
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
  if (!method || !isThreadPipeline(unit.ast.getCanonicalTagType(method->getParent())))
    return false;
  if (function == "producer_commit") // what was committed together is a stage
    closeCopies(loc(expr));
  else if (function == "consumer_wait")
    ir::FenceOp::create(builder, loc(expr), ir::SyncScope::Thread)
        ->setAttr(ir::oldestAttribute, builder.getUnitAttr());
  else if (function != "producer_acquire" && function != "consumer_release")
    return false;
  return true;
}

} // namespace warpdrf::frontend
