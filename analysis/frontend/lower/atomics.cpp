// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics with a memory order and a scope: nvcc's `__nv_atomic_*`, `cuda::atomic` and
// `cuda::atomic_ref`, and Clang's `__atomic_*` built-ins.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

struct ObjectAtomics {
  using Value = mlir::Value;

  bool free(llvm::StringRef name, Value &result);
  bool member(llvm::StringRef name, Value object, mlir::Type type, Value &result);
  void compareExchange(Value object, Value expectedPointer, Value desired, Value &result);
  Value operation(ir::AtomicKind kind, Value object, llvm::ArrayRef<Value> values, mlir::Type type);
  ir::MemoryOrder orderOf(const clang::Expr *argument);

  FunctionLowering &lowering;
  const clang::CallExpr *expr;
  mlir::Location at;
  mlir::OpBuilder &builder;
  ir::SyncScope scope = ir::SyncScope::System;
  ir::MemoryOrder order = ir::MemoryOrder::SeqCst;
};

/// The standard's numbering, which nvcc and libcu++ share. What is not constant is taken for
/// relaxed, the weakest.
ir::MemoryOrder ObjectAtomics::orderOf(const clang::Expr *argument) {
  clang::Expr::EvalResult value;
  if (!argument || !argument->EvaluateAsInt(value, lowering.unit.ast))
    return ir::MemoryOrder::Relaxed;
  switch (value.Val.getInt().getExtValue()) {
  case 1:
  case 2:
    return ir::MemoryOrder::Acquire;
  case 3:
    return ir::MemoryOrder::Release;
  case 4:
    return ir::MemoryOrder::AcqRel;
  case 5:
    return ir::MemoryOrder::SeqCst;
  default:
    return ir::MemoryOrder::Relaxed;
  }
}

mlir::Value ObjectAtomics::operation(ir::AtomicKind kind, Value object,
                                     llvm::ArrayRef<Value> values, mlir::Type type) {
  return ir::AtomicOp::create(builder, at, type, kind, object, values, order, scope).getOld();
}

void ObjectAtomics::compareExchange(Value object, Value expectedPointer, Value desired,
                                    Value &result) {
  mlir::Type type = desired.getType();
  Value expected = ir::ReadOp::create(builder, at, type, expectedPointer);
  Value old = operation(ir::AtomicKind::Cas, object, {expected, desired}, type);
  ir::WriteOp::create(builder, at, expectedPointer, old);
  if (llvm::isa<mlir::FloatType>(type))
    result = arith::CmpFOp::create(builder, at, arith::CmpFPredicate::OEQ, old, expected);
  else
    result = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, old, expected);
}

static std::optional<ir::AtomicKind> fetchKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ir::AtomicKind>>(name)
      .Case("add", ir::AtomicKind::Add)
      .Case("sub", ir::AtomicKind::Sub)
      .Case("and", ir::AtomicKind::And)
      .Case("or", ir::AtomicKind::Or)
      .Case("xor", ir::AtomicKind::Xor)
      .Case("min", ir::AtomicKind::Min)
      .Case("max", ir::AtomicKind::Max)
      .Default(std::nullopt);
}

/// `__nv_atomic_fetch_add(object, value, order, scope)` and kin: the order stands before the scope.
bool ObjectAtomics::free(llvm::StringRef name, Value &result) {
  clang::Expr::EvalResult scopeValue;
  const unsigned count = expr->getNumArgs();
  if (count < 2 || !expr->getArg(count - 1)->EvaluateAsInt(scopeValue, lowering.unit.ast))
    return false;
  scope = static_cast<ir::SyncScope>(
      std::array{ir::SyncScope::Thread, ir::SyncScope::Block, ir::SyncScope::Cluster,
                 ir::SyncScope::Grid, ir::SyncScope::System}
          .at(std::min<std::uint64_t>(scopeValue.Val.getInt().getZExtValue(), 4)));
  const bool compares = name.starts_with("compare_exchange");
  order = orderOf(expr->getArg(count - (compares ? 3 : 2)));
  if (name == "thread_fence") {
    ir::FenceOp::create(builder, at, scope);
    return true;
  }
  const clang::QualType pointee = expr->getArg(0)->getType()->getPointeeType();
  mlir::Type type = lowering.types.memory(pointee);
  if (!type)
    return false;
  Value object = lowering.scalar(expr->getArg(0));
  if (name == "load_n")
    result = operation(ir::AtomicKind::Load, object, {}, type);
  else if (name == "store_n")
    operation(ir::AtomicKind::Store, object, lowering.scalar(expr->getArg(1)), type);
  else if (name == "exchange_n")
    result = operation(ir::AtomicKind::Exch, object, lowering.scalar(expr->getArg(1)), type);
  else if (name == "compare_exchange_n")
    compareExchange(object, lowering.scalar(expr->getArg(1)), lowering.scalar(expr->getArg(2)),
                    result);
  else if (std::optional<ir::AtomicKind> kind =
               fetchKind(name.starts_with("fetch_") ? name.drop_front(6) : name))
    result = operation(*kind, object, lowering.scalar(expr->getArg(1)), type);
  else
    return false;
  return true;
}

