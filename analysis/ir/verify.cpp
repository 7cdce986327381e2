// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What TableGen cannot say: control-flow ops stand where they mean something and end their block,
// loops end their test in a condition, calls and symbols fit what they name, primitives have the
// operands of their kind.
#include "analysis/ir/dialect.h"

namespace warpdrf::ir {
namespace {

mlir::LogicalResult endsBlock(mlir::Operation *op) {
  if (op->getNextNode())
    return op->emitOpError("is not the last operation of its block");
  return mlir::success();
}

/// The loop (or switch, for `break`) that a jump leaves or goes on with: the innermost one around
/// it whose body holds it. A loop's cond and step regions belong to no jump.
mlir::Operation *jumpTarget(mlir::Operation *op, bool orSwitch) {
  for (mlir::Region *region = op->getParentRegion(); region; region = region->getParentRegion()) {
    mlir::Operation *parent = region->getParentOp();
    if (auto loop = mlir::dyn_cast<LoopOp>(parent))
      return region == &loop.getBody() ? parent : nullptr;
    if (orSwitch && mlir::isa<SwitchOp>(parent))
      return parent;
    if (mlir::isa<FuncOp>(parent))
      return nullptr;
  }
  return nullptr;
}

} // namespace

mlir::LogicalResult LoopOp::verify() {
  if (getCond().empty() || getCond().front().empty() ||
      !mlir::isa<ConditionOp>(getCond().front().back()))
    return emitOpError("needs a cond region that ends in 'warpdrf.condition'");
  return mlir::success();
}

mlir::LogicalResult SwitchOp::verify() {
  if (getValues().size() != getCases().size())
    return emitOpError("needs one list of values per case region");
  if (static_cast<std::int64_t>(getDefaultCase()) >= static_cast<std::int64_t>(getCases().size()))
    return emitOpError("names a default region that does not exist");
  for (mlir::Region &region : getCases())
    if (!region.empty() && !region.hasOneBlock())
      return emitOpError("takes one block per case region");
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

mlir::LogicalResult AddressOfOp::verify() {
  if (!mlir::SymbolTable::lookupNearestSymbolFrom<ObjectOp>(*this, getObjectAttr()))
    return emitOpError("names '") << getObject() << "', which is not an object of this module";
  return mlir::success();
}

mlir::LogicalResult ConditionOp::verify() {
  auto loop = mlir::dyn_cast<LoopOp>((*this)->getParentOp());
  if (!loop || (*this)->getParentRegion() != &loop.getCond())
    return emitOpError("stands directly in a loop's cond region");
  return endsBlock(*this);
}

mlir::LogicalResult BreakOp::verify() {
  if (!jumpTarget(*this, /*orSwitch=*/true))
    return emitOpError("stands outside any loop body and switch");
  return endsBlock(*this);
}

mlir::LogicalResult ContinueOp::verify() {
  if (!jumpTarget(*this, /*orSwitch=*/false))
    return emitOpError("stands outside any loop body");
  return endsBlock(*this);
}

mlir::LogicalResult ReturnOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  if (!function)
    return emitOpError("stands outside any function");
  if (!llvm::equal(function.getResultTypes(), getOperandTypes()))
    return emitOpError("does not fit the results of '") << function.getSymName() << "'";
  return endsBlock(*this);
}

mlir::LogicalResult AtomicOp::verify() {
  std::size_t wanted = getKind() == AtomicKind::Load ? 0 : getKind() == AtomicKind::Cas ? 2 : 1;
  if (getArguments().size() != wanted)
    return emitOpError("of kind '")
           << stringifyAtomicKind(getKind()) << "' takes " << wanted << " operands";
  return mlir::success();
}

mlir::LogicalResult BarrierOp::verify() {
  if (static_cast<bool>(getPredicate()) != (getVote() != BarrierVote::None))
    return emitOpError("takes a predicate exactly when it votes");
  if (static_cast<bool>(getResult()) != (getVote() != BarrierVote::None))
    return emitOpError("has a result exactly when it votes");
  return mlir::success();
}

namespace {

/// How many operands and results a primitive of some kind has.
struct Shape {
  std::size_t operands, results;
};

Shape shapeOf(PrimitiveKind kind) {
  switch (kind) {
  case PrimitiveKind::SyncWarp:
  case PrimitiveKind::MatrixLoad:
  case PrimitiveKind::MatrixStore:
  case PrimitiveKind::MatrixFill:
  case PrimitiveKind::MatrixMma:
    return {0, 0};
  case PrimitiveKind::ShflIdx:
  case PrimitiveKind::ShflUp:
  case PrimitiveKind::ShflDown:
  case PrimitiveKind::ShflXor:
    return {3, 1};
  case PrimitiveKind::MatchAll:
    return {1, 2};
  default:
    return {1, 1};
  }
}

} // namespace

mlir::LogicalResult PrimitiveOp::verify() {
  Shape shape = shapeOf(getKind());
  llvm::StringRef kind = stringifyPrimitiveKind(getKind());
  if (getArguments().size() != shape.operands || getOutputs().size() != shape.results)
    return emitOpError("of kind '") << kind << "' takes " << shape.operands
                                    << " operands and gives " << shape.results << " results";
  bool accesses = getKind() == PrimitiveKind::MatrixLoad || getKind() == PrimitiveKind::MatrixStore;
  if (accesses != static_cast<bool>(getAddress()))
    return emitOpError("of kind '") << kind << (accesses ? "' needs" : "' has no") << " address";
  return mlir::success();
}

} // namespace warpdrf::ir
