// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX that accesses memory. An address is a register: a pointer, or the integer that a cvta made of
// one.
#include "analysis/frontend/lower/asm.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

mlir::Value AsmLowering::address(llvm::StringRef text) {
  const std::optional<PtxAddress> parsed = ptxAddress(text);
  if (!parsed)
    return {};
  Value base = operand("%" + std::to_string(parsed->operand));
  if (!base || llvm::isa<mlir::FloatType>(base.getType()))
    return {};
  if (!llvm::isa<ir::PtrType>(base.getType())) {
    if (base.getType() != types.integer(64))
      base = builder.createOrFold<arith::ExtUIOp>(loc, types.integer(64), base);
    base = ir::IntToPtrOp::create(builder, loc, types.pointer(), base);
  }
  return lowering.offset(loc, base, parsed->offset);
}

/// `cp.async`: the copy is complete for its thread after a wait for its group (pipelines.cpp).
bool AsmLowering::asyncCopy(const PtxInstruction &ptx) {
  if (!ptx.startsWith({"cp", "async"}) || ptx.has("bulk") || ptx.has("mbarrier"))
    return false;
  if (ptx.has("commit_group")) {
    lowering.closeCopies(loc);
    return true;
  }
  if (ptx.has("wait_group"))
    if (const std::optional<std::int64_t> keep = constant(ptx.operands.at(0))) {
      lowering.waitForCopies(loc, *keep);
      return true;
    }
  if (ptx.has("wait_all") || ptx.has("wait_group")) {
    // A wait for a number of groups that is not constant is named as not modelled. It counts as a
    // wait for all, lest a race be reported with what it does order.
    ir::FenceOp::create(builder, loc, ir::SyncScope::Thread);
    return ptx.has("wait_all");
  }
  if (ptx.operands.size() != 3)
    return false; // with a source size, or a condition that ignores the source
  Value destination = address(ptx.operands[0]), source = address(ptx.operands[1]);
  const std::optional<std::int64_t> size = constant(ptx.operands[2]);
  if (!destination || !source || !size)
    return false;
  ir::CopyOp::create(builder, loc, destination, source, *size, /*async=*/true);
  return true;
}

/// Each of the first 8, 16 or 32 lanes names a row of 16 bytes; the warp takes part as a whole.
bool AsmLowering::loadMatrix(const PtxInstruction &ptx) {
  const bool isStore = ptx.opcode[0] == "stmatrix";
  if ((ptx.opcode[0] != "ldmatrix" && !isStore) || ptx.operands.size() != 2)
    return false;
  Value row = address(ptx.operands[isStore ? 0 : 1]);
  if (!row)
    return false;
  const auto access = [&] {
    mlir::Type bytes = types.integer(128);
    if (isStore)
      ir::WriteOp::create(builder, loc, row,
                          ir::UnknownOp::create(builder, loc, bytes, ptx.opcode[0]));
    else
      ir::ReadOp::create(builder, loc, bytes, row);
  };
  ir::PrimitiveOp::create(builder, loc, mlir::TypeRange(), ptx.name(), ir::PrimitiveKind::MatrixMma,
                          Value(), mlir::ValueRange(), Value(), Value());
  const int lanes = ptx.has("x4") ? 32 : ptx.has("x2") ? 16 : 8;
  if (lanes == 32) {
    access();
  } else {
    Value lane = ir::SpecialOp::create(builder, loc, types.integer(32), ir::SpecialValue::LaneId);
    Value named = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane,
                                        lowering.integer(loc, types.integer(32), lanes));
    lowering.emitIf(loc, named, access, [] {});
  }
  if (!isStore)
    setOutputsUnknown(ptx.operands[0], ptx.opcode[0]);
  return true;
}

/// The type in memory that the last part of the opcode names (`f32`, `b64`, …).
static mlir::Type accessType(const PtxInstruction &ptx, const Types &types,
                             mlir::OpBuilder &builder) {
  llvm::StringRef name = ptx.opcode.back();
  unsigned bits = 0;
  if (name.size() < 2 || name.drop_front().getAsInteger(10, bits) || bits < 8 || bits > 128)
    return {};
  if (name[0] == 'f' && bits == 32)
    return builder.getF32Type();
  if (name[0] == 'f' && bits == 64)
    return builder.getF64Type();
  return types.integer(bits);
}

/// `relaxed` and stronger are what the atomics' loads and stores are; `volatile` is none.
static bool isAtomic(const PtxInstruction &ptx) {
  return ptxOrder(ptx) >= ir::MemoryOrder::Relaxed;
}

