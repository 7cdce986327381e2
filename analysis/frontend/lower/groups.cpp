// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups and WMMA, by their contract: who takes part and what one matrix access
// touches.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

bool FunctionLowering::groupBuiltin(const clang::CallExpr *, const clang::FunctionDecl *, Value,
                                    Value &) {
  return false;
}

bool FunctionLowering::matrixBuiltin(const clang::CallExpr *, const clang::FunctionDecl *) {
  return false;
}

} // namespace warpdrf::frontend
