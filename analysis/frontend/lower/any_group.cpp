// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `cg::thread_group`: a group of any kind, which its object tells. The tag is the size of a tile,
// or one of those below; the executor knows it where the group was made on the way.
#include "analysis/frontend/lower/groups.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

/// Tags of groups that are no tiles. A mask of lanes follows that of a coalesced group.
static constexpr std::int64_t blockTag = 0x10000, coalescedTag = 0x20000;
static constexpr std::int64_t anyGroupSize = 16, maskOffset = 4, largestTile = 1024;

static bool isAnyGroup(const clang::CXXRecordDecl *record) {
  return record && record->getName() == "thread_group";
}

static const clang::CXXRecordDecl *recordOf(clang::QualType type) {
  return (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
}

/// The `thread_group` that a group of a known kind is taken for, in an object of its own; null for
/// other conversions.
mlir::Value FunctionLowering::groupOfAnyKind(const clang::CastExpr *cast, Value pointer) {
  const clang::CXXRecordDecl *to = recordOf(cast->getType());
  const clang::CXXRecordDecl *from = recordOf(cast->getSubExpr()->getType());
  if (!isAnyGroup(to) || !unit.isLibrary(to) || !from)
    return {};
  std::int64_t tag = tileSize(from);
  if (from->getName() == "thread_block")
    tag = blockTag;
  else if (from->getName() == "coalesced_group")
    tag = coalescedTag;
  if (!tag)
    return {};
  const mlir::Location at = loc(cast);
  Value object = local(at, "thread_group", anyGroupSize);
  ir::WriteOp::create(builder, at, object, integer(at, types.integer(32), tag));
  if (tag == coalescedTag)
    ir::WriteOp::create(builder, at, offset(at, object, maskOffset),
                        ir::ReadOp::create(builder, at, types.integer(32), pointer));
  return object;
}

void GroupLowering::anyBarrier(Value held) {
  Value tag = ir::ReadOp::create(builder, at, i32, held);
  const auto is = [&](std::int64_t which) {
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::eq, tag, number(which));
  };
  const auto tiles = [&](auto &self, std::int64_t threads) -> void {
    if (threads < 1) {
      lowering.unsupported(expr, "sync of a thread_group of a kind that is not known");
      return;
    }
    lowering.emitIf(
        at, is(threads),
        [&] {
          size = threads;
          if (size > 32)
            wideBarrier();
          else
            warpBarrier("thread_group::sync", mask());
        },
        [&] { self(self, threads / 2); });
  };
  const auto coalescedLanes = [&] {
    warpBarrier("thread_group::sync",
                ir::ReadOp::create(builder, at, i32, lowering.offset(at, held, maskOffset)));
  };
  lowering.emitIf(
      at, is(blockTag), [&] { blockBarrier(); },
      [&] {
        lowering.emitIf(at, is(coalescedTag), coalescedLanes, [&] { tiles(tiles, largestTile); });
      });
}

bool GroupLowering::anyGroup(llvm::StringRef name, Value &result) {
  if (!isAnyGroup(group) && name != "tiled_partition")
    return false;
  const auto select = [&](Value condition, Value yes, Value no) -> Value {
    return arith::SelectOp::create(builder, at, condition, yes, no);
  };
  const auto compare = [&](arith::CmpIPredicate how, Value a, std::int64_t b) -> Value {
    return arith::CmpIOp::create(builder, at, how, a, number(b));
  };
  if (name == "tiled_partition") { // of a size that only a run shows
    if (expr->getNumArgs() != 2 || !isAnyGroup(expr->getType()->getAsCXXRecordDecl()))
      return false;
    Value tag = lowering.argumentAs(expr->getArg(1), i32);
    if (destination)
      ir::WriteOp::create(builder, at, destination, tag);
    return true;
  }
  const bool rank = name == "thread_rank";
  if (!rank && name != "size" && name != "num_threads")
    return false;
  using P = arith::CmpIPredicate;
  Value held = object();
  Value tag = ir::ReadOp::create(builder, at, i32, held);
  Value lanes = ir::ReadOp::create(builder, at, i32, lowering.offset(at, held, maskOffset));
  Value ofCoalesced = rank ? rankIn(lanes) : function("__popc", {lanes}), ofTile = tag;
  if (rank) {
    Value last = arith::SubIOp::create(builder, at, tag, number(1));
    Value place =
        select(compare(P::sle, tag, 32), special(ir::SpecialValue::LaneId), threadInBlock());
    ofTile = arith::AndIOp::create(builder, at, place, last);
  }
  Value ofBlock = rank ? threadInBlock() : threadsInBlock();
  Value other = select(compare(P::eq, tag, coalescedTag), ofCoalesced, ofTile);
  result = shaped(select(compare(P::eq, tag, blockTag), ofBlock, other));
  return true;
}

} // namespace warpdrf::frontend
