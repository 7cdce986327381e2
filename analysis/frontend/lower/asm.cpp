// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: the instructions that synchronise or access memory and are understood; pure ones as
// uninterpreted functions of their operands; the rest by name as unsupported.
#include "analysis/frontend/lower/asm.h"

namespace warpdrf::frontend {

void FunctionLowering::inlineAsm(const clang::GCCAsmStmt *stmt) {
  AsmLowering{*this, stmt, loc(stmt), builder, types}.run();
}

ir::MemoryOrder ptxOrder(const PtxInstruction &ptx) {
  if (ptx.has("volatile"))
    return ir::MemoryOrder::Volatile;
  if (ptx.has("acq_rel"))
    return ir::MemoryOrder::AcqRel;
  if (ptx.has("acquire"))
    return ir::MemoryOrder::Acquire;
  if (ptx.has("release"))
    return ir::MemoryOrder::Release;
  return ptx.has("relaxed") ? ir::MemoryOrder::Relaxed : ir::MemoryOrder::Plain;
}

ir::SyncScope ptxScope(const PtxInstruction &ptx, ir::SyncScope otherwise) {
  if (ptx.has("cta"))
    return ir::SyncScope::Block;
  if (ptx.has("cluster"))
    return ir::SyncScope::Cluster;
  if (ptx.has("gpu") || ptx.has("gl"))
    return ir::SyncScope::Grid;
  return ptx.has("sys") ? ir::SyncScope::System : otherwise;
}

const clang::Expr *AsmLowering::expression(unsigned index) {
  if (index < stmt->getNumOutputs())
    return stmt->getOutputExpr(index);
  index -= stmt->getNumOutputs();
  return index < stmt->getNumInputs() ? stmt->getInputExpr(index) : nullptr;
}

mlir::Value AsmLowering::operand(llvm::StringRef text) {
  std::int64_t literal = 0;
  if (!text.getAsInteger(0, literal))
    return lowering.integer(loc, types.integer(32), literal);
  if (auto known = registers.find(text.str()); known != registers.end())
    return known->second;
  const std::optional<unsigned> index = operandIndex(text);
  const clang::Expr *expr = index ? expression(*index) : nullptr;
  if (!expr || !types.isScalar(expr->getType()))
    return {};
  return lowering.scalar(expr);
}

mlir::Value AsmLowering::operandAs(llvm::StringRef text, mlir::Type type) {
  Value value = operand(text);
  if (!value || value.getType() == type)
    return value;
  if (llvm::isa<ir::PtrType>(value.getType()))
    value = ir::PtrToIntOp::create(builder, loc, types.integer(64), value);
  const unsigned from = value.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
  const bool isFloat = llvm::isa<mlir::FloatType>(type);
  if (llvm::isa<mlir::FloatType>(value.getType()))
    value = lowering.bitcast(loc, value, types.integer(from));
  if (from > to)
    value = builder.createOrFold<mlir::arith::TruncIOp>(loc, types.integer(to), value);
  else if (from < to)
    value = builder.createOrFold<mlir::arith::ExtUIOp>(loc, types.integer(to), value);
  return isFloat ? lowering.bitcast(loc, value, type) : value;
}

std::optional<std::int64_t> AsmLowering::constant(llvm::StringRef text) {
  std::int64_t literal = 0;
  if (!text.getAsInteger(0, literal))
    return literal;
  const std::optional<unsigned> index = operandIndex(text);
  const clang::Expr *expr = index ? expression(*index) : nullptr;
  clang::Expr::EvalResult value;
  if (!expr || !expr->EvaluateAsInt(value, lowering.unit.ast))
    return std::nullopt;
  return value.Val.getInt().getExtValue();
}

/// `r0`, `%%p`; `%0` is an operand and `%%tid.x` is not written.
static bool isRegister(llvm::StringRef text) {
  text.consume_front("%%");
  return !text.empty() && (llvm::isAlpha(text[0]) || text[0] == '_' || text[0] == '$') &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; });
}

/// Also a register that the asm declares.
bool AsmLowering::isOutput(llvm::StringRef text) {
  if (isRegister(text))
    return true;
  const std::optional<unsigned> index = operandIndex(text);
  return index && *index < stmt->getNumOutputs() &&
         types.isScalar(stmt->getOutputExpr(*index)->getType());
}

