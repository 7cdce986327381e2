// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that a run forms: `cg::coalesced_threads()`, whoever executes it together, and what
// `binary_partition` and `labeled_partition` make of a tile or of such a group. A group is the mask
// of its lanes, which is all that its object holds; ranks count the lanes below in it.
#include "analysis/frontend/lower/groups.h"
#include "analysis/ir/attributes.h"

#include "mlir/IR/Matchers.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

static bool isCoalesced(const clang::CXXRecordDecl *record) {
  return record && record->getName() == "coalesced_group";
}

mlir::Value GroupLowering::function(llvm::StringRef name, llvm::ArrayRef<Value> arguments) {
  return ir::ApplyOp::create(builder, at, i32, name, mlir::ValueRange(arguments));
}

mlir::Value GroupLowering::rankIn(Value lanes) {
  Value below = special(ir::SpecialValue::LaneMaskLt);
  return function("__popc", {arith::AndIOp::create(builder, at, lanes, below).getResult()});
}

mlir::Value GroupLowering::laneOfRank(Value lanes, Value rank) {
  llvm::APInt constant;
  if (mlir::matchPattern(rank, mlir::m_ConstantInt(&constant)) && constant.isZero())
    return arith::SubIOp::create(builder, at, function("__ffs", {lanes}), number(1));
  return function("lane_of_rank", {lanes, rank});
}

/// The lanes of a tile of at most a warp, or of a group that a run has formed; null for others.
mlir::Value GroupLowering::maskOf(const clang::Expr *groupObject) {
  const clang::CXXRecordDecl *record =
      groupObject->IgnoreImpCasts()->getType()->getAsCXXRecordDecl();
  if (isCoalesced(record))
    return ir::ReadOp::create(builder, at, i32, lowering.address(groupObject));
  size = tileSize(record);
  if (size < 1 || size > 32)
    return {};
  Value lanes = mask();
  return lanes ? lanes : number(-1);
}

bool GroupLowering::formGroup(llvm::StringRef name) {
  Value lanes;
  if (name == "coalesced_threads") {
    auto snapshot = ir::ActiveMaskOp::create(builder, at, i32);
    snapshot->setAttr(ir::groupAttribute, builder.getUnitAttr());
    lanes = snapshot;
  } else if (name == "binary_partition" || name == "labeled_partition") {
    Value parent = maskOf(expr->getArg(0));
    if (!parent)
      return false;
    Value label = lowering.scalar(expr->getArg(1));
    if (llvm::isa<ir::PtrType>(label.getType()))
      label = ir::PtrToIntOp::create(builder, at, builder.getI64Type(), label);
    const unsigned bits = label.getType().getIntOrFloatBitWidth();
    if (bits < 32)
      label = arith::ExtUIOp::create(builder, at, i32, label);
    lanes = ir::PrimitiveOp::create(builder, at, i32, "cooperative_groups::" + name.str(),
                                    ir::PrimitiveKind::MatchAny, parent, label, Value(), Value())
                .getResult(0);
  } else {
    return false;
  }
  if (destination)
    ir::WriteOp::create(builder, at, destination, lanes);
  return true;
}

bool GroupLowering::coalescedShape(llvm::StringRef name, Value lanes, Value &result) {
  if (name == "size" || name == "num_threads")
    result = shaped(function("__popc", {lanes}));
  else if (name == "thread_rank")
    result = shaped(rankIn(lanes));
  return static_cast<bool>(result);
}

bool GroupLowering::coalescedShuffle(llvm::StringRef name, Value lanes, Value &result) {
  if (!name.starts_with("shfl") || expr->getNumArgs() != 2 ||
      lowering.types.size(expr->getArg(0)->getType()) > 8)
    return false;
  Value value = lowering.asBits(expr->getArg(0));
  Value number = lowering.argumentAs(expr->getArg(1), i32), lane;
  if (name == "shfl") {
    lane = laneOfRank(lanes, number);
  } else if (name == "shfl_up" || name == "shfl_down") {
    // Who has nobody so far off gets its own value.
    const bool up = name == "shfl_up";
    Value rank = rankIn(lanes), other, exists;
    if (up) {
      other = arith::SubIOp::create(builder, at, rank, number);
      exists = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ule, number, rank);
    } else {
      other = arith::AddIOp::create(builder, at, rank, number);
      exists = arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ult, other,
                                     function("__popc", {lanes}));
    }
    lane = arith::SelectOp::create(builder, at, exists, laneOfRank(lanes, other),
                                   special(ir::SpecialValue::LaneId));
  } else {
    return false;
  }
  auto op = ir::PrimitiveOp::create(
      builder, at, value.getType(), "coalesced_group::" + name.str(), ir::PrimitiveKind::ShflIdx,
      lanes, mlir::ValueRange{value, lane, this->number(32)}, Value(), Value());
  result = op.getResult(0);
  if (!lowering.types.isScalar(expr->getType()))
    lowering.fromBits(at, result, destination);
  return true;
}

