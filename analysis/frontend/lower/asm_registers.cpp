// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic between registers in an `asm` that also does something else, and predicates. Integers
// and comparisons are computed for real; what is not known is a function of its operands.
#include "analysis/frontend/lower/asm.h"

namespace warpdrf::frontend {

namespace arith = mlir::arith;

/// Of the type that the opcode ends with: `.s32`, `.pred`.
static mlir::Type typeOf(const PtxInstruction &ptx, mlir::OpBuilder &builder) {
  const llvm::StringRef name = ptx.opcode.back();
  if (name == "pred")
    return builder.getI1Type();
  if (name == "f32")
    return builder.getF32Type();
  if (name == "f64")
    return builder.getF64Type();
  unsigned bits = 0;
  if (!name.empty() && llvm::StringRef("bsu").contains(name[0]) &&
      !name.drop_front().getAsInteger(10, bits) && (bits == 16 || bits == 32 || bits == 64))
    return builder.getIntegerType(bits);
  return {};
}

static std::optional<arith::CmpIPredicate> comparison(const PtxInstruction &ptx) {
  const llvm::StringRef word = ptx.opcode[1];
  const bool isSigned = llvm::StringRef(ptx.opcode.back()).starts_with("s");
  return llvm::StringSwitch<std::optional<arith::CmpIPredicate>>(word)
      .Case("eq", arith::CmpIPredicate::eq)
      .Case("ne", arith::CmpIPredicate::ne)
      .Cases({"lt", "lo"}, isSigned ? arith::CmpIPredicate::slt : arith::CmpIPredicate::ult)
      .Cases({"le", "ls"}, isSigned ? arith::CmpIPredicate::sle : arith::CmpIPredicate::ule)
      .Cases({"gt", "hi"}, isSigned ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::ugt)
      .Cases({"ge", "hs"}, isSigned ? arith::CmpIPredicate::sge : arith::CmpIPredicate::uge)
      .Default(std::nullopt);
}

/// Null for operands that are no numbers.
mlir::Value AsmLowering::computed(const PtxInstruction &ptx) {
  mlir::Type type = typeOf(ptx, builder);
  if (!type || ptx.operands.size() < 2)
    return {};
  llvm::SmallVector<Value, 3> values;
  for (std::size_t i = 1; i < ptx.operands.size(); ++i) {
    const bool choice = ptx.opcode[0] == "selp" && i == 3;
    Value value = operandAs(ptx.operands[i], choice ? builder.getI1Type() : type);
    if (!value)
      return {};
    values.push_back(value);
  }
  const llvm::StringRef op = ptx.opcode[0];
  if (op == "mov" && values.size() == 1)
    return values[0];
  if (op == "selp" && values.size() == 3)
    return builder.createOrFold<arith::SelectOp>(loc, values[2], values[0], values[1]);
  if (values.size() == 2 && llvm::isa<mlir::IntegerType>(type)) {
    if (op == "add")
      return builder.createOrFold<arith::AddIOp>(loc, values[0], values[1]);
    if (op == "sub")
      return builder.createOrFold<arith::SubIOp>(loc, values[0], values[1]);
    if (op == "and")
      return builder.createOrFold<arith::AndIOp>(loc, values[0], values[1]);
    if (op == "or")
      return builder.createOrFold<arith::OrIOp>(loc, values[0], values[1]);
    if (op == "xor")
      return builder.createOrFold<arith::XOrIOp>(loc, values[0], values[1]);
    if (op == "setp" && ptx.opcode.size() == 3)
      if (const auto predicate = comparison(ptx))
        return builder.createOrFold<arith::CmpIOp>(loc, *predicate, values[0], values[1]);
  }
  if (values.size() == 2 && llvm::isa<mlir::FloatType>(type) && op == "add")
    return builder.createOrFold<arith::AddFOp>(loc, values[0], values[1]);
  mlir::Type result = op == "setp" ? mlir::Type(builder.getI1Type()) : type;
  return ir::ApplyOp::create(builder, loc, result, "asm " + ptx.name(), values);
}

bool AsmLowering::compute(const PtxInstruction &ptx) {
  if (ptx.operands.empty() || !isOutput(ptx.operands[0]))
    return false;
  Value value = computed(ptx);
  if (value)
    setOutput(ptx.operands[0], value);
  return static_cast<bool>(value);
}

/// `@p`: what computes is a choice between the new value and the old, what acts is a branch.
bool AsmLowering::predicated(const PtxInstruction &ptx) {
  llvm::StringRef name = ptx.predicate;
  name.consume_front("@");
  const bool negated = name.consume_front("!");
  Value condition = operandAs(name, builder.getI1Type());
  if (!condition)
    return false;
  if (negated)
    condition = builder.createOrFold<arith::XOrIOp>(loc, condition, lowering.boolean(loc, true));
  PtxInstruction plain = ptx;
  plain.predicate.clear();
  const bool gives = !plain.operands.empty() && isOutput(plain.operands[0]);
  if (!gives) {
    bool known = false;
    lowering.emitIf(loc, condition, [&] { known = instruction(plain); }, [] {});
    return known;
  }
  Value value = isPure(plain) ? computed(plain) : Value();
  Value old = value ? operandAs(plain.operands[0], value.getType()) : Value();
  if (!old)
    return false;
  setOutput(plain.operands[0], builder.createOrFold<arith::SelectOp>(loc, condition, value, old));
  return true;
}

} // namespace warpdrf::frontend
