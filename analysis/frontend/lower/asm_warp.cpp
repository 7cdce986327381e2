// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp primitives of inline PTX: shfl, vote, match, redux.
#include "analysis/frontend/lower/asm.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

static std::optional<ir::PrimitiveKind> shuffleKind(const PtxInstruction &ptx) {
  if (ptx.opcode.size() < 3 || ptx.opcode[0] != "shfl" || ptx.opcode[1] != "sync")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<ir::PrimitiveKind>>(ptx.opcode[2])
      .Case("up", ir::PrimitiveKind::ShflUp)
      .Case("down", ir::PrimitiveKind::ShflDown)
      .Case("bfly", ir::PrimitiveKind::ShflXor)
      .Case("idx", ir::PrimitiveKind::ShflIdx)
      .Default(std::nullopt);
}

/// `shfl.sync.mode.b32 d|p, a, b, c, mask`. With the `c` of a shuffle over the whole warp it is
/// that shuffle; with any other, one from the lane that the PTX manual's table gives, itself where
/// `p` is false.
bool AsmLowering::shuffle(const PtxInstruction &ptx) {
  const auto kind = shuffleKind(ptx);
  if (!kind || ptx.operands.size() != 5)
    return false;
  const auto [result, inRange] = llvm::StringRef(ptx.operands[0]).split('|');
  mlir::Type word = builder.getI32Type();
  llvm::SmallVector<Value, 4> in;
  for (std::size_t i = 1; i < 5; ++i) {
    in.push_back(operandAs(ptx.operands[i], word));
    if (!in.back())
      return false;
  }
  const auto number = [&](std::int64_t value) { return lowering.integer(loc, word, value); };
  const bool whole = constant(ptx.operands[3]) == (*kind == ir::PrimitiveKind::ShflUp ? 0 : 31);
  if (whole && inRange.empty()) {
    auto op = ir::PrimitiveOp::create(builder, loc, word, ptx.name(), *kind, in[3],
                                      mlir::ValueRange{in[0], in[1], number(32)}, Value(), Value());
    setOutput(result, op.getResult(0));
    return true;
  }
  const auto both = [&](Value a, Value b) {
    return builder.createOrFold<arith::AndIOp>(loc, a, b);
  };
  const auto either = [&](Value a, Value b) {
    return builder.createOrFold<arith::OrIOp>(loc, a, b);
  };
  Value lane = ir::SpecialOp::create(builder, loc, word, ir::SpecialValue::LaneId);
  Value distance = both(in[1], number(31)), clamp = both(in[2], number(31));
  Value segments = both(builder.createOrFold<arith::ShRUIOp>(loc, in[2], number(8)), number(31));
  Value inside = builder.createOrFold<arith::XOrIOp>(loc, segments, number(31));
  Value least = both(lane, segments), most = either(least, both(clamp, inside));
  Value from;
  auto isInside = arith::CmpIPredicate::sle;
  switch (*kind) {
  case ir::PrimitiveKind::ShflUp:
    from = builder.createOrFold<arith::SubIOp>(loc, lane, distance);
    isInside = arith::CmpIPredicate::sge;
    break;
  case ir::PrimitiveKind::ShflDown:
    from = builder.createOrFold<arith::AddIOp>(loc, lane, distance);
    break;
  case ir::PrimitiveKind::ShflXor:
    from = builder.createOrFold<arith::XOrIOp>(loc, lane, distance);
    break;
  default:
    from = either(least, both(distance, inside));
  }
  Value valid = builder.createOrFold<arith::CmpIOp>(loc, isInside, from, most);
  from = builder.createOrFold<arith::SelectOp>(loc, valid, from, lane);
  auto op =
      ir::PrimitiveOp::create(builder, loc, word, ptx.name(), ir::PrimitiveKind::ShflIdx, in[3],
                              mlir::ValueRange{in[0], from, number(32)}, Value(), Value());
  setOutput(result, op.getResult(0));
  if (!inRange.empty())
    setOutput(inRange, valid);
  return true;
}

static std::optional<ir::PrimitiveKind> voteKind(const PtxInstruction &ptx) {
  if (ptx.opcode.size() < 3 || ptx.opcode[1] != "sync")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<ir::PrimitiveKind>>(ptx.opcode[0] + "." + ptx.opcode[2])
      .Case("vote.ballot", ir::PrimitiveKind::Ballot)
      .Case("vote.any", ir::PrimitiveKind::Any)
      .Case("vote.all", ir::PrimitiveKind::All)
      .Case("match.any", ir::PrimitiveKind::MatchAny)
      .Case("redux.add", ir::PrimitiveKind::ReduceAdd)
      .Case("redux.min", ir::PrimitiveKind::ReduceMin)
      .Case("redux.max", ir::PrimitiveKind::ReduceMax)
      .Case("redux.and", ir::PrimitiveKind::ReduceAnd)
      .Case("redux.or", ir::PrimitiveKind::ReduceOr)
      .Case("redux.xor", ir::PrimitiveKind::ReduceXor)
      .Default(std::nullopt);
}

bool AsmLowering::vote(const PtxInstruction &ptx) {
  PtxInstruction order = ptx; // `redux.sync.add` and `match.any.sync`
  if (order.opcode.size() > 2 && order.opcode[2] == "sync")
    std::swap(order.opcode[1], order.opcode[2]);
  const auto kind = voteKind(order);
  if (!kind || ptx.operands.size() != 3)
    return false;
  llvm::StringRef given = ptx.operands[1];
  const bool isVote = order.opcode[0] == "vote", negated = given.consume_front("!");
  mlir::Type word = builder.getI32Type(), bit = builder.getI1Type();
  Value value = operandAs(given, isVote ? bit : word), mask = operandAs(ptx.operands[2], word);
  if (!value || !mask)
    return false;
  if (negated)
    value = builder.createOrFold<arith::XOrIOp>(loc, value, lowering.boolean(loc, true));
  const bool isBit = *kind == ir::PrimitiveKind::Any || *kind == ir::PrimitiveKind::All;
  auto op = ir::PrimitiveOp::create(builder, loc, isBit ? bit : word, ptx.name(), *kind, mask,
                                    mlir::ValueRange{value}, Value(), Value());
  setOutput(ptx.operands[0], op.getResult(0));
  return true;
}

} // namespace warpdrf::frontend
