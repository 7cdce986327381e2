// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA functions known by name: thread coordinates, plain loads and stores, assumptions, min and
// max. Only where a header declares them; a function of the user's with such a name is the user's.
#include "analysis/frontend/lower/function.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

/// `threadIdx` and `x` to the launch value; also the PTX names `tid` and `x`.
static std::optional<ir::SpecialValue> coordinate(llvm::StringRef vector, llvm::StringRef axis) {
  const int base = llvm::StringSwitch<int>(vector)
                       .Cases({"threadIdx", "tid"}, 0)
                       .Cases({"blockIdx", "ctaid"}, 3)
                       .Cases({"blockDim", "ntid"}, 6)
                       .Cases({"gridDim", "nctaid"}, 9)
                       .Default(-1);
  const int index =
      llvm::StringSwitch<int>(axis).Case("x", 0).Case("y", 1).Case("z", 2).Default(-1);
  if (base < 0 || index < 0)
    return std::nullopt;
  return static_cast<ir::SpecialValue>(base + index);
}

static std::optional<ir::SpecialValue> specialOf(const clang::FunctionDecl *callee,
                                                 llvm::StringRef name) {
  if (name.consume_front("__fetch_builtin_")) {
    const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    llvm::StringRef record = method ? method->getParent()->getName() : "";
    record.consume_front("__cuda_builtin_");
    record.consume_back("_t");
    return coordinate(record, name);
  }
  if (!name.consume_front("__nvvm_read_ptx_sreg_"))
    return std::nullopt;
  const auto [vector, axis] = name.rsplit('_');
  if (std::optional<ir::SpecialValue> result = coordinate(vector, axis))
    return result;
  return llvm::StringSwitch<std::optional<ir::SpecialValue>>(name)
      .Case("warpsize", ir::SpecialValue::WarpSize)
      .Case("laneid", ir::SpecialValue::LaneId)
      .Case("lanemask_eq", ir::SpecialValue::LaneMaskEq)
      .Case("lanemask_lt", ir::SpecialValue::LaneMaskLt)
      .Case("lanemask_le", ir::SpecialValue::LaneMaskLe)
      .Case("lanemask_gt", ir::SpecialValue::LaneMaskGt)
      .Case("lanemask_ge", ir::SpecialValue::LaneMaskGe)
      .Default(std::nullopt);
}

mlir::Value FunctionLowering::argumentAs(const clang::Expr *expr, mlir::Type type) {
  const mlir::Location at = loc(expr);
  Value value = scalar(expr);
  if (value.getType() == type)
    return value;
  if (type.isInteger(1))
    return truth(at, value);
  const unsigned from = value.getType().getIntOrFloatBitWidth();
  if (from > type.getIntOrFloatBitWidth())
    return builder.createOrFold<arith::TruncIOp>(at, type, value);
  return Types::isUnsigned(expr->getType()) ? builder.createOrFold<arith::ExtUIOp>(at, type, value)
                                            : builder.createOrFold<arith::ExtSIOp>(at, type, value);
}

/// A scalar as it is; a small record (half2, …) as an integer of its size.
mlir::Value FunctionLowering::asBits(const clang::Expr *expr) {
  if (types.isScalar(expr->getType()))
    return scalar(expr);
  mlir::Type type = types.integer(8 * types.size(expr->getType()));
  return ir::ReadOp::create(builder, loc(expr), type, address(expr));
}

void FunctionLowering::fromBits(mlir::Location loc, Value bits, Value destination) {
  if (destination)
    ir::WriteOp::create(builder, loc, destination, bits);
}

/// `std::move` and kin, which Clang knows itself and so does not instantiate.
static bool isReferenceCast(const clang::FunctionDecl *callee) {
  switch (callee->getBuiltinID()) {
  case clang::Builtin::BImove:
  case clang::Builtin::BIforward:
  case clang::Builtin::BIforward_like:
  case clang::Builtin::BImove_if_noexcept:
  case clang::Builtin::BIas_const:
  case clang::Builtin::BIaddressof:
  case clang::Builtin::BI__addressof:
    return true;
  default:
    return false;
  }
}

