// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of the `arith` dialect.
#include "analysis/interpreter/compile.h"

#include "llvm/ADT/StringMap.h"

namespace warpdrf::interpreter {

namespace arith = mlir::arith;

/// Operations whose operands and result have one type.
static const llvm::StringMap<Op> &simpleOperations() {
  static const llvm::StringMap<Op> table = {
      {"arith.addi", Op::Add},        {"arith.subi", Op::Sub},        {"arith.muli", Op::Mul},
      {"arith.divsi", Op::DivS},      {"arith.divui", Op::DivU},      {"arith.remsi", Op::RemS},
      {"arith.remui", Op::RemU},      {"arith.andi", Op::And},        {"arith.ori", Op::Or},
      {"arith.xori", Op::Xor},        {"arith.shli", Op::Shl},        {"arith.shrsi", Op::ShrS},
      {"arith.shrui", Op::ShrU},      {"arith.minsi", Op::MinS},      {"arith.maxsi", Op::MaxS},
      {"arith.minui", Op::MinU},      {"arith.maxui", Op::MaxU},      {"arith.addf", Op::FAdd},
      {"arith.subf", Op::FSub},       {"arith.mulf", Op::FMul},       {"arith.divf", Op::FDiv},
      {"arith.remf", Op::FRem},       {"arith.maximumf", Op::FMax},   {"arith.minimumf", Op::FMin},
      {"arith.maxnumf", Op::FMaxNum}, {"arith.minnumf", Op::FMinNum},
  };
  return table;
}

static Comparison comparisonOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return Comparison::Eq;
  case arith::CmpIPredicate::ne:
    return Comparison::Ne;
  case arith::CmpIPredicate::slt:
    return Comparison::Slt;
  case arith::CmpIPredicate::sle:
    return Comparison::Sle;
  case arith::CmpIPredicate::sgt:
    return Comparison::Sgt;
  case arith::CmpIPredicate::sge:
    return Comparison::Sge;
  case arith::CmpIPredicate::ult:
    return Comparison::Ult;
  case arith::CmpIPredicate::ule:
    return Comparison::Ule;
  case arith::CmpIPredicate::ugt:
    return Comparison::Ugt;
  case arith::CmpIPredicate::uge:
    return Comparison::Uge;
  }
  return Comparison::Eq;
}

bool Compiler::arithmetic(mlir::Operation *op) {
  if (op->getName().getDialectNamespace() != "arith" || op->getNumResults() != 1)
    return false;
  mlir::Value result = op->getResult(0);
  if (auto literal = mlir::dyn_cast<arith::ConstantOp>(op)) {
    if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(literal.getValue()))
      registers[result] = constant(
          integer.getValue().trunc(std::min(64u, integer.getValue().getBitWidth())).getZExtValue());
    else if (auto real = mlir::dyn_cast<mlir::FloatAttr>(literal.getValue()))
      registers[result] = constant(real.getValue().bitcastToAPInt().getZExtValue());
    else
      return false;
    return true;
  }
  if (fusedIntoAddress(op))
    return true;
  mlir::Type from = op->getOperand(0).getType(), to = result.getType();
  const unsigned bits = bitsOf(to), fromBits = bitsOf(from);
  if (bits > 64 || fromBits > 64) {
    define(result);
    unsupported(op->getName().getStringRef().str() + " of more than 64 bits");
    return true;
  }
  Instruction made{Op::Move};
  made.bits = static_cast<std::uint8_t>(bits);
  const bool isFloat = mlir::isa<mlir::FloatType>(to);
  const auto floats = [&](mlir::Type type) { return static_cast<std::uint8_t>(floatKindOf(type)); };
  auto simple = simpleOperations().find(op->getName().getStringRef());
  if (simple != simpleOperations().end()) {
    made.op = simple->second;
    if (isFloat)
      made.kind = floats(to);
  } else if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op)) {
    made.op = Op::Compare;
    made.kind = static_cast<std::uint8_t>(comparisonOf(compare.getPredicate()));
    made.bits = static_cast<std::uint8_t>(fromBits);
  } else if (auto order = mlir::dyn_cast<arith::CmpFOp>(op)) {
    made.op = Op::FCompare;
    made.kind = floats(from);
    made.kind2 = static_cast<std::uint8_t>(order.getPredicate());
  } else if (mlir::isa<arith::SelectOp>(op)) {
    made.op = Op::Select;
  } else if (mlir::isa<arith::ExtSIOp>(op)) {
    made.op = Op::SignExtend;
    made.kind2 = static_cast<std::uint8_t>(fromBits);
  } else if (mlir::isa<arith::TruncIOp>(op)) {
    made.op = Op::Truncate;
  } else if (mlir::isa<arith::ExtUIOp, arith::BitcastOp>(op)) {
    registers[result] = valueOf(op->getOperand(0)); // registers are zero-extended
    return true;
  } else if (mlir::isa<arith::NegFOp>(op)) {
    made.op = Op::FNeg;
    made.kind = floats(to);
  } else if (mlir::isa<arith::SIToFPOp, arith::UIToFPOp>(op)) {
    made.op = mlir::isa<arith::SIToFPOp>(op) ? Op::FFromS : Op::FFromU;
    made.kind = floats(to);
    made.kind2 = static_cast<std::uint8_t>(fromBits);
  } else if (mlir::isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    made.op = mlir::isa<arith::FPToSIOp>(op) ? Op::FToS : Op::FToU;
    made.kind = floats(from);
  } else if (mlir::isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    made.op = Op::FConvert;
    made.kind = floats(to);
    made.kind2 = floats(from);
  } else {
    define(result);
    return false;
  }
  made.a = valueOf(op->getOperand(0));
  if (op->getNumOperands() > 1)
    made.b = valueOf(op->getOperand(1));
  if (op->getNumOperands() > 2)
    made.c = valueOf(op->getOperand(2));
  made.dst = define(result);
  const Op kind = made.op;
  emit(kind) = made;
  return true;
}

} // namespace warpdrf::interpreter
