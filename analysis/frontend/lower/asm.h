// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One `asm` statement while it is lowered. asm.cpp holds the dispatch, barriers and asms that only
// compute, asm_warp.cpp warp primitives, asm_memory.cpp what accesses memory, asm_registers.cpp
// what happens between registers.
#pragma once

#include "analysis/frontend/lower/function.h"
#include "analysis/frontend/lower/ptx.h"

#include <map>

namespace warpdrf::frontend {

struct AsmLowering {
  using Value = mlir::Value;

  void run();

  // asm.cpp
  /// False when the instruction is not one that is modelled.
  bool instruction(const PtxInstruction &ptx);
  bool barrier(const PtxInstruction &ptx);
  bool fence(const PtxInstruction &ptx);
  bool matrix(const PtxInstruction &ptx);
  bool specialRegister(const PtxInstruction &ptx);
  bool withoutEffect(const PtxInstruction &ptx);
  void pure();

  // asm_warp.cpp
  bool shuffle(const PtxInstruction &ptx);
  bool vote(const PtxInstruction &ptx);

  // asm_registers.cpp
  Value computed(const PtxInstruction &ptx);
  bool compute(const PtxInstruction &ptx);
  bool predicated(const PtxInstruction &ptx);

  // asm_memory.cpp
  bool asyncCopy(const PtxInstruction &ptx);
  bool loadMatrix(const PtxInstruction &ptx);
  bool load(const PtxInstruction &ptx);
  bool store(const PtxInstruction &ptx);
  Value loadOne(const PtxInstruction &ptx, mlir::Type type, Value address);
  void storeOne(const PtxInstruction &ptx, Value value, Value address);
  bool atomic(const PtxInstruction &ptx);

  /// The value of a register operand or an integer literal; null for anything else.
  Value operand(llvm::StringRef text);
  Value operandAs(llvm::StringRef text, mlir::Type type);
  std::optional<std::int64_t> constant(llvm::StringRef text);
  Value address(llvm::StringRef text);
  bool isOutput(llvm::StringRef text);
  void setOutput(llvm::StringRef text, Value value);
  void setOutputsUnknown(llvm::StringRef text, const std::string &why);
  const clang::Expr *expression(unsigned index);

  FunctionLowering &lowering;
  const clang::GCCAsmStmt *stmt;
  mlir::Location loc;
  mlir::OpBuilder &builder;
  const Types &types;
  std::map<std::string, Value> registers; ///< declared in the asm, and written so far
};

/// Computes in registers only.
bool isPure(const PtxInstruction &ptx);

/// The order and scope that an instruction's modifiers name.
ir::MemoryOrder ptxOrder(const PtxInstruction &ptx);
ir::SyncScope ptxScope(const PtxInstruction &ptx, ir::SyncScope otherwise);

} // namespace warpdrf::frontend
