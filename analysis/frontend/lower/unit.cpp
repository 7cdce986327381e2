// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver of the lowering: which functions of the unit become `warpdrf.func`s.
#include "analysis/frontend/lower/lower.h"

namespace warpdrf::frontend {

LoweredUnit lowerUnit(clang::ASTContext &, mlir::MLIRContext &context,
                      const std::function<bool()> &) {
  LoweredUnit unit;
  unit.module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  return unit;
}

} // namespace warpdrf::frontend
