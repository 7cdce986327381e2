// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, warp primitives, fences and atomics by name (CONTRACT 2.2).
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

static std::optional<ir::PrimitiveKind> voteKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ir::PrimitiveKind>>(name)
      .Cases({"__ballot_sync", "__ballot"}, ir::PrimitiveKind::Ballot)
      .Cases({"__any_sync", "__any"}, ir::PrimitiveKind::Any)
      .Cases({"__all_sync", "__all"}, ir::PrimitiveKind::All)
      .Case("__match_any_sync", ir::PrimitiveKind::MatchAny)
      .Case("__match_all_sync", ir::PrimitiveKind::MatchAll)
      .Case("__reduce_add_sync", ir::PrimitiveKind::ReduceAdd)
      .Case("__reduce_min_sync", ir::PrimitiveKind::ReduceMin)
      .Case("__reduce_max_sync", ir::PrimitiveKind::ReduceMax)
      .Case("__reduce_and_sync", ir::PrimitiveKind::ReduceAnd)
      .Case("__reduce_or_sync", ir::PrimitiveKind::ReduceOr)
      .Case("__reduce_xor_sync", ir::PrimitiveKind::ReduceXor)
      .Default(std::nullopt);
}

static std::optional<ir::PrimitiveKind> shuffleKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ir::PrimitiveKind>>(name)
      .Cases({"__shfl_sync", "__shfl"}, ir::PrimitiveKind::ShflIdx)
      .Cases({"__shfl_up_sync", "__shfl_up"}, ir::PrimitiveKind::ShflUp)
      .Cases({"__shfl_down_sync", "__shfl_down"}, ir::PrimitiveKind::ShflDown)
      .Cases({"__shfl_xor_sync", "__shfl_xor"}, ir::PrimitiveKind::ShflXor)
      .Default(std::nullopt);
}

bool FunctionLowering::shuffle(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                               Value &result) {
  const std::optional<ir::PrimitiveKind> kind = shuffleKind(name);
  if (!kind)
    return false;
  const mlir::Location at = loc(expr);
  unsigned next = 0;
  Value mask;
  if (name.ends_with("_sync"))
    mask = argumentAs(expr->getArg(next++), types.integer(32));
  Value value = asBits(expr->getArg(next++));
  Value lane = argumentAs(expr->getArg(next++), types.integer(32));
  const bool given =
      next < expr->getNumArgs() && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(next));
  Value width = given ? argumentAs(expr->getArg(next), types.integer(32))
                      : integer(at, types.integer(32), 32);
  auto op = ir::PrimitiveOp::create(builder, at, value.getType(), name, *kind, mask,
                                    mlir::ValueRange{value, lane, width}, Value(), Value());
  result = op.getResult(0);
  if (!types.isScalar(expr->getType()))
    fromBits(at, result, destination);
  return true;
}

/// Votes, matches and reductions.
bool FunctionLowering::vote(const clang::CallExpr *expr, llvm::StringRef name, Value &result) {
  const std::optional<ir::PrimitiveKind> kind = voteKind(name);
  if (!kind)
    return false;
  const mlir::Location at = loc(expr);
  unsigned next = 0;
  Value mask;
  if (name.ends_with("_sync"))
    mask = argumentAs(expr->getArg(next++), types.integer(32));
  const bool predicate = *kind == ir::PrimitiveKind::Ballot || *kind == ir::PrimitiveKind::Any ||
                         *kind == ir::PrimitiveKind::All;
  Value value = scalar(expr->getArg(next++));
  if (predicate)
    value = truth(at, value);
  llvm::SmallVector<mlir::Type, 2> outputs;
  if (*kind == ir::PrimitiveKind::Any || *kind == ir::PrimitiveKind::All)
    outputs = {types.integer(1)};
  else if (*kind == ir::PrimitiveKind::MatchAll)
    outputs = {types.integer(32), types.integer(1)};
  else
    outputs = {types.integer(32)};
  Value out = *kind == ir::PrimitiveKind::MatchAll ? scalar(expr->getArg(next)) : Value();
  auto op =
      ir::PrimitiveOp::create(builder, at, outputs, name, *kind, mask, value, Value(), Value());
  result = op.getResult(0);
  if (result.getType().isInteger(1))
    result = arith::ExtUIOp::create(builder, at, types.integer(32), result);
  if (out)
    ir::WriteOp::create(builder, at, out,
                        arith::ExtUIOp::create(builder, at, types.integer(32), op.getResult(1)));
  return true;
}

