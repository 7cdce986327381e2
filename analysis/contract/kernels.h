// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a module as the facade needs them: their names and places, and what a kernel's
// result depends on, hashed, so that equal kernels are checked once.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/ir/dialect.h"
#include "llvm/ADT/SetVector.h"

namespace warpdrf::contract {

struct Kernel {
  ir::FuncOp function;
  std::string symbol;
  std::string name;          ///< qualified, without template arguments
  std::string instantiation; ///< with them
  Range nameRange;
  Range range; ///< the definition; may be invalid
};

Kernel describe(ir::FuncOp kernel);

/// In the order of the module.
std::vector<Kernel> kernelsOf(mlir::ModuleOp module);

/// The kernel, the functions it calls and the objects all of these name, in order of appearance.
llvm::SetVector<mlir::Operation *> usedBy(ir::FuncOp kernel, const mlir::SymbolTable &symbols);

/// Where the kernel and the functions it calls are defined.
std::vector<Range> definitionsOf(ir::FuncOp kernel, const mlir::SymbolTable &symbols);

/// Leaves in the module only the kernels of that name, instantiation or symbol and what they use.
/// False if there is none; the module is then unchanged.
bool keepOnly(mlir::ModuleOp module, const std::string &name);

struct KernelKey {
  /// With source locations: findings hold ranges and name lines, so a result is only good where
  /// nothing moved.
  std::string cache;
  /// Without locations and launch sources: equal for kernels that mean the same
  /// (KernelReport::irHash).
  std::string irHash;
};

/// Names of instantiations are left out, so equal instances share a result.
KernelKey keyOf(ir::FuncOp kernel, const mlir::SymbolTable &symbols,
                const std::vector<LaunchContext> &contexts, const Options &options);

} // namespace warpdrf::contract
