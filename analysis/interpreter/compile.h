// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel of the dialect to Code. Registers are given out like a stack: a value lives as long
// as the region that defines it, so the arms of a branch and the bodies of successive calls share
// theirs.
#pragma once

#include "analysis/interpreter/code.h"
#include "analysis/ir/dialect.h"

#include "llvm/ADT/DenseMap.h"

namespace warpdrf::interpreter {

/// The float kind of a type; only for float types.
FloatKind floatKindOf(mlir::Type type);
/// Bits of a scalar: pointers are 64 wide.
unsigned bitsOf(mlir::Type type);
std::optional<Element> elementOf(mlir::Type type);

class Compiler {
public:
  Compiler(mlir::ModuleOp module, std::string path, Code &code)
      : module(module), symbols(module), path(std::move(path)), code(code) {}

  /// False on failure, with a reason in `error`.
  bool run(ir::FuncOp kernel);

  std::string error;

private:
  using Label = std::vector<std::uint32_t>; ///< instructions whose target is to be patched

  struct JumpTarget {
    bool isLoop = false;
    Label breaks, continues;
  };
  /// One inlined call.
  struct Frame {
    ir::FuncOp function;
    std::vector<Register> results;
    Label returns;
    std::uint32_t call = 0; ///< index + 1 into code.calls
  };

  // --- compile.cpp: building blocks, functions, objects
  void parameters(ir::FuncOp kernel);
  void object(ir::ObjectOp op);
  void function(ir::FuncOp callee, Frame frame);
  Register fresh() {
    code.registers = std::max(code.registers, next + 1);
    return next++;
  }
  Register constant(std::uint64_t bits);
  Register valueOf(mlir::Value value);
  Register define(mlir::Value value);
  std::uint32_t here() const { return static_cast<std::uint32_t>(code.instructions.size()); }
  Instruction &emit(Op op);
  void patch(const Label &label, std::uint32_t target);
  Range rangeOf(mlir::Location location) const;
  std::uint32_t site(const std::string &name, bool barrier);
  std::uint32_t text(const std::string &text);
  void unsupported(const std::string &construct);
  bool failed() const { return !error.empty(); }

  // --- compile_control.cpp
  void block(mlir::Block &block);
  void region(mlir::Region &region);
  void operation(mlir::Operation *op);
  void compileIf(ir::IfOp op);
  void compileArms(ir::IfOp op, Register condition, bool quiet);
  void compileLoop(ir::LoopOp op);
  void compileSwitch(ir::SwitchOp op);
  void compileCall(ir::CallOp op);
  void compileReturn(ir::ReturnOp op);
  bool control(mlir::Operation *op);
  std::uint32_t enterScope(const PathStep &step);

  // --- compile_memory.cpp: slots, memory, primitives
  bool memory(mlir::Operation *op);
  bool slots(mlir::Operation *op);
  bool pointers(mlir::Operation *op);
  bool synchronisation(mlir::Operation *op);
  void get(ir::GetOp op);
  void set(ir::SetOp op);
  void offset(ir::OffsetOp op);
  void atomic(ir::AtomicOp op);
  void primitive(ir::PrimitiveOp op);
  void barrier(ir::BarrierOp op);
  void apply(ir::ApplyOp op);

  // --- compile_arith.cpp
  bool arithmetic(mlir::Operation *op);
  bool fusedIntoAddress(mlir::Operation *op);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  std::string path;
  Code &code;
  llvm::DenseMap<mlir::Value, Register> registers;
  llvm::DenseMap<std::uint64_t, Register> constants;
  llvm::DenseMap<mlir::Operation *, Register> objects;
  std::vector<Frame> frames;
  std::vector<JumpTarget> targets;
  std::vector<PathStep> pathSteps;
  Register next = 1;        ///< of the stack of values
  Register nextAddress = 1; ///< of the addresses of locals
  std::uint32_t currentPlace = 0, currentScope = 0, constructs = 0;
  std::uint32_t lastTarget = 0; ///< the latest instruction that a jump goes to
};

} // namespace warpdrf::interpreter