bool ObjectAtomics::member(llvm::StringRef name, Value object, mlir::Type type, Value &result) {
  llvm::SmallVector<const clang::Expr *> arguments(expr->arguments());
  if (llvm::isa<clang::CXXOperatorCallExpr>(expr))
    arguments.erase(arguments.begin());
  const auto value = [&](unsigned i) { return lowering.scalar(arguments[i]); };
  const auto orderAt = [&](unsigned i) {
    if (i < arguments.size())
      order = orderOf(arguments[i]);
  };
  if (name == "load") {
    orderAt(0);
    result = operation(ir::AtomicKind::Load, object, {}, type);
  } else if (name == "store") {
    orderAt(1);
    operation(ir::AtomicKind::Store, object, value(0), type);
  } else if (name == "exchange") {
    orderAt(1);
    result = operation(ir::AtomicKind::Exch, object, value(0), type);
  } else if (name.starts_with("compare_exchange_")) {
    orderAt(2);
    compareExchange(object, lowering.address(arguments[0]), value(1), result);
  } else if (name.consume_front("fetch_") && fetchKind(name)) {
    orderAt(1);
    result = operation(*fetchKind(name), object, value(0), type);
  } else {
    return false;
  }
  return !result || result.getType() == type || result.getType().isInteger(1);
}

/// `cuda::atomic<T, Scope>` holds the value, `cuda::atomic_ref<T, Scope>` a pointer to it.
static const clang::ClassTemplateSpecializationDecl *atomicClass(const clang::CallExpr *expr) {
  const clang::Expr *object = nullptr;
  if (const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(expr))
    object = member->getImplicitObjectArgument()->IgnoreImpCasts();
  if (!object)
    return nullptr;
  clang::QualType type = object->getType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const auto *record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !record->getIdentifier() ||
      !llvm::StringRef(record->getQualifiedNameAsString()).starts_with("cuda::") ||
      (record->getName() != "atomic" && record->getName() != "atomic_ref"))
    return nullptr;
  return record;
}

static ir::SyncScope scopeArgument(const clang::ClassTemplateSpecializationDecl *record) {
  const clang::TemplateArgumentList &arguments = record->getTemplateArgs();
  if (arguments.size() < 2 || arguments[1].getKind() != clang::TemplateArgument::Integral)
    return ir::SyncScope::System;
  switch (arguments[1].getAsIntegral().getExtValue()) {
  case 1:
    return ir::SyncScope::Grid;
  case 2:
    return ir::SyncScope::Block;
  case 10:
    return ir::SyncScope::Thread;
  default:
    return ir::SyncScope::System;
  }
}

bool FunctionLowering::atomicObject(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                                    Value &result) {
  ObjectAtomics atomics{*this, expr, loc(expr), builder};
  if (callee->getDeclName().isIdentifier()) {
    llvm::StringRef name = callee->getName();
    if (name.consume_front("__nv_atomic_"))
      return atomics.free(name, result);
  }
  const clang::ClassTemplateSpecializationDecl *record = atomicClass(expr);
  if (!record || !callee->getDeclName().isIdentifier())
    return false;
  mlir::Type type = types.memory(record->getTemplateArgs()[0].getAsType());
  if (!type)
    return false;
  atomics.scope = scopeArgument(record);
  llvm::ArrayRef<const clang::Expr *> arguments;
  Value object = callObject(expr, arguments);
  if (record->getName() == "atomic_ref")
    object = ir::ReadOp::create(builder, atomics.at, types.pointer(), object);
  if (!atomics.member(callee->getName(), object, type, result))
    result = unsupported(expr, "cuda::" + record->getName().str() + "::" + callee->getName().str(),
                         types.scalar(expr->getType()));
  return true;
}

} // namespace warpdrf::frontend