bool FunctionLowering::builtin(const clang::CallExpr *expr, const clang::FunctionDecl *callee,
                               Value destination, Value &result) {
  if (groupBuiltin(expr, callee, destination, result) || matrixBuiltin(expr, callee) ||
      atomicObject(expr, callee, result) || pipelineObject(expr, callee, result) ||
      memoryBarrier(expr, callee, destination, result))
    return true;
  if (isReferenceCast(callee)) {
    result = address(expr->getArg(0));
    return true;
  }
  if (!callee->getDeclName().isIdentifier() || (callee->getDefinition() && !unit.isLibrary(callee)))
    return false;
  const llvm::StringRef name = callee->getName();
  if (std::optional<ir::SpecialValue> special = specialOf(callee, name)) {
    result = ir::SpecialOp::create(builder, loc(expr), types.integer(32), *special);
    return true;
  }
  return syncBuiltin(expr, name, destination, result) ||
         atomicBuiltin(expr, name, destination, result) ||
         memoryBuiltin(expr, name, destination, result) || mathWithPointers(expr, callee, result) ||
         surface(expr, name, destination, result) || deviceRuntime(expr, name, result) ||
         valueBuiltin(expr, name, result);
}

bool FunctionLowering::memoryBuiltin(const clang::CallExpr *expr, llvm::StringRef name,
                                     Value destination, Value &result) {
  const mlir::Location at = loc(expr);
  const auto isOneOf = [&](std::initializer_list<llvm::StringRef> names) {
    return llvm::is_contained(names, name);
  };
  if (isOneOf({"__ldg", "__ldcg", "__ldca", "__ldcs", "__ldlu", "__ldcv"})) {
    const clang::QualType type = expr->getArg(0)->getType()->getPointeeType();
    Value pointer = scalar(expr->getArg(0));
    if (types.isScalar(type))
      result = read(at, pointer, type.getUnqualifiedType());
    else
      copyBytes(at, destination, pointer, type);
    return true;
  }
  if (isOneOf({"__stwb", "__stcg", "__stcs", "__stwt"})) {
    const clang::QualType type = expr->getArg(0)->getType()->getPointeeType();
    Value pointer = scalar(expr->getArg(0));
    if (types.isScalar(type))
      write(at, pointer, scalar(expr->getArg(1)), type);
    else
      copyBytes(at, pointer, address(expr->getArg(1)), type);
    return true;
  }
  if (isOneOf({"memcpy", "memmove", "memset", "__builtin_memcpy", "__builtin_memset",
               "__builtin_memmove"})) {
    clang::Expr::EvalResult size, value;
    const bool sized = expr->getArg(2)->EvaluateAsInt(size, unit.ast);
    const bool set = name.ends_with("memset");
    Value pointer = scalar(expr->getArg(0));
    if (!sized)
      unsupported(expr, name.str() + " of a size that is not constant");
    else if (!set)
      ir::CopyOp::create(builder, at, pointer, scalar(expr->getArg(1)),
                         size.Val.getInt().getZExtValue());
    else if (expr->getArg(1)->EvaluateAsInt(value, unit.ast) && value.Val.getInt() == 0)
      ir::FillOp::create(builder, at, pointer, size.Val.getInt().getZExtValue());
    else
      unsupported(expr, name.str() + " to a value other than zero");
    result = pointer;
    return true;
  }
  if (isOneOf({"__pipeline_memcpy_async", "__pipeline_commit", "__pipeline_wait_prior"}))
    return pipeline(expr, name);
  if (isOneOf({"__cvta_generic_to_shared", "__cvta_generic_to_global", "__cvta_generic_to_constant",
               "__cvta_generic_to_local"})) {
    result = ir::PtrToIntOp::create(builder, at, types.integer(64), scalar(expr->getArg(0)));
    return true;
  }
  if (isOneOf({"__cvta_shared_to_generic", "__cvta_global_to_generic"})) {
    Value bits = argumentAs(expr->getArg(0), types.integer(64));
    result = ir::IntToPtrOp::create(builder, at, types.pointer(), bits);
    return true;
  }
  return false;
}