/// `value` is brought to the type of the output's variable, bit by bit.
void AsmLowering::setOutput(llvm::StringRef text, Value value) {
  if (isRegister(text)) {
    registers[text.str()] = value;
    return;
  }
  const clang::Expr *expr = stmt->getOutputExpr(*operandIndex(text));
  mlir::Type type = types.scalar(expr->getType());
  if (llvm::isa<ir::PtrType>(type)) {
    value = ir::IntToPtrOp::create(builder, loc, type, value);
  } else if (value.getType() != type) {
    const unsigned from = value.getType().getIntOrFloatBitWidth();
    const unsigned to = type.getIntOrFloatBitWidth();
    value = lowering.bitcast(loc, value, types.integer(from));
    if (from > to)
      value = builder.createOrFold<mlir::arith::TruncIOp>(loc, types.integer(to), value);
    else if (from < to)
      value = builder.createOrFold<mlir::arith::ExtUIOp>(loc, types.integer(to), value);
    value = lowering.bitcast(loc, value, type);
  }
  lowering.writePlace(loc, lowering.place(expr), value);
}

void AsmLowering::setOutputsUnknown(llvm::StringRef text, const std::string &why) {
  for (const std::string &element : vectorElements(text))
    if (isRegister(element)) {
      registers[element] = ir::UnknownOp::create(builder, loc, types.integer(32), why);
    } else if (isOutput(element)) {
      const clang::Expr *expr = stmt->getOutputExpr(*operandIndex(element));
      Value value = ir::UnknownOp::create(builder, loc, types.scalar(expr->getType()), why);
      lowering.writePlace(loc, lowering.place(expr), value);
    }
}

bool AsmLowering::barrier(const PtxInstruction &ptx) {
  const bool warp = ptx.startsWith({"bar", "warp", "sync"});
  const bool block = ptx.opcode[0] == "bar" || ptx.opcode[0] == "barrier";
  const bool arrive = ptx.has("arrive");
  if (warp) {
    Value mask = operandAs(ptx.operands.at(0), types.integer(32));
    ir::PrimitiveOp::create(builder, loc, mlir::TypeRange(), "bar.warp.sync",
                            ir::PrimitiveKind::SyncWarp, mask, mlir::ValueRange(), Value(),
                            Value());
    return static_cast<bool>(mask);
  }
  if (!block || ptx.has("cluster") || ptx.has("red") || !(ptx.has("sync") || arrive) ||
      ptx.operands.empty() || ptx.operands.size() > 2)
    return false;
  Value id = operandAs(ptx.operands[0], types.integer(32)), count;
  if (ptx.operands.size() == 2)
    count = operandAs(ptx.operands[1], types.integer(32));
  if (!id || (ptx.operands.size() == 2 && !count))
    return false;
  ir::BarrierOp::create(builder, loc, mlir::Type(), ptx.name(), ir::SyncScope::Block,
                        ir::BarrierVote::None, Value(), id, count, arrive);
  return true;
}

bool AsmLowering::fence(const PtxInstruction &ptx) {
  const bool isFence = ptx.opcode[0] == "membar" || ptx.opcode[0] == "fence";
  if (!isFence || ptx.has("proxy") || ptx.has("mbarrier_init"))
    return false;
  ir::FenceOp::create(builder, loc, ptxScope(ptx, ir::SyncScope::System));
  return true;
}

/// The whole warp takes part; what a lane gets depends on all lanes.
bool AsmLowering::matrix(const PtxInstruction &ptx) {
  if (ptx.opcode[0] != "mma" && ptx.opcode[0] != "movmatrix" && !ptx.startsWith({"wmma", "mma"}))
    return false;
  ir::PrimitiveOp::create(builder, loc, mlir::TypeRange(), ptx.name(), ir::PrimitiveKind::MatrixMma,
                          Value(), mlir::ValueRange(), Value(), Value());
  setOutputsUnknown(ptx.operands.at(0), ptx.opcode[0]);
  return true;
}

