// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's AST of the device view to the `warpdrf` dialect: every kernel instantiation and every
// device function it reaches becomes one `warpdrf.func`; calls stay calls. What the dialect cannot
// say becomes a `warpdrf.unsupported` that names the construct, never silence.
#pragma once

#include "analysis/frontend/frontend.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace warpdrf::frontend {

struct LoweredUnit {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Canonical declaration of each kernel instantiation to its symbol in `module`.
  std::map<const clang::FunctionDecl *, std::string> kernels;
  /// Kernels that Clang could not make sense of as a whole, and so were not lowered.
  std::vector<BrokenKernel> broken;
  std::vector<LoweredFunction> deviceFunctions;
};

/// Lowers every kernel of the unit that user code defines. `context` must have the dialects of
/// ir::makeContext(). When `cancelled` returns true the result is incomplete and means nothing.
LoweredUnit lowerUnit(clang::ASTContext &ast, mlir::MLIRContext &context,
                      const std::function<bool()> &cancelled);

} // namespace warpdrf::frontend