bool FunctionLowering::barrier(const clang::CallExpr *expr, llvm::StringRef name, Value &result) {
  const mlir::Location at = loc(expr);
  const std::optional<ir::BarrierVote> vote =
      llvm::StringSwitch<std::optional<ir::BarrierVote>>(name)
          .Cases({"__syncthreads", "__barrier_sync", "__barrier_sync_count"}, ir::BarrierVote::None)
          .Case("__syncthreads_count", ir::BarrierVote::Count)
          .Case("__syncthreads_and", ir::BarrierVote::And)
          .Case("__syncthreads_or", ir::BarrierVote::Or)
          .Default(std::nullopt);
  if (!vote)
    return false;
  Value predicate, id, count;
  if (*vote != ir::BarrierVote::None)
    predicate = truth(at, scalar(expr->getArg(0)));
  else if (expr->getNumArgs() > 0)
    id = argumentAs(expr->getArg(0), types.integer(32));
  if (expr->getNumArgs() > 1)
    count = argumentAs(expr->getArg(1), types.integer(32));
  mlir::Type type = predicate ? types.integer(32) : mlir::IntegerType();
  result = ir::BarrierOp::create(builder, at, type, name, ir::SyncScope::Block, *vote, predicate,
                                 id, count)
               .getResult();
  return true;
}

bool FunctionLowering::syncBuiltin(const clang::CallExpr *expr, llvm::StringRef name,
                                   Value destination, Value &result) {
  const mlir::Location at = loc(expr);
  if (name == "__syncwarp") {
    Value mask;
    if (expr->getNumArgs() && !llvm::isa<clang::CXXDefaultArgExpr>(expr->getArg(0)))
      mask = argumentAs(expr->getArg(0), types.integer(32));
    ir::PrimitiveOp::create(builder, at, mlir::TypeRange(), name, ir::PrimitiveKind::SyncWarp, mask,
                            mlir::ValueRange(), Value(), Value());
    return true;
  }
  if (name == "__activemask") {
    result = ir::ActiveMaskOp::create(builder, at, types.integer(32));
    return true;
  }
  const std::optional<ir::SyncScope> fence =
      llvm::StringSwitch<std::optional<ir::SyncScope>>(name)
          .Cases({"__threadfence_block", "__nvvm_membar_cta"}, ir::SyncScope::Block)
          .Cases({"__threadfence", "__nvvm_membar_gl"}, ir::SyncScope::Grid)
          .Cases({"__threadfence_system", "__nvvm_membar_sys"}, ir::SyncScope::System)
          .Default(std::nullopt);
  if (fence) {
    ir::FenceOp::create(builder, at, *fence);
    return true;
  }
  return shuffle(expr, name, destination, result) || vote(expr, name, result) ||
         barrier(expr, name, result);
}

bool FunctionLowering::atomicBuiltin(const clang::CallExpr *expr, llvm::StringRef name,
                                     Value destination, Value &result) {
  if (!name.consume_front("atomic") || expr->getNumArgs() < 2)
    return false;
  ir::SyncScope scope = ir::SyncScope::Grid;
  if (name.consume_back("_block"))
    scope = ir::SyncScope::Block;
  else if (name.consume_back("_system"))
    scope = ir::SyncScope::System;
  const std::optional<ir::AtomicKind> kind = llvm::StringSwitch<std::optional<ir::AtomicKind>>(name)
                                                 .Case("Add", ir::AtomicKind::Add)
                                                 .Case("Sub", ir::AtomicKind::Sub)
                                                 .Case("Exch", ir::AtomicKind::Exch)
                                                 .Case("CAS", ir::AtomicKind::Cas)
                                                 .Case("Min", ir::AtomicKind::Min)
                                                 .Case("Max", ir::AtomicKind::Max)
                                                 .Case("Inc", ir::AtomicKind::Inc)
                                                 .Case("Dec", ir::AtomicKind::Dec)
                                                 .Case("And", ir::AtomicKind::And)
                                                 .Case("Or", ir::AtomicKind::Or)
                                                 .Case("Xor", ir::AtomicKind::Xor)
                                                 .Default(std::nullopt);
  if (!kind || !expr->getArg(0)->getType()->isPointerType())
    return false;
  const mlir::Location at = loc(expr);
  Value pointer = scalar(expr->getArg(0));
  llvm::SmallVector<Value, 2> values;
  for (unsigned i = 1; i < expr->getNumArgs(); ++i)
    values.push_back(asBits(expr->getArg(i)));
  auto op = ir::AtomicOp::create(builder, at, values.back().getType(), *kind, pointer, values,
                                 ir::MemoryOrder::Relaxed, scope);
  result = op.getOld();
  if (!types.isScalar(expr->getType()))
    fromBits(at, result, destination);
  return true;
}

} // namespace warpdrf::frontend