mlir::Value FunctionLowering::extreme(mlir::Location at, bool least, Value a, Value b,
                                      clang::QualType type) {
  if (llvm::isa<mlir::FloatType>(a.getType()))
    return ir::ApplyOp::create(builder, at, a.getType(), least ? "fmin" : "fmax",
                               mlir::ValueRange{a, b});
  if (least)
    return Types::isUnsigned(type) ? builder.createOrFold<arith::MinUIOp>(at, a, b)
                                   : builder.createOrFold<arith::MinSIOp>(at, a, b);
  return Types::isUnsigned(type) ? builder.createOrFold<arith::MaxUIOp>(at, a, b)
                                 : builder.createOrFold<arith::MaxSIOp>(at, a, b);
}

mlir::Value FunctionLowering::standardMinMax(const clang::CallExpr *expr) {
  Value a = scalar(expr->getArg(0)), b = scalar(expr->getArg(1));
  return extreme(loc(expr), expr->getDirectCallee()->getName() == "min", a, b, expr->getType());
}

bool FunctionLowering::valueBuiltin(const clang::CallExpr *expr, llvm::StringRef name,
                                    Value &result) {
  const mlir::Location at = loc(expr);
  mlir::Type type = types.scalar(expr->getType());
  const auto arguments = [&] {
    for (const clang::Expr *argument : expr->arguments())
      effects(argument);
  };
  if (name == "__builtin_assume") {
    ir::AssumeOp::create(builder, at, scalar(expr->getArg(0)));
    return true;
  }
  if (name == "__builtin_expect" || name == "__builtin_assume_aligned" ||
      name == "__builtin_launder" || name == "__builtin_addressof") {
    const clang::Expr *argument = expr->getArg(0);
    result = name == "__builtin_addressof" ? address(argument) : scalar(argument);
    return true;
  }
  if (name == "__builtin_unreachable" || name == "__builtin_trap" || name == "__trap" ||
      name == "__assert_fail" || name == "__assertfail" || name == "abort" || name == "exit" ||
      expr->getDirectCallee()->isNoReturn()) {
    arguments();
    assumeFalse(at);
    if (type)
      result = ir::UnknownOp::create(builder, at, type, "after " + name.str());
    return true;
  }
  if (name == "printf" || name == "vprintf" || name == "__builtin_printf" || name == "puts") {
    arguments();
    result = ir::UnknownOp::create(builder, at, type, name);
    return true;
  }
  if (name == "__nanosleep" || name == "__brkpt" || name == "__prof_trigger" ||
      name == "cudaGridDependencySynchronize" ||
      name == "cudaTriggerProgrammaticLaunchCompletion") {
    arguments();
    if (type)
      result = zero(at, type);
    return true;
  }
  if (type && (name == "clock" || name == "clock64" || name == "__nvvm_read_ptx_sreg_clock" ||
               name == "__nvvm_read_ptx_sreg_clock64" || name == "__globaltimer" ||
               name == "__nvvm_read_ptx_sreg_globaltimer")) {
    result = ir::UnknownOp::create(builder, at, type, name);
    return true;
  }
  if (name == "nan" || name == "nanf") { // of a string that says which
    arguments();
    result = ir::ApplyOp::create(builder, at, type, name, mlir::ValueRange());
    return true;
  }
  if (name == "__mul24" || name == "__umul24") { // operands of 24 bits, as indices are
    Value a = argumentAs(expr->getArg(0), type), b = argumentAs(expr->getArg(1), type);
    result = builder.createOrFold<arith::MulIOp>(at, a, b);
    return true;
  }
  const bool least = llvm::is_contained({"min", "umin", "llmin", "ullmin"}, name);
  const bool most = llvm::is_contained({"max", "umax", "llmax", "ullmax"}, name);
  if ((least || most) && expr->getNumArgs() == 2 && type && !expr->isGLValue() &&
      llvm::isa<mlir::IntegerType>(type) && expr->getArg(0)->getType()->isIntegerType() &&
      expr->getArg(1)->getType()->isIntegerType()) {
    Value a = convert(at, scalar(expr->getArg(0)), expr->getArg(0)->getType(), expr->getType());
    Value b = convert(at, scalar(expr->getArg(1)), expr->getArg(1)->getType(), expr->getType());
    result = extreme(at, least, a, b, expr->getType());
    return true;
  }
  return false;
}

} // namespace warpdrf::frontend
