// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups by their contract: blocks, grids, and tiles of a size known at compile time.
#include "analysis/frontend/lower/groups.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

std::int64_t tileSize(const clang::CXXRecordDecl *group) {
  const auto *record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(group);
  if (!record ||
      (record->getName() != "thread_block_tile" && record->getName() != "thread_block_tile_impl") ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Integral)
    return 0;
  return record->getTemplateArgs()[0].getAsIntegral().getExtValue();
}

/// No mask for a whole warp, else the lanes of this thread's tile.
mlir::Value GroupLowering::mask() {
  if (size == 32)
    return {};
  Value first = builder.createOrFold<arith::AndIOp>(at, special(ir::SpecialValue::LaneId),
                                                    number(~(size - 1)));
  return builder.createOrFold<arith::ShLIOp>(at, number((std::int64_t(1) << size) - 1), first);
}

mlir::Value GroupLowering::threadInBlock() {
  using S = ir::SpecialValue;
  Value row = arith::MulIOp::create(builder, at, special(S::TidZ), special(S::BDimY));
  row = arith::AddIOp::create(builder, at, row, special(S::TidY));
  row = arith::MulIOp::create(builder, at, row, special(S::BDimX));
  return arith::AddIOp::create(builder, at, row, special(S::TidX));
}

/// Of a tile of so many threads.
mlir::Value GroupLowering::placeInTile(std::int64_t threads) {
  Value thread = threads > 32 ? threadInBlock() : special(ir::SpecialValue::LaneId);
  return builder.createOrFold<arith::AndIOp>(at, thread, number(threads - 1));
}

mlir::Value GroupLowering::threadsInBlock() {
  using S = ir::SpecialValue;
  Value all = arith::MulIOp::create(builder, at, special(S::BDimX), special(S::BDimY));
  return arith::MulIOp::create(builder, at, all, special(S::BDimZ));
}

mlir::Value GroupLowering::object() {
  const auto *member = llvm::cast<clang::MemberExpr>(expr->getCallee()->IgnoreParenImpCasts());
  const clang::Expr *base = member->getBase();
  return base->getType()->isPointerType() ? lowering.scalar(base) : lowering.address(base);
}

void GroupLowering::warpBarrier(const std::string &shown, Value lanes) {
  ir::PrimitiveOp::create(builder, at, mlir::TypeRange(), shown, ir::PrimitiveKind::SyncWarp, lanes,
                          mlir::ValueRange(), Value(), Value());
}

void GroupLowering::blockBarrier() {
  ir::BarrierOp::create(builder, at, mlir::Type(), "thread_block::sync", ir::SyncScope::Block,
                        ir::BarrierVote::None, Value(), Value(), Value());
}

/// Of a tile of several warps. The hardware has 16 barriers; the first ones are for others.
void GroupLowering::wideBarrier() {
  Value tile = arith::ShRUIOp::create(builder, at, threadInBlock(), number(llvm::Log2_64(size)));
  Value id = arith::AddIOp::create(builder, at, tile, number(16));
  ir::BarrierOp::create(builder, at, mlir::Type(), "thread_block_tile::sync", ir::SyncScope::Block,
                        ir::BarrierVote::None, Value(), id, number(size));
}

bool GroupLowering::barrier(const clang::CXXRecordDecl *record) {
  const llvm::StringRef name = record ? record->getName() : "";
  if (name == "thread_block") {
    blockBarrier();
    return true;
  }
  if (name == "grid_group") {
    ir::BarrierOp::create(builder, at, mlir::Type(), "grid_group::sync", ir::SyncScope::Grid,
                          ir::BarrierVote::None, Value(), Value(), Value());
    return true;
  }
  if (name == "thread_group" || name == "coalesced_group") {
    Value held = group ? object() : lowering.address(expr->getArg(0));
    if (name == "thread_group")
      anyBarrier(held);
    else
      warpBarrier("coalesced_group::sync", ir::ReadOp::create(builder, at, i32, held));
    return true;
  }
  size = tileSize(record);
  if (size > 32) {
    wideBarrier();
    return true;
  }
  if (size < 1) {
    lowering.unsupported(expr, "sync of cooperative group " + name.str());
    return true;
  }
  warpBarrier("thread_block_tile::sync", mask());
  return true;
}

/// Which of its parent's tiles this one is, or how many there are; null when the type does not tell
/// the parent. A tile of a warp's size without one is a block's.
mlir::Value GroupLowering::metaGroup(llvm::StringRef name) {
  const auto *record = llvm::cast<clang::ClassTemplateSpecializationDecl>(group);
  const auto &arguments = record->getTemplateArgs();
  const clang::CXXRecordDecl *parent =
      arguments.size() > 1 ? arguments[1].getAsType()->getAsCXXRecordDecl() : nullptr;
  const std::int64_t parentSize = tileSize(parent);
  if (!parentSize && !(parent && parent->getName() == "thread_block") && size != 32)
    return {};
  const bool rank = name == "meta_group_rank";
  if (parentSize && !rank)
    return number(parentSize / size);
  Value value;
  if (parentSize) {
    value = builder.createOrFold<arith::AndIOp>(at, special(ir::SpecialValue::LaneId),
                                                number(parentSize - 1));
  } else if (rank) {
    value = threadInBlock();
  } else { // the last tile may be a part of one
    value = arith::AddIOp::create(builder, at, threadsInBlock(), number(size - 1));
  }
  return arith::ShRUIOp::create(builder, at, value, number(llvm::Log2_64(size)));
}