/// Votes and matches. Masks that they give have a bit for each rank.
bool GroupLowering::coalescedVote(llvm::StringRef name, Value lanes, Value &result) {
  using K = ir::PrimitiveKind;
  const std::optional<K> kind = llvm::StringSwitch<std::optional<K>>(name)
                                    .Case("any", K::Any)
                                    .Case("all", K::All)
                                    .Case("ballot", K::Ballot)
                                    .Case("match_any", K::MatchAny)
                                    .Default(std::nullopt);
  if (!kind || lowering.types.size(expr->getArg(0)->getType()) > 8)
    return false;
  Value value = lowering.asBits(expr->getArg(0));
  if (*kind != K::MatchAny)
    value = lowering.truth(at, value);
  const bool packed = *kind == K::Ballot || *kind == K::MatchAny;
  mlir::Type type = packed ? i32 : builder.getI1Type();
  Value got = ir::PrimitiveOp::create(builder, at, type, "coalesced_group::" + name.str(), *kind,
                                      lanes, value, Value(), Value())
                  .getResult(0);
  result = shaped(packed ? function("packed_lanes", {got, lanes}) : got);
  return true;
}

/// What every member of the group gets from all of them; of integers of 32 bits the hardware's own
/// reductions say what. Prefix sums depend on the rank, so each gets something of its own.
bool GroupLowering::coalescedReduction(llvm::StringRef name, Value &result) {
  const bool reduction = name == "reduce";
  if ((!reduction && name != "inclusive_scan" && name != "exclusive_scan") ||
      expr->getNumArgs() < 2 || !lowering.types.isScalar(expr->getType()))
    return false;
  Value lanes = maskOf(expr->getArg(0));
  if (!lanes)
    return false;
  const clang::QualType type = expr->getType();
  Value value = lowering.convert(at, lowering.scalar(expr->getArg(1)),
                                 expr->getArg(1)->getType().getNonReferenceType(), type);
  const clang::CXXRecordDecl *operation =
      expr->getNumArgs() > 2
          ? expr->getArg(2)->getType().getNonReferenceType()->getAsCXXRecordDecl()
          : nullptr;
  using K = ir::PrimitiveKind;
  std::optional<K> kind;
  if (operation && lowering.unit.isLibrary(operation) && value.getType() == i32 && reduction)
    kind = llvm::StringSwitch<std::optional<K>>(operation->getName())
               .Case("plus", K::ReduceAdd)
               .Case("less", K::ReduceMin)
               .Case("greater", K::ReduceMax)
               .Case("bit_and", K::ReduceAnd)
               .Case("bit_or", K::ReduceOr)
               .Case("bit_xor", K::ReduceXor)
               .Default(std::nullopt);
  const std::string shown = "cooperative_groups::" + name.str();
  if (kind) {
    result = ir::PrimitiveOp::create(builder, at, i32, shown, *kind, lanes, value, Value(), Value())
                 .getResult(0);
    return true;
  }
  ir::PrimitiveOp::create(builder, at, value.getType(), shown, K::ShflIdx, lanes,
                          mlir::ValueRange{value, special(ir::SpecialValue::LaneId), number(32)},
                          Value(), Value());
  result = ir::UnknownOp::create(builder, at, value.getType(), shown);
  return true;
}

bool GroupLowering::coalesced(llvm::StringRef name, Value &result) {
  if (!group)
    return formGroup(name) || coalescedReduction(name, result);
  if (!isCoalesced(group))
    return false;
  const bool known = llvm::StringSwitch<bool>(name)
                         .Cases({"size", "num_threads", "thread_rank"}, true)
                         .Cases({"shfl", "shfl_up", "shfl_down"}, true)
                         .Cases({"any", "all", "ballot", "match_any"}, true)
                         .Default(false);
  if (!known)
    return false;
  Value lanes = ir::ReadOp::create(builder, at, i32, object());
  return coalescedShape(name, lanes, result) || coalescedShuffle(name, lanes, result) ||
         coalescedVote(name, lanes, result);
}

} // namespace warpdrf::frontend
