// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surface accesses by name. A surface is an object that its handle stands for.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

/// How many coordinates `surf2Dwrite` and kin take: the first is in bytes.
static unsigned coordinatesOf(llvm::StringRef name) {
  if (!name.consume_front("surf") || !(name.consume_back("read") || name.consume_back("write")))
    return 0;
  return llvm::StringSwitch<unsigned>(name)
      .Case("1D", 1)
      .Cases({"2D", "1DLayered"}, 2)
      .Cases({"3D", "2DLayered", "Cubemap", "CubemapLayered"}, 3)
      .Default(0);
}

bool FunctionLowering::surface(const clang::CallExpr *expr, llvm::StringRef name, Value destination,
                               Value &result) {
  const unsigned count = coordinatesOf(name);
  if (count == 0)
    return false;
  const mlir::Location at = loc(expr);
  const bool isWrite = name.ends_with("write");
  const bool throughPointer = !isWrite && expr->getArg(0)->getType()->isPointerType();
  const unsigned first = isWrite || throughPointer ? 1 : 0; // the handle
  clang::Expr::EvalResult mode;
  const unsigned last = first + 1 + count;
  constexpr int clamp = 1; // cudaBoundaryModeClamp: threads outside meet at the border
  if (last >= expr->getNumArgs() || !expr->getArg(last)->EvaluateAsInt(mode, unit.ast) ||
      mode.Val.getInt() == clamp) {
    result = unsupported(expr, name.str() + " with a boundary mode that is not trap or zero",
                         types.scalar(expr->getType()));
    return true;
  }
  mlir::Type wide = types.integer(64);
  Value handle = argumentAs(expr->getArg(first), wide);
  Value place = ir::IntToPtrOp::create(builder, at, types.pointer(), handle);
  // How long a row is, and how large a slice, is the surface's affair: strides, as of any array.
  Value stride;
  for (unsigned i = 0; i < count; ++i) {
    Value bytes = argumentAs(expr->getArg(first + 1 + i), wide);
    if (stride)
      bytes = arith::MulIOp::create(builder, at, bytes, stride);
    place = ir::OffsetOp::create(builder, at, types.pointer(), place, bytes);
    Value next = ir::ApplyOp::create(builder, at, wide, i == 0 ? "surface row" : "surface slice",
                                     mlir::ValueRange{handle});
    stride = stride ? arith::MulIOp::create(builder, at, stride, next) : next;
  }
  const clang::QualType type = isWrite          ? expr->getArg(0)->getType()
                               : throughPointer ? expr->getArg(0)->getType()->getPointeeType()
                                                : expr->getType();
  const bool isScalar = types.isScalar(type);
  if (isWrite && isScalar)
    write(at, place, scalar(expr->getArg(0)), type);
  else if (isWrite)
    copyBytes(at, place, address(expr->getArg(0)), type);
  else if (throughPointer && isScalar)
    write(at, scalar(expr->getArg(0)), read(at, place, type), type);
  else if (throughPointer)
    copyBytes(at, scalar(expr->getArg(0)), place, type);
  else if (isScalar)
    result = read(at, place, type.getUnqualifiedType());
  else
    copyBytes(at, destination, place, type);
  return true;
}

} // namespace warpdrf::frontend