bool GroupLowering::tileShape(llvm::StringRef name, Value &result) {
  Value value;
  if (name == "size" || name == "num_threads")
    value = number(size);
  else if (name == "thread_rank")
    value = placeInTile(size);
  else if (name == "meta_group_rank" || name == "meta_group_size")
    value = metaGroup(name);
  if (!value)
    return false;
  result = shaped(value);
  return true;
}

bool GroupLowering::tileCollective(llvm::StringRef name, Value &result) {
  using K = ir::PrimitiveKind;
  const std::optional<K> kind = llvm::StringSwitch<std::optional<K>>(name)
                                    .Case("shfl", K::ShflIdx)
                                    .Case("shfl_up", K::ShflUp)
                                    .Case("shfl_down", K::ShflDown)
                                    .Case("shfl_xor", K::ShflXor)
                                    .Case("any", K::Any)
                                    .Case("all", K::All)
                                    .Case("ballot", K::Ballot)
                                    .Case("match_any", K::MatchAny)
                                    .Default(std::nullopt);
  if (!kind)
    return false;
  const std::string shown = "thread_block_tile::" + name.str();
  const bool isShuffle = expr->getNumArgs() == 2;
  if (lowering.types.size(expr->getArg(0)->getType()) > 8) {
    if (isShuffle)
      shuffleWords(*kind, shown);
    else
      lowering.unsupported(expr, shown + " of a large value");
    return true;
  }
  Value value = lowering.asBits(expr->getArg(0));
  const bool vote = *kind == K::Any || *kind == K::All;
  if (vote || *kind == K::Ballot)
    value = lowering.truth(at, value);
  if (isShuffle) {
    result = exchange(*kind, shown, value, lowering.argumentAs(expr->getArg(1), i32));
    if (!lowering.types.isScalar(expr->getType()))
      lowering.fromBits(at, result, destination);
    return true;
  }
  mlir::Type type = vote ? builder.getI1Type() : i32;
  auto op =
      ir::PrimitiveOp::create(builder, at, type, shown, *kind, mask(), value, Value(), Value());
  result = shaped(op.getResult(0));
  return true;
}

mlir::Value GroupLowering::exchange(ir::PrimitiveKind kind, const std::string &shown, Value value,
                                    Value lane) {
  return ir::PrimitiveOp::create(builder, at, value.getType(), shown, kind, mask(),
                                 mlir::ValueRange{value, lane, number(size)}, Value(), Value())
      .getResult(0);
}

/// A record goes word by word.
void GroupLowering::shuffleWords(ir::PrimitiveKind kind, const std::string &shown) {
  const clang::Expr *argument = expr->getArg(0);
  const std::int64_t bytes = lowering.types.size(argument->getType());
  Value source = lowering.address(argument);
  Value lane = lowering.argumentAs(expr->getArg(1), i32);
  for (std::int64_t offset = 0; offset < bytes;) {
    const std::int64_t word = bytes - offset >= 8   ? 8
                              : bytes - offset >= 4 ? 4
                              : bytes - offset >= 2 ? 2
                                                    : 1;
    Value part = ir::ReadOp::create(builder, at, lowering.types.integer(8 * word),
                                    lowering.offset(at, source, offset));
    part = exchange(kind, shown, part, lane);
    ir::WriteOp::create(builder, at, lowering.offset(at, destination, offset), part);
    offset += word;
  }
}

/// What `cg::plus<T>` and kin make of two values; null for any other function.
mlir::Value GroupLowering::combine(const clang::CXXRecordDecl *function, Value a, Value b,
                                   clang::QualType type) {
  const llvm::StringRef name =
      function && lowering.unit.isLibrary(function) ? function->getName() : llvm::StringRef();
  if (name == "less" || name == "greater")
    return lowering.extreme(at, name == "less", a, b, type);
  const auto kind = llvm::StringSwitch<std::optional<clang::BinaryOperatorKind>>(name)
                        .Case("plus", clang::BO_Add)
                        .Case("bit_and", clang::BO_And)
                        .Case("bit_or", clang::BO_Or)
                        .Case("bit_xor", clang::BO_Xor)
                        .Default(std::nullopt);
  return kind ? lowering.arithmetic(expr, *kind, a, b, type) : Value();
}

