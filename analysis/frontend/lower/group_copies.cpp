// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies of a group. Its threads copy a share each, one after the other in turn; which
// one copies what matters to nobody, as a wait of the group is for the copies of all of them.
#include "analysis/frontend/lower/groups.h"

#include <numeric>

namespace warpdrf::frontend {

namespace arith = mlir::arith;

/// The number of bytes that an integer or a `cuda::aligned_size_t` stands for.
mlir::Value FunctionLowering::byteCount(const clang::Expr *expr) {
  if (const std::optional<std::int64_t> constant = constantSize(expr))
    return integer64(loc(expr), *constant);
  for (;;) {
    expr = expr->IgnoreImplicit()->IgnoreParens();
    if (expr->getType()->isIntegerType())
      return argumentAs(expr, types.integer(64));
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
      expr = cast->getSubExpr();
    else if (const auto *construction = llvm::dyn_cast<clang::CXXConstructExpr>(expr);
             construction && construction->getNumArgs() == 1)
      expr = construction->getArg(0);
    else
      return ir::ReadOp::create(builder, loc(expr), types.integer(64), address(expr));
  }
}

/// Finds the group's number of threads, also as it is known here, and the place of the calling one
/// among them. False for a group that does not tell.
bool GroupLowering::findShares(const clang::Expr *object, Shares &shares) {
  const clang::CXXRecordDecl *record = object->IgnoreImpCasts()->getType()->getAsCXXRecordDecl();
  if (!record)
    return false;
  size = tileSize(record);
  if (size > 0) {
    shares.rank = placeInTile(size);
    shares.threads = number(size);
    shares.known = size;
  } else if (record->getName() == "thread_block") {
    shares.rank = threadInBlock();
    shares.threads = threadsInBlock();
  } else if (record->getName() == "coalesced_group") {
    Value lanes = maskOf(object);
    shares.rank = rankIn(lanes);
    shares.threads = function("__popc", {lanes});
  } else {
    return false;
  }
  return true;
}

/// How much a thread copies at once: as many bytes as the hardware can, if they come out even.
static std::int64_t unitOf(std::int64_t element, std::optional<std::int64_t> bytes) {
  if (!bytes)
    return element;
  return std::gcd(*bytes, std::int64_t{16});
}

/// Copies the thread's share of `bytes` bytes.
void GroupLowering::copyShare(const Shares &shares, std::int64_t unit, Value to, Value from,
                              Value bytes, std::optional<std::int64_t> known) {
  mlir::Type i64 = lowering.types.integer(64);
  const auto wide = [&](Value value) { return arith::ExtUIOp::create(builder, at, i64, value); };
  Value first = arith::MulIOp::create(builder, at, wide(shares.rank), lowering.integer64(at, unit));
  Value round =
      arith::MulIOp::create(builder, at, wide(shares.threads), lowering.integer64(at, unit));
  const auto copyAt = [&](Value offset) {
    const auto moved = [&](Value base) {
      return ir::OffsetOp::create(builder, at, lowering.types.pointer(), base, offset);
    };
    Value destination = moved(to);
    ir::CopyOp::create(builder, at, destination, moved(from), unit, /*async=*/true, shares.barrier);
  };
  const auto isWithin = [&](Value offset) {
    return arith::CmpIOp::create(builder, at, arith::CmpIPredicate::ult, offset, bytes);
  };
  if (!known || !shares.known)
    return lowering.stridedLoop(at, first, round, isWithin, copyAt);
  const std::int64_t all = unit * shares.known;
  lowering.countedLoop(at, (*known + all - 1) / all, [&](Value turn) {
    Value offset =
        arith::AddIOp::create(builder, at, first, arith::MulIOp::create(builder, at, turn, round));
    if (*known % all == 0)
      copyAt(offset);
    else
      lowering.emitIf(at, isWithin(offset), [&] { copyAt(offset); }, [] {});
  });
}

/// `memcpy_async(group, to, from, bytes)`, or with the number of elements that there is room for
/// and the number that there are. A barrier is one argument more.
bool GroupLowering::copyTogether(Value barrier) {
  const unsigned count = expr->getNumArgs() - (barrier ? 1 : 0);
  Shares shares;
  if ((count != 4 && count != 5) || !expr->getArg(1)->getType()->isPointerType() ||
      !findShares(expr->getArg(0), shares))
    return false;
  const clang::QualType element = expr->getArg(1)->getType()->getPointeeType();
  const std::int64_t width = element->isVoidType() ? 1 : lowering.types.size(element);
  Value to = lowering.scalar(expr->getArg(1));
  Value from = lowering.scalar(expr->getArg(count == 4 ? 2 : 3));
  Value bytes = lowering.byteCount(expr->getArg(count == 4 ? 3 : 2));
  std::optional<std::int64_t> known = lowering.constantSize(expr->getArg(count == 4 ? 3 : 2));
  if (count == 5) {
    bytes = builder.createOrFold<arith::MinUIOp>(at, bytes, lowering.byteCount(expr->getArg(4)));
    bytes = builder.createOrFold<arith::MulIOp>(at, bytes, lowering.integer64(at, width));
    const std::optional<std::int64_t> there = lowering.constantSize(expr->getArg(4));
    known = known && there ? std::optional(std::min(*known, *there) * width) : std::nullopt;
  }
  shares.barrier = barrier;
  copyShare(shares, unitOf(width, known), to, from, bytes, known);
  if (!barrier)
    lowering.closeCopies(at); // each call is a stage
  return true;
}

/// `wait(group)` and `wait_prior<N>(group)`: the group's barrier follows the wait of each thread.
bool GroupLowering::copies(llvm::StringRef name) {
  if (group)
    return false;
  if (name == "memcpy_async")
    return copyTogether();
  if (name != "wait" && name != "wait_prior")
    return false;
  std::int64_t keep = 0;
  if (name == "wait_prior")
    keep = (*expr->getDirectCallee()->getTemplateSpecializationArgs())[0]
               .getAsIntegral()
               .getExtValue();
  lowering.waitForCopies(at, keep);
  return barrier(expr->getArg(0)->IgnoreImpCasts()->getType()->getAsCXXRecordDecl());
}

} // namespace warpdrf::frontend
