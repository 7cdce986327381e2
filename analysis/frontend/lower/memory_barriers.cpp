// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cuda::barrier<cuda::thread_scope_block>` and the copies that complete on one. Of its object only
// the number of arrivals is modelled that complete a phase; a token is the number of the phase.
#include "analysis/frontend/lower/groups.h"

namespace warpdrf::frontend {

static bool isBlockBarrier(clang::QualType type) {
  return isLibraryObject(type, "barrier", "thread_scope_block");
}

/// `arrive`, `wait` and both in one; false for what is not modelled.
bool FunctionLowering::barrierMember(const clang::CallExpr *expr, llvm::StringRef name,
                                     Value destination, Value &result) {
  const mlir::Location at = loc(expr);
  const std::string shown = "barrier::" + name.str();
  llvm::ArrayRef<const clang::Expr *> arguments(expr->getArgs(), expr->getNumArgs());
  if (name == "wait" && arguments.size() == 1) {
    Value object = callObject(expr, arguments);
    Value phase = ir::ReadOp::create(builder, at, types.integer(64), address(arguments[0]));
    ir::AwaitOp::create(builder, at, shown, object, phase);
    return true;
  }
  clang::Expr::EvalResult update;
  const bool once = arguments.empty() ||
                    (arguments[0]->EvaluateAsInt(update, unit.ast) && update.Val.getInt() == 1);
  if ((name != "arrive" && name != "arrive_and_wait") || !once)
    return false;
  Value object = callObject(expr, arguments);
  Value phase = ir::ArriveOp::create(builder, at, types.integer(64), shown, object).getPhase();
  if (name == "arrive_and_wait")
    ir::AwaitOp::create(builder, at, shown, object, phase);
  else if (types.isScalar(expr->getType()))
    result = phase;
  else if (destination)
    ir::WriteOp::create(builder, at, destination, phase);
  return true;
}

/// `cuda::memcpy_async([group,] to, from, size, barrier)`.
bool FunctionLowering::barrierCopy(const clang::CallExpr *expr) {
  const unsigned count = expr->getNumArgs();
  if (count < 4 || !isBlockBarrier(expr->getArg(count - 1)->getType()))
    return false;
  Value barrier = address(expr->getArg(count - 1));
  if (count > 4)
    return GroupLowering{*this, expr, nullptr, Value(), loc(expr), builder, types.integer(32)}
        .copyTogether(barrier);
  const std::optional<std::int64_t> size = constantSize(expr->getArg(2));
  if (!size)
    return false;
  Value destination = scalar(expr->getArg(0));
  ir::CopyOp::create(builder, loc(expr), destination, scalar(expr->getArg(1)), *size,
                     /*async=*/true, barrier);
  return true;
}

bool FunctionLowering::memoryBarrier(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                                     Value destination, Value &result) {
  const std::string name = qualifiedName(callee);
  if (!llvm::StringRef(name).starts_with("cuda::") || !unit.isLibrary(callee) ||
      !callee->getDeclName().isIdentifier())
    return false;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee))
    return isBlockBarrier(unit.ast.getCanonicalTagType(method->getParent())) &&
           barrierMember(expr, callee->getName(), destination, result);
  if (callee->getName() == "memcpy_async" && barrierCopy(expr)) {
    if (mlir::Type type = types.scalar(expr->getType()))
      result = ir::UnknownOp::create(builder, loc(expr), type, name);
    return true;
  }
  const bool sets = callee->getName() == "init" && expr->getNumArgs() > 1 &&
                    isBlockBarrier(expr->getArg(0)->getType()->getPointeeType());
  if (!sets)
    return false;
  Value object = scalar(expr->getArg(0));
  ir::WriteOp::create(builder, loc(expr), object, argumentAs(expr->getArg(1), types.integer(64)));
  return true;
}

} // namespace warpdrf::frontend
