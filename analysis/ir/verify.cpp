// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What TableGen cannot say: control-flow ops end their block, loops end their test in a condition, calls fit
// their callee.
#include "analysis/ir/dialect.h"

namespace warpdrf::ir {

mlir::LogicalResult LoopOp::verify() {
  if (getCond().empty() || getCond().front().empty() ||
      !mlir::isa<ConditionOp>(getCond().front().back()))
    return emitOpError("needs a cond region that ends in 'warpdrf.condition'");
  return mlir::success();
}

mlir::LogicalResult SwitchOp::verify() {
  if (getValues().size() != getCases().size())
    return emitOpError("needs one list of values per case region");
  if (static_cast<std::int64_t>(getDefaultCase()) >=
      static_cast<std::int64_t>(getCases().size()))
    return emitOpError("names a default region that does not exist");
  for (mlir::Attribute values : getValues())
    if (!mlir::isa<mlir::DenseI64ArrayAttr>(values))
      return emitOpError("takes its values as array<i64: …> attributes");
  return mlir::success();
}

mlir::LogicalResult CallOp::verify() {
  auto callee = mlir::SymbolTable::lookupNearestSymbolFrom<FuncOp>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError("calls '") << getCallee() << "', which is not a function of this module";
  mlir::FunctionType type = callee.getFunctionType();
  if (!llvm::equal(type.getInputs(), getOperandTypes()) ||
      !llvm::equal(type.getResults(), getResultTypes()))
    return emitOpError("does not fit the type of '") << getCallee() << "'";
  return mlir::success();
}

} // namespace warpdrf::ir
