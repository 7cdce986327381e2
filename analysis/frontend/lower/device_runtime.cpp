// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What device code asks of the runtime: memory of its own, other kernels, copies, streams, events.
// Another kernel's accesses are no thread's of this one (assumption "alone").
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

/// Memory that this thread alone knows of until it passes the pointer on. A size that is not
/// constant is taken for a generous one.
mlir::Value FunctionLowering::allocation(const clang::Expr *at, const clang::Expr *count,
                                         std::int64_t unitSize) {
  constexpr std::int64_t generous = 1 << 16;
  clang::Expr::EvalResult number;
  const bool known = !count || count->EvaluateAsInt(number, unit.ast);
  if (count && !known)
    effects(count);
  const std::int64_t units = !count ? 1 : known ? number.Val.getInt().getExtValue() : generous;
  return local(loc(at), "allocated memory",
               std::clamp<std::int64_t>(units * unitSize, 1, generous));
}

mlir::Value FunctionLowering::newObject(const clang::CXXNewExpr *expr) {
  const clang::FunctionDecl *allocator = expr->getOperatorNew();
  if (!allocator || (!unit.isLibrary(allocator) && !allocator->isImplicit()))
    return unsupported(expr, "new with an allocator of its own", types.pointer());
  const clang::QualType type = expr->getAllocatedType();
  const bool placed = allocator->isReservedGlobalPlacementOperator();
  if (expr->getNumPlacementArgs() != 0 && !placed)
    return unsupported(expr, "new", types.pointer());
  const clang::Expr *count = expr->isArray() ? *expr->getArraySize() : nullptr;
  if (placed && count)
    effects(count);
  Value object =
      placed ? scalar(expr->getPlacementArg(0)) : allocation(expr, count, types.size(type));
  const auto *construction =
      llvm::dyn_cast_or_null<clang::CXXConstructExpr>(expr->getInitializer());
  const bool trivial = construction && construction->getConstructor()->isTrivial() &&
                       !construction->requiresZeroInitialization();
  if (expr->getInitializer() && !trivial) {
    if (expr->isArray())
      return unsupported(expr, "new of an array that is initialised", types.pointer());
    initialise(expr->getInitializer(), object, type);
  }
  return object;
}

void FunctionLowering::deleteObject(const clang::CXXDeleteExpr *expr) {
  effects(expr->getArgument());
  noteDestructor(expr, expr->getDestroyedType());
}

/// A kernel that this one launches.
void FunctionLowering::launchFromDevice(const clang::CUDAKernelCallExpr *launch) {
  for (const clang::Expr *argument : launch->getConfig()->arguments())
    effects(argument);
  for (const clang::Expr *argument : launch->arguments())
    effects(argument);
}

/// `malloc` and `free` of device code, and the device runtime, whose functions the headers wrap.
bool FunctionLowering::deviceRuntime(const clang::CallExpr *expr, llvm::StringRef name,
                                     Value &result) {
  const mlir::Location at = loc(expr);
  if (name == "malloc" && expr->getNumArgs() == 1) {
    result = allocation(expr, expr->getArg(0), 1);
    return true;
  }
  const bool isRuntime = name.consume_front("__cudaCDP2") || name.consume_front("cuda");
  if (name == "free" && expr->getNumArgs() == 1) {
    effects(expr->getArg(0));
    return true;
  }
  if (!isRuntime)
    return false;
  if (name == "Malloc" && expr->getNumArgs() == 2) {
    Value target = scalar(expr->getArg(0));
    Value memory = allocation(expr, expr->getArg(1), 1);
    ir::WriteOp::create(builder, at, target, memory);
  } else if (name.starts_with("Stream") || name.starts_with("Event") || name == "Free" ||
             name == "DeviceSynchronize" || name == "GetLastError" || name == "PeekAtLastError" ||
             name == "GetErrorString" || name == "GetErrorName" || name == "MemcpyAsync" ||
             name == "MemsetAsync" || name == "GraphSetConditional") {
    for (const clang::Expr *argument : expr->arguments())
      effects(argument);
  } else {
    return false;
  }
  if (mlir::Type type = types.scalar(expr->getType()))
    result = zero(at, type);
  return true;
}

} // namespace warpdrf::frontend