mlir::Value AsmLowering::loadOne(const PtxInstruction &ptx, mlir::Type type, Value address) {
  if (isAtomic(ptx))
    return ir::AtomicOp::create(builder, loc, type, ir::AtomicKind::Load, address,
                                mlir::ValueRange(), ptxOrder(ptx),
                                ptxScope(ptx, ir::SyncScope::System))
        .getOld();
  return ir::ReadOp::create(builder, loc, type, address, ptxOrder(ptx));
}

void AsmLowering::storeOne(const PtxInstruction &ptx, Value value, Value address) {
  if (isAtomic(ptx))
    ir::AtomicOp::create(builder, loc, value.getType(), ir::AtomicKind::Store, address, value,
                         ptxOrder(ptx), ptxScope(ptx, ir::SyncScope::System));
  else
    ir::WriteOp::create(builder, loc, address, value, ptxOrder(ptx));
}

bool AsmLowering::load(const PtxInstruction &ptx) {
  mlir::Type type = accessType(ptx, types, builder);
  if (ptx.opcode[0] != "ld" || !type || ptx.operands.size() != 2 || ptx.has("param"))
    return false;
  Value base = address(ptx.operands[1]);
  const std::vector<std::string> targets = vectorElements(ptx.operands[0]);
  if (!base || !llvm::all_of(targets, [&](const std::string &each) { return isOutput(each); }))
    return false;
  const std::int64_t stride = type.getIntOrFloatBitWidth() / 8;
  std::vector<Value> values;
  for (std::size_t i = 0; i < targets.size(); ++i)
    values.push_back(loadOne(ptx, type, lowering.offset(loc, base, i * stride)));
  for (std::size_t i = 0; i < targets.size(); ++i)
    setOutput(targets[i], values[i]);
  return true;
}

bool AsmLowering::store(const PtxInstruction &ptx) {
  mlir::Type type = accessType(ptx, types, builder);
  if (ptx.opcode[0] != "st" || !type || ptx.operands.size() != 2 || ptx.has("async"))
    return false;
  Value base = address(ptx.operands[0]);
  const std::int64_t stride = type.getIntOrFloatBitWidth() / 8;
  std::vector<Value> values;
  for (const std::string &source : vectorElements(ptx.operands[1]))
    values.push_back(operandAs(source, type));
  if (!base || llvm::is_contained(values, Value()))
    return false;
  for (std::size_t i = 0; i < values.size(); ++i)
    storeOne(ptx, values[i], lowering.offset(loc, base, i * stride));
  return true;
}

bool AsmLowering::atomic(const PtxInstruction &ptx) {
  const bool isReduction = ptx.opcode[0] == "red";
  mlir::Type type = accessType(ptx, types, builder);
  if ((ptx.opcode[0] != "atom" && !isReduction) || !type || ptx.has("async"))
    return false;
  const std::pair<llvm::StringRef, ir::AtomicKind> kinds[] = {
      {"add", ir::AtomicKind::Add}, {"exch", ir::AtomicKind::Exch}, {"cas", ir::AtomicKind::Cas},
      {"min", ir::AtomicKind::Min}, {"max", ir::AtomicKind::Max},   {"inc", ir::AtomicKind::Inc},
      {"dec", ir::AtomicKind::Dec}, {"and", ir::AtomicKind::And},   {"or", ir::AtomicKind::Or},
      {"xor", ir::AtomicKind::Xor}};
  const auto *kind = llvm::find_if(kinds, [&](const auto &each) { return ptx.has(each.first); });
  const std::size_t first = isReduction ? 0 : 1; // the address, after the result
  if (kind == std::end(kinds) || ptx.operands.size() < first + 2)
    return false;
  Value base = address(ptx.operands[first]);
  llvm::SmallVector<Value, 2> values;
  for (std::size_t i = first + 1; i < ptx.operands.size(); ++i)
    values.push_back(operandAs(ptx.operands[i], type));
  if (!base || llvm::is_contained(values, Value()) || (!isReduction && !isOutput(ptx.operands[0])))
    return false;
  const ir::MemoryOrder order = ptxOrder(ptx);
  auto op = ir::AtomicOp::create(builder, loc, type, kind->second, base, values,
                                 order == ir::MemoryOrder::Plain ? ir::MemoryOrder::Relaxed : order,
                                 ptxScope(ptx, ir::SyncScope::Grid));
  if (!isReduction)
    setOutput(ptx.operands[0], op.getOld());
  return true;
}

} // namespace warpdrf::frontend
