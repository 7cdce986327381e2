// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ face of the `warpdrf` dialect (WarpDRFDialect.td is its definition).
#pragma once

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "WarpDRFDialect.h.inc"
#include "WarpDRFEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "WarpDRFTypes.h.inc"
#define GET_OP_CLASSES
#include "WarpDRFOps.h.inc"
