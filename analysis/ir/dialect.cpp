// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/ir/dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "WarpDRFDialect.cpp.inc"
#include "WarpDRFEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "WarpDRFTypes.cpp.inc"
#define GET_OP_CLASSES
#include "WarpDRFOps.cpp.inc"

namespace warpdrf::ir {

void WarpDRFDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "WarpDRFTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "WarpDRFOps.cpp.inc"
      >();
}

void FuncOp::build(mlir::OpBuilder &builder, mlir::OperationState &state, llvm::StringRef name,
                   mlir::FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), mlir::TypeAttr::get(type));
  state.addRegion();
}

mlir::ParseResult FuncOp::parse(mlir::OpAsmParser &parser, mlir::OperationState &result) {
  auto buildType = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> inputs,
                      llvm::ArrayRef<mlir::Type> results,
                      mlir::function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return mlir::function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(mlir::OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                                 getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                                 getResAttrsAttrName());
}

} // namespace warpdrf::ir
