// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raise/raiser.h"

#include "analysis/ir/text.h"

#include <cctype>

namespace warpdrf::raise {

void Raiser::line(const std::string &text) {
  out.append(2 * depth, ' ').append(text).append("\n");
}

void Raiser::fail(mlir::Operation &op, const std::string &what) {
  if (!error.empty())
    return;
  error = "cannot be raised: " + what;
  if (auto at = op.getLoc()->findInstanceOf<mlir::FileLineColRange>())
    error = at.getFilename().str() + ":" + std::to_string(at.getStartLine()) + ": " + error;
}

/// A name that no language reserves and nothing else has: words that some of them do get a `_`.
std::string Raiser::fresh(const std::string &wanted) {
  static const std::set<std::string> reserved = {
      "in",      "out",    "inout",  "buffer", "data_",     "input",  "output",
      "sample",  "uint",   "main",   "thread", "lane",      "kernel", "half",
      "texture", "shared", "filter", "active", "common",    "ballot", "sum",
      "anyOf",   "allOf",  "copy",   "union",  "namespace", "double", "unsigned"};
  std::string name;
  for (char c : wanted)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])))
    name = "v" + name;
  if (reserved.contains(name))
    name += "_";
  std::string unique = name;
  for (unsigned i = 2; !names.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

Type Raiser::typeOf(mlir::Type type, mlir::Operation &op) {
  if (type.isInteger(1))
    return Type::Bool;
  if (!type.isInteger(32))
    fail(op, "numbers other than 32-bit whole ones");
  return Type::Word;
}

std::string Raiser::raise(ir::FuncOp kernel) {
  if (!objects(kernel))
    return "";
  calleesFirst(kernel);
  return std::move(out);
}

/// The arrays: module-level objects, and what the kernel's pointers point to.
bool Raiser::objects(ir::FuncOp kernel) {
  auto module = kernel->getParentOfType<mlir::ModuleOp>();
  for (auto object : module.getOps<ir::ObjectOp>()) {
    if (object.getSpace() == ir::MemorySpace::Shared) {
      fail(*object, "shared memory");
      return false;
    }
    Buffer buffer{fresh(object.getSymName().str()),
                  object.getSpace() == ir::MemorySpace::Global,
                  object.getSize() / 4,
                  {}};
    if (auto contents = object->getAttrOfType<mlir::DenseI32ArrayAttr>("warpdrf.contents"))
      for (std::int32_t word : contents.asArrayRef())
        buffer.contents.push_back(static_cast<std::uint32_t>(word));
    buffers[object.getSymName().str()] = buffer.name;
    if (buffer.written)
      written.insert(buffer.name);
    subject.buffers.push_back(std::move(buffer));
  }
  auto given = kernel->getAttrOfType<mlir::ArrayAttr>("warpdrf.param_names");
  for (auto [i, argument] : llvm::enumerate(kernel.getBody().getArguments())) {
    if (!mlir::isa<ir::PtrType>(argument.getType())) {
      fail(*kernel, "a kernel's parameter that is no pointer");
      return false;
    }
    std::string wanted = "array" + std::to_string(i);
    if (given && i < given.size())
      wanted = mlir::cast<mlir::StringAttr>(given[i]).getValue().str();
    // Nothing says how large it is: a word for each thread and for each of 31 more places.
    Buffer buffer{fresh(wanted), true, std::uint64_t{32} * subject.threads, {}};
    pointers[argument] = buffer.name;
    written.insert(buffer.name);
    subject.buffers.push_back(std::move(buffer));
  }
  return true;
}

void Raiser::calleesFirst(ir::FuncOp op) {
  if (emitted.contains(op) || !error.empty())
    return;
  if (!entered.insert(op).second)
    return fail(*op, "recursion");
  op.walk([&](ir::CallOp each) {
    calleesFirst(
        mlir::SymbolTable::lookupNearestSymbolFrom<ir::FuncOp>(each, each.getCalleeAttr()));
  });
  function(op);
  emitted.insert(op);
}

void Raiser::function(ir::FuncOp op) {
  temporaries = 0;
  const std::set<std::string> outer = names;
  std::string header;
  if (op.getKernel()) {
    header = language.kernelHeader(subject);
  } else {
    auto given = op->getAttrOfType<mlir::ArrayAttr>("warpdrf.param_names");
    std::vector<Parameter> parameters;
    for (auto [i, argument] : llvm::enumerate(op.getBody().getArguments())) {
      std::string wanted = "p" + std::to_string(i);
      if (given && i < given.size())
        wanted = mlir::cast<mlir::StringAttr>(given[i]).getValue().str();
      parameters.push_back({fresh(wanted), typeOf(argument.getType(), *op)});
      values[argument] = {parameters.back().name};
    }
    if (op.getResultTypes().size() > 1)
      return fail(*op, "several results");
    const Type result =
        op.getResultTypes().empty() ? Type::None : typeOf(op.getResultTypes()[0], *op);
    header = language.functionHeader(op.getSymName().str(), result, parameters);
  }
  line("");
  line(header + " {");
  region(op.getBody());
  line("}");
  names = outer;
}

void Raiser::region(mlir::Region &region) {
  if (region.empty())
    return;
  ++depth;
  for (mlir::Operation &op : region.front())
    if (error.empty())
      operation(op);
  settle();
  --depth;
}

void Raiser::operation(mlir::Operation &op) {
  if (!expression(op) && !statement(op))
    fail(op, "'" + op.getName().getStringRef().str() + "'");
}

bool Raiser::statement(mlir::Operation &op) {
  if (auto var = mlir::dyn_cast<ir::VarOp>(op))
    variable(var);
  else if (auto set = mlir::dyn_cast<ir::SetOp>(op))
    assign(set);
  else if (auto write = mlir::dyn_cast<ir::WriteOp>(op)) {
    const std::string value = operand(write.getValue()).text;
    typeOf(write.getValue().getType(), op);
    const std::string target = element(write.getAddress());
    settle();
    line(target + " = " + value + ";");
  } else if (auto ifOp = mlir::dyn_cast<ir::IfOp>(op))
    branch(ifOp);
  else if (auto loopOp = mlir::dyn_cast<ir::LoopOp>(op))
    loop(loopOp);
  else if (auto switchOp = mlir::dyn_cast<ir::SwitchOp>(op))
    select(switchOp);
  else if (auto callOp = mlir::dyn_cast<ir::CallOp>(op))
    call(callOp);
  else if (auto primitiveOp = mlir::dyn_cast<ir::PrimitiveOp>(op))
    primitive(primitiveOp);
  else if (mlir::isa<ir::BreakOp>(op))
    line("break;");
  else if (mlir::isa<ir::ContinueOp>(op))
    line("continue;");
  else if (auto ret = mlir::dyn_cast<ir::ReturnOp>(op))
    line(ret.getNumOperands() ? "return " + operand(ret.getOperand(0)).text + ";" : "return;");
  else
    return false;
  return true;
}

/// A variable is declared with its first value if that comes before any other use of it.
void Raiser::variable(ir::VarOp op) {
  const std::string name = fresh(op.getName().str());
  slots[op.getSlot()] = name;
  for (mlir::Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    auto set = mlir::dyn_cast<ir::SetOp>(next);
    if (set && set.getSlot() == op.getSlot()) {
      undeclared.insert(op);
      return;
    }
    if (next->getNumRegions() || llvm::is_contained(next->getOperands(), op.getSlot()))
      break;
  }
  const mlir::Type type = mlir::cast<ir::SlotType>(op.getSlot().getType()).getValue();
  line(language.type(typeOf(type, *op)) + " " + name + ";");
}

void Raiser::assign(ir::SetOp op) {
  const std::string value = operand(op.getValue()).text;
  settle();
  std::string type;
  if (undeclared.erase(op.getSlot().getDefiningOp()))
    type = language.type(typeOf(op.getValue().getType(), *op)) + " ";
  line(type + slots.lookup(op.getSlot()) + " = " + value + ";");
}

void Raiser::branch(ir::IfOp op) {
  const std::string condition = operand(op.getCondition()).text;
  settle();
  line("if (" + condition + ") {");
  region(op.getThenRegion());
  if (!op.getElseRegion().empty() && !op.getElseRegion().front().empty()) {
    line("} else {");
    region(op.getElseRegion());
  }
  line("}");
}

/// The step of a loop for the header of a `for`: assignments.
std::string Raiser::stepText(ir::LoopOp op) {
  const std::string before = std::exchange(out, "");
  const unsigned deep = std::exchange(depth, 0);
  if (!op.getStep().empty())
    for (mlir::Operation &each : op.getStep().front())
      operation(each);
  settle();
  std::string text = std::exchange(out, before);
  depth = deep;
  const bool one = std::count(text.begin(), text.end(), '\n') <= 1;
  if (!one || text.find('{') != std::string::npos ||
      text.starts_with(language.type(Type::Word) + " ")) {
    fail(*op, "a loop whose step is more than an assignment");
    return "";
  }
  return text.empty() ? "" : text.substr(0, text.size() - 2);
}

void Raiser::loop(ir::LoopOp op) {
  settle();
  // The condition in a text of its own, to see whether it is an expression.
  const std::string before = std::exchange(out, "");
  mlir::Block &test = op.getCond().front();
  for (mlir::Operation &each : test)
    if (&each != &test.back())
      operation(each);
  const std::string condition =
      operand(mlir::cast<ir::ConditionOp>(test.back()).getCondition()).text;
  settle();
  const std::string statements = std::exchange(out, before);
  if (!statements.empty())
    return fail(*op, "a loop whose condition is more than an expression");
  const std::string step = stepText(op);
  if (op.getPostTest()) {
    if (!step.empty())
      return fail(*op, "a loop with a step and its test at the end");
    line("do {");
    region(op.getBody());
    return line("} while (" + condition + ");");
  }
  const bool always = condition == "true";
  if (step.empty() && !always)
    line("while (" + condition + ") {");
  else
    line("for (;" + (always ? "" : " " + condition) + ";" + (step.empty() ? "" : " " + step) +
         ") {");
  region(op.getBody());
  line("}");
}

void Raiser::select(ir::SwitchOp op) {
  typeOf(op.getSelector().getType(), *op);
  const std::string selector = operand(op.getSelector()).text;
  settle();
  line("switch (" + selector + ") {");
  for (unsigned i = 0; i < op.getCases().size(); ++i) {
    for (std::int64_t value : mlir::cast<mlir::DenseI64ArrayAttr>(op.getValues()[i]).asArrayRef())
      line("case " + std::to_string(static_cast<std::uint32_t>(value)) + "u:");
    if (static_cast<std::int64_t>(op.getDefaultCase()) == i)
      line("default:");
    line("{");
    region(op.getCases()[i]);
    line("}");
  }
  line("}");
}

void Raiser::call(ir::CallOp op) {
  std::string text = op.getCallee().str() + "(";
  for (auto [i, argument] : llvm::enumerate(op.getArguments()))
    text += (i ? ", " : "") + operand(argument).text;
  text += ")";
  settle();
  if (op.getNumResults() == 0)
    return line(text + ";");
  asTemporary(op.getResult(0), {text});
}

void Raiser::primitive(ir::PrimitiveOp op) {
  const std::string kind = ir::stringifyPrimitiveKind(op.getKind()).str();
  std::vector<std::string> operands;
  for (mlir::Value argument : op.getArguments())
    operands.push_back(operand(argument).text);
  if (op.getMask()) {
    auto mask = op.getMask().getDefiningOp<mlir::arith::ConstantOp>();
    auto bits = mask ? mlir::dyn_cast<mlir::IntegerAttr>(mask.getValue()) : nullptr;
    if (!bits || !bits.getValue().isAllOnes())
      return fail(*op, "a mask of some lanes");
  }
  const std::string text = language.primitive(kind, operands);
  if (text.empty())
    return fail(*op, "the primitive '" + kind + "'");
  if (op.getNumResults() == 0)
    return line(text + ";");
  asTemporary(op.getResult(0), {text});
}

} // namespace warpdrf::raise
