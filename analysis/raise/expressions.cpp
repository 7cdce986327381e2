// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raise/raiser.h"

namespace warpdrf::raise {

namespace arith = mlir::arith;

static std::string number(std::uint32_t value) {
  return std::to_string(value) + "u";
}

/// Addresses are read where they are used.
static bool isAddress(mlir::Type type) {
  return mlir::isa<ir::PtrType>(type) || type.isInteger(64);
}

/// An address may be used twice, so what it is made of may not change between.
static bool makesAddress(mlir::Value value) {
  mlir::Operation *user = *value.getUsers().begin();
  return user->getNumResults() != 0 && isAddress(user->getResult(0).getType());
}

std::string Raiser::asTemporary(mlir::Value value, const Expression &expression) {
  const std::string name = fresh("t" + std::to_string(temporaries++));
  line(language.type(typeOf(value.getType(), *value.getDefiningOp())) + " " + name + " = " +
       expression.text + ";");
  values[value] = {name, true, false};
  return name;
}

void Raiser::define(mlir::Value value, Expression expression) {
  const bool simple = expression.atomic && !expression.changes;
  if (value.use_empty())
    return;
  if (!simple && (!value.hasOneUse() || (expression.changes && makesAddress(value)))) {
    asTemporary(value, expression);
    return;
  }
  if (expression.changes)
    pending.push_back(value);
  values[value] = std::move(expression);
}

Raiser::Expression Raiser::operand(mlir::Value value) {
  std::erase(pending, value);
  auto found = values.find(value);
  if (found != values.end())
    return found->second;
  if (error.empty())
    error = "a value that is not a 32-bit number or a condition";
  return {"0u", true, false};
}

std::string Raiser::inside(mlir::Value value) {
  const Expression expression = operand(value);
  return expression.atomic ? expression.text : "(" + expression.text + ")";
}

/// Before something changes: what rests on variables or memory is computed now.
void Raiser::settle() {
  for (mlir::Value value : std::exchange(pending, {}))
    asTemporary(value, Expression(values[value]));
}

bool Raiser::expression(mlir::Operation &op) {
  if (op.getNumResults() == 1 && isAddress(op.getResult(0).getType()))
    return mlir::isa<arith::ArithDialect>(op.getDialect()) ||
           mlir::isa<ir::OffsetOp, ir::AddressOfOp>(op);
  if (auto constantOp = mlir::dyn_cast<arith::ConstantOp>(op))
    constant(constantOp);
  else if (auto get = mlir::dyn_cast<ir::GetOp>(op))
    define(get.getValue(), {slots.lookup(get.getSlot()), true, true});
  else if (auto read = mlir::dyn_cast<ir::ReadOp>(op)) {
    typeOf(read.getType(), op);
    const std::string text = element(read.getAddress());
    const std::string name = text.substr(0, text.find('['));
    define(read.getValue(), {text, true, written.contains(name)});
  } else if (auto specialOp = mlir::dyn_cast<ir::SpecialOp>(op))
    special(specialOp);
  else if (auto compareOp = mlir::dyn_cast<arith::CmpIOp>(op))
    compare(compareOp);
  else if (auto choice = mlir::dyn_cast<arith::SelectOp>(op)) {
    const bool changes = operand(choice.getCondition()).changes ||
                         operand(choice.getTrueValue()).changes ||
                         operand(choice.getFalseValue()).changes;
    define(choice.getResult(),
           {inside(choice.getCondition()) + " ? " + inside(choice.getTrueValue()) + " : " +
                inside(choice.getFalseValue()),
            false, changes});
  } else if (auto extend = mlir::dyn_cast<arith::ExtUIOp>(op)) {
    const bool changes = operand(extend.getIn()).changes;
    if (!extend.getIn().getType().isInteger(1))
      fail(op, "numbers of other sizes than 32 bits");
    define(extend.getOut(), {inside(extend.getIn()) + " ? 1u : 0u", false, changes});
  } else if (mlir::isa<arith::ArithDialect>(op.getDialect()) && op.getNumOperands() == 2)
    binary(op);
  else
    return false;
  return true;
}

void Raiser::constant(arith::ConstantOp op) {
  auto value = mlir::dyn_cast<mlir::IntegerAttr>(op.getValue());
  if (!value)
    return fail(*op, "floating-point numbers");
  typeOf(op.getType(), *op);
  const auto bits = static_cast<std::uint32_t>(value.getValue().getZExtValue());
  define(op.getResult(), {op.getType().isInteger(1) ? (bits ? "true" : "false") : number(bits)});
}

void Raiser::special(ir::SpecialOp op) {
  const std::string which = ir::stringifySpecialValue(op.getWhich()).str();
  const std::string text = language.special(which);
  if (text.empty())
    return fail(*op, "the value '" + which + "'");
  define(op.getValue(), {text});
}

void Raiser::compare(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  static const std::map<P, std::pair<const char *, bool>> table = {
      {P::eq, {"==", false}},  {P::ne, {"!=", false}}, {P::ult, {"<", false}},
      {P::ule, {"<=", false}}, {P::ugt, {">", false}}, {P::uge, {">=", false}},
      {P::slt, {"<", true}},   {P::sle, {"<=", true}}, {P::sgt, {">", true}},
      {P::sge, {">=", true}}};
  const auto &[sign, isSigned] = table.at(op.getPredicate());
  const Expression left = operand(op.getLhs()), right = operand(op.getRhs());
  const auto shown = [&](const Expression &side) {
    return isSigned      ? language.toSigned(side.text)
           : side.atomic ? side.text
                         : "(" + side.text + ")";
  };
  define(op.getResult(),
         {shown(left) + " " + sign + " " + shown(right), false, left.changes || right.changes});
}

void Raiser::binary(mlir::Operation &op) {
  static const std::map<std::string, const char *> signs = {
      {"arith.addi", "+"},  {"arith.subi", "-"},  {"arith.muli", "*"}, {"arith.divui", "/"},
      {"arith.remui", "%"}, {"arith.andi", "&"},  {"arith.ori", "|"},  {"arith.xori", "^"},
      {"arith.shli", "<<"}, {"arith.shrui", ">>"}};
  const std::string name = op.getName().getStringRef().str();
  const mlir::Value result = op.getResult(0);
  const mlir::Value first = op.getOperand(0), second = op.getOperand(1);
  const Expression left = operand(first), right = operand(second);
  const bool changes = left.changes || right.changes;
  const bool isBool = typeOf(result.getType(), op) == Type::Bool;
  const bool isMinimum = name == "arith.minui";
  if (isMinimum || name == "arith.maxui") {
    const auto named = [&](mlir::Value value, const Expression &side) {
      return side.atomic && !side.changes ? side.text : asTemporary(value, side);
    };
    const std::string a = named(first, left), b = named(second, right);
    return define(result, {a + (isMinimum ? " < " : " > ") + b + " ? " + a + " : " + b, false});
  }
  auto found = signs.find(name);
  if (found == signs.end())
    return fail(op, "'" + name + "'");
  std::string sign = found->second;
  if (isBool)
    sign = sign == "&" ? "&&" : sign == "|" ? "||" : sign == "^" ? "!=" : "";
  if (sign.empty())
    return fail(op, "arithmetic on conditions");
  define(result, {inside(first) + " " + sign + " " + inside(second), false, changes});
}

/// The element of an array that an address means.
std::string Raiser::element(mlir::Value address) {
  std::string index;
  while (auto offset = address.getDefiningOp<ir::OffsetOp>()) {
    const std::string more = words(offset.getBytes());
    index = index.empty() ? more : more + " + " + index;
    address = offset.getBase();
  }
  std::string name;
  if (auto object = address.getDefiningOp<ir::AddressOfOp>())
    name = buffers[object.getObject().str()];
  else
    name = pointers.lookup(address);
  if (name.empty() && error.empty())
    error = "a pointer that is neither an array nor a parameter of the kernel";
  return name + "[" + (index.empty() ? "0u" : index) + "]";
}

static std::optional<std::uint64_t> known(mlir::Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto number = constant ? mlir::dyn_cast<mlir::IntegerAttr>(constant.getValue()) : nullptr;
  if (!number)
    return std::nullopt;
  return number.getValue().getZExtValue();
}

/// A distance in bytes as one in words.
std::string Raiser::words(mlir::Value bytes) {
  if (std::optional<std::uint64_t> constant = known(bytes); constant && *constant % 4 == 0)
    return number(static_cast<std::uint32_t>(*constant / 4));
  if (auto product = bytes.getDefiningOp<arith::MulIOp>())
    if (known(product.getRhs()) == 4u)
      return low(product.getLhs());
  if (auto sum = bytes.getDefiningOp<arith::AddIOp>())
    return words(sum.getLhs()) + " + " + words(sum.getRhs());
  if (error.empty())
    error = "an address that is not a multiple of four bytes by its form";
  return "0u";
}

/// The lower half of a 64-bit number: all that counts where arrays are small.
std::string Raiser::low(mlir::Value wide) {
  if (std::optional<std::uint64_t> constant = known(wide))
    return number(static_cast<std::uint32_t>(*constant));
  mlir::Operation *op = wide.getDefiningOp();
  if (op && mlir::isa<arith::ExtUIOp, arith::ExtSIOp>(op) &&
      op->getOperand(0).getType().isInteger(32))
    return inside(op->getOperand(0));
  const char *sign = !op                            ? nullptr
                     : mlir::isa<arith::AddIOp>(op) ? " + "
                     : mlir::isa<arith::SubIOp>(op) ? " - "
                     : mlir::isa<arith::MulIOp>(op) ? " * "
                                                    : nullptr;
  if (sign)
    return "(" + low(op->getOperand(0)) + sign + low(op->getOperand(1)) + ")";
  if (error.empty())
    error = "64-bit arithmetic";
  return "0u";
}

} // namespace warpdrf::raise