/// `cg::reduce(tile, value, function)`: every thread of the tile gets what the butterfly of
/// shuffles gives, which is how it is done.
bool GroupLowering::tileReduction(llvm::StringRef name, Value &result) {
  if (name != "reduce" || expr->getNumArgs() != 3)
    return false;
  size = tileSize(expr->getArg(0)->IgnoreImpCasts()->getType()->getAsCXXRecordDecl());
  const clang::QualType type = expr->getType();
  if (size < 1 || !lowering.types.isScalar(type))
    return false;
  if (size > 32) { // through memory that is nobody else's, between barriers of the tile's
    lowering.effects(expr->getArg(1));
    wideBarrier();
    result = ir::UnknownOp::create(builder, at, lowering.types.scalar(type),
                                   "cooperative_groups::reduce");
    return true;
  }
  const clang::CXXRecordDecl *function =
      expr->getArg(2)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  Value value = lowering.convert(at, lowering.scalar(expr->getArg(1)),
                                 expr->getArg(1)->getType().getNonReferenceType(), type);
  if (!combine(function, value, value, type))
    return false;
  for (std::int64_t distance = size / 2; distance > 0; distance /= 2)
    value = combine(
        function, value,
        exchange(ir::PrimitiveKind::ShflXor, "cooperative_groups::reduce", value, number(distance)),
        type);
  result = value;
  return true;
}

/// A tile of several warps is of a block: its threads follow each other, and its barrier is one
/// of its own among the named ones.
bool GroupLowering::wideTile(llvm::StringRef name, Value &result) {
  const std::int64_t warps = llvm::Log2_64(size);
  Value rank = threadInBlock();
  if (name == "size" || name == "num_threads") {
    result = shaped(number(size));
  } else if (name == "thread_rank") {
    result = shaped(arith::AndIOp::create(builder, at, rank, number(size - 1)));
  } else if (name == "meta_group_rank") {
    result = shaped(arith::ShRUIOp::create(builder, at, rank, number(warps)));
  } else if (name == "meta_group_size") {
    Value all = arith::AddIOp::create(builder, at, threadsInBlock(), number(size - 1));
    result = shaped(arith::ShRUIOp::create(builder, at, all, number(warps)));
  } else {
    return false;
  }
  return true;
}

bool GroupLowering::tile(llvm::StringRef name, Value &result) {
  size = tileSize(group);
  if (size > 32)
    return wideTile(name, result);
  if (size < 1)
    return false;
  return tileShape(name, result) || tileCollective(name, result);
}

bool GroupLowering::run(llvm::StringRef name, Value &result) {
  if (name == "this_thread_block" || name == "this_grid")
    return true; // the group objects hold nothing that anyone reads
  if (name == "tiled_partition" && tileSize(expr->getType()->getAsCXXRecordDecl()))
    return true;
  if (name == "sync")
    return barrier(group ? group
                         : expr->getArg(0)->IgnoreImpCasts()->getType()->getAsCXXRecordDecl());
  if (group ? tile(name, result) : tileReduction(name, result))
    return true;
  if (coalesced(name, result) || anyGroup(name, result) || copies(name))
    return true;
  const llvm::StringRef record = group ? group->getName() : "";
  if (record == "thread_block" || record == "grid_group" || record == "dim3")
    return false; // ranks and sizes: plain functions of the coordinates
  if (!group && (name == "thread_rank" || name == "group_size"))
    return false; // which ask the group itself
  if (group && llvm::isa<clang::CXXConversionDecl>(expr->getDirectCallee()))
    return false;
  result = lowering.unsupported(
      expr, "cooperative groups: " + record.str() + (group ? "::" : "") + name.str(),
      expr->isGLValue() ? lowering.types.pointer() : lowering.types.scalar(expr->getType()));
  return true;
}

bool FunctionLowering::isTile(const clang::CXXRecordDecl *record) const {
  const std::int64_t size = tileSize(record);
  return size >= 1 && size <= 32 && unit.isLibrary(record);
}

bool FunctionLowering::groupBuiltin(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                                    Value destination, Value &result) {
  const std::string name = qualifiedName(callee);
  if (!llvm::StringRef(name).starts_with("cooperative_groups::") || !unit.isLibrary(callee) ||
      llvm::StringRef(name).contains("::details::") || !callee->getDeclName().isIdentifier())
    return false;
  const clang::CXXRecordDecl *group = nullptr;
  // A static member, such as thread_block::sync, is called through a decayed pointer.
  if (const auto *member =
          llvm::dyn_cast<clang::MemberExpr>(expr->getCallee()->IgnoreParenImpCasts())) {
    clang::QualType type = member->getBase()->IgnoreImpCasts()->getType();
    group = (type->isPointerType() ? type->getPointeeType() : type)->getAsCXXRecordDecl();
  }
  return GroupLowering{*this, expr, group, destination, loc(expr), builder, types.integer(32)}.run(
      callee->getName(), result);
}

} // namespace warpdrf::frontend