bool AsmLowering::specialRegister(const PtxInstruction &ptx) {
  if (ptx.opcode[0] == "activemask") {
    setOutput(ptx.operands.at(0), ir::ActiveMaskOp::create(builder, loc, types.integer(32)));
    return true;
  }
  if (ptx.opcode[0] != "mov" || ptx.operands.size() != 2 || !isOutput(ptx.operands[0]))
    return false;
  llvm::StringRef name = ptx.operands[1];
  if (!name.consume_front("%%"))
    return false;
  const int known = llvm::StringSwitch<int>(name)
                        .Case("tid.x", 0)
                        .Case("tid.y", 1)
                        .Case("tid.z", 2)
                        .Case("ctaid.x", 3)
                        .Case("ctaid.y", 4)
                        .Case("ctaid.z", 5)
                        .Case("ntid.x", 6)
                        .Case("ntid.y", 7)
                        .Case("ntid.z", 8)
                        .Case("nctaid.x", 9)
                        .Case("nctaid.y", 10)
                        .Case("nctaid.z", 11)
                        .Case("laneid", 13)
                        .Case("lanemask_eq", 14)
                        .Case("lanemask_lt", 15)
                        .Case("lanemask_le", 16)
                        .Case("lanemask_gt", 17)
                        .Case("lanemask_ge", 18)
                        .Default(-1);
  if (known < 0)
    setOutputsUnknown(ptx.operands[0], "%" + name.str());
  else
    setOutput(ptx.operands[0], ir::SpecialOp::create(builder, loc, types.integer(32),
                                                     static_cast<ir::SpecialValue>(known)));
  return true;
}

/// Hints, waiting, and programmatic dependent launch (CONTRACT 2.7).
bool AsmLowering::withoutEffect(const PtxInstruction &ptx) {
  return llvm::StringSwitch<bool>(ptx.opcode[0])
      .Cases({"nanosleep", "griddepcontrol", "setmaxnreg", "prefetch", "prefetchu", "pmevent"},
             true)
      .Default(false);
}

bool AsmLowering::instruction(const PtxInstruction &ptx) {
  if (!ptx.predicate.empty())
    return predicated(ptx);
  if (ptx.opcode[0] == "trap") {
    lowering.assumeFalse(loc);
    return true;
  }
  return barrier(ptx) || fence(ptx) || matrix(ptx) || shuffle(ptx) || vote(ptx) ||
         specialRegister(ptx) || withoutEffect(ptx) || (isPure(ptx) && compute(ptx)) ||
         asyncCopy(ptx) || loadMatrix(ptx) || load(ptx) || store(ptx) || atomic(ptx);
}

bool isPure(const PtxInstruction &ptx) {
  return !ptx.touchesMemory() &&
         !llvm::is_contained({"bar",   "barrier", "shfl",     "vote",    "match",     "redux",
                              "elect", "mma",     "wmma",     "wgmma",   "movmatrix", "membar",
                              "fence", "exit",    "ret",      "bra",     "call",      "brx",
                              "trap",  "cp",      "mbarrier", "tcgen05", "activemask"},
                             ptx.opcode[0]);
}

void AsmLowering::pure() {
  llvm::SmallVector<Value> arguments;
  for (unsigned i = 0; i < stmt->getNumOutputs() + stmt->getNumInputs(); ++i) {
    const bool onlyWritten = i < stmt->getNumOutputs() && !stmt->isOutputPlusConstraint(i);
    if (!onlyWritten && types.isScalar(expression(i)->getType()))
      arguments.push_back(lowering.scalar(expression(i)));
  }
  std::string text = "asm " + llvm::StringRef(stmt->getAsmString()).trim(" \t\n;").str();
  std::vector<Value> results;
  for (unsigned i = 0; i < stmt->getNumOutputs(); ++i) {
    mlir::Type type = types.scalar(stmt->getOutputExpr(i)->getType());
    if (!type) {
      lowering.unsupported(stmt, text);
      return;
    }
    const std::string name = stmt->getNumOutputs() == 1 ? text : text + " #" + std::to_string(i);
    results.push_back(ir::ApplyOp::create(builder, loc, type, name, arguments));
  }
  for (unsigned i = 0; i < stmt->getNumOutputs(); ++i)
    lowering.writePlace(loc, lowering.place(stmt->getOutputExpr(i)), results[i]);
}

void AsmLowering::run() {
  const std::vector<PtxInstruction> all = parsePtx(stmt->getAsmString());
  if (llvm::all_of(all, isPure) &&
      !(all.size() == 1 &&
        (all[0].operands.size() == 2 && llvm::StringRef(all[0].operands[1]).starts_with("%%")))) {
    if (stmt->getNumOutputs())
      return pure();
    if (llvm::all_of(all, [&](const PtxInstruction &ptx) { return withoutEffect(ptx); }))
      return;
  }
  for (const PtxInstruction &ptx : all)
    if (!instruction(ptx)) {
      for (unsigned i = 0; i < stmt->getNumOutputs(); ++i)
        setOutputsUnknown("%" + std::to_string(i), "asm " + ptx.name());
      lowering.unsupported(stmt, "asm " + ptx.name());
      return;
    }
}

} // namespace warpdrf::frontend
