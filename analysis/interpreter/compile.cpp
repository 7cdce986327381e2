// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/compile.h"

#include "analysis/ir/text.h"

#include "mlir/IR/OwningOpRef.h"

namespace warpdrf::interpreter {

/// More would be a kernel whose calls multiply; nobody could wait for it.
static constexpr std::size_t maximalInstructions = 4'000'000;
static constexpr std::size_t maximalCallDepth = 100;

FloatKind floatKindOf(mlir::Type type) {
  if (type.isF16())
    return FloatKind::F16;
  if (type.isBF16())
    return FloatKind::BF16;
  return type.isF32() ? FloatKind::F32 : FloatKind::F64;
}

unsigned bitsOf(mlir::Type type) {
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

std::optional<Element> elementOf(mlir::Type type) {
  if (type.isF16())
    return Element::F16;
  if (type.isBF16())
    return Element::BF16;
  switch (bitsOf(type)) {
  case 1:
    return Element::I1;
  case 8:
    return Element::I8;
  case 16:
    return Element::I16;
  case 32:
    return type.isF32() ? Element::F32 : Element::I32;
  case 64:
    return type.isF64() ? Element::F64 : Element::I64;
  default:
    return std::nullopt;
  }
}

Register Compiler::constant(std::uint64_t bits) {
  // The map's own marks for empty and deleted keys are values like others here.
  auto known = constants.find(bits ^ 0x5bd1e995u);
  if (known != constants.end())
    return known->second;
  const Register result = code.registers++;
  code.constants.emplace_back(result, bits);
  if ((bits ^ 0x5bd1e995u) < ~std::uint64_t{1})
    constants[bits ^ 0x5bd1e995u] = result;
  return result;
}

Register Compiler::valueOf(mlir::Value value) {
  auto known = registers.find(value);
  return known == registers.end() ? define(value) : known->second;
}

Register Compiler::define(mlir::Value value) {
  const Register result = fresh();
  registers[value] = result;
  return result;
}

Instruction &Compiler::emit(Op op) {
  if (code.instructions.size() > maximalInstructions && !failed())
    error = "kernel is too large: more than 4 million operations after inlining";
  code.instructions.push_back(Instruction{op});
  code.placeOf.push_back(currentPlace);
  code.scopeOf.push_back(currentScope);
  return code.instructions.back();
}

void Compiler::patch(const Label &label, std::uint32_t target) {
  for (std::uint32_t at : label)
    code.instructions[at].c = target;
  lastTarget = std::max(lastTarget, target);
}

Range Compiler::rangeOf(mlir::Location location) const {
  Range result;
  result.file = path;
  if (auto range = location->findInstanceOf<mlir::FileLineColRange>()) {
    result.file = range.getFilename().str();
    result.begin = {range.getStartLine(), range.getStartColumn()};
    result.end = {range.getEndLine(), range.getEndColumn()};
  }
  return result;
}

std::uint32_t Compiler::site(const std::string &name, bool barrier) {
  Site result;
  result.name = name;
  result.barrier = barrier;
  const SourcePlace &place = code.places[currentPlace];
  result.place.range = place.range;
  for (std::uint32_t call = place.call; call; call = code.calls[call - 1].caller)
    result.place.calls.push_back(code.calls[call - 1].range);
  code.sites.push_back(std::move(result));
  return static_cast<std::uint32_t>(code.sites.size() - 1);
}

std::uint32_t Compiler::text(const std::string &text) {
  code.texts.push_back(text);
  return static_cast<std::uint32_t>(code.texts.size() - 1);
}

void Compiler::unsupported(const std::string &construct) {
  const std::uint32_t index = text(construct);
  emit(Op::Unsupported).a = index;
}

void Compiler::object(ir::ObjectOp op) {
  const Register address = code.registers++;
  ObjectInfo info;
  info.name = op.getDisplayName().str();
  info.size = op.getSize();
  info.address = address;
  info.space = op.getSpace() == ir::MemorySpace::Shared     ? Space::Shared
               : op.getSpace() == ir::MemorySpace::Constant ? Space::Constant
                                                            : Space::Global;
  if (info.space != Space::Shared) {
    info.parameter = static_cast<int>(code.parameters.size());
    ParameterInfo parameter;
    parameter.parameter = {info.name, Parameter::Kind::Object, std::nullopt, info.size, false};
    parameter.object = static_cast<int>(code.objects.size());
    code.parameters.push_back(std::move(parameter));
  }
  objects[op] = address;
  code.objects.push_back(std::move(info));
}

void Compiler::parameters(ir::FuncOp kernel) {
  auto names = kernel->getAttrOfType<mlir::ArrayAttr>("warpdrf.param_names");
  for (auto [i, argument] : llvm::enumerate(kernel.getBody().getArguments())) {
    ParameterInfo info;
    Parameter &parameter = info.parameter;
    parameter.name = names && i < names.size()
                         ? mlir::cast<mlir::StringAttr>(names[i]).getValue().str()
                         : "arg" + std::to_string(i);
    info.value = code.registers++;
    registers[argument] = info.value;
    mlir::Type type = argument.getType();
    auto byValue = kernel.getArgAttrOfType<mlir::IntegerAttr>(i, "warpdrf.byval");
    if (mlir::isa<ir::PtrType>(type)) {
      parameter.kind = byValue ? Parameter::Kind::Record : Parameter::Kind::Pointer;
      parameter.size = byValue ? byValue.getInt() : 0;
      info.object = static_cast<int>(code.objects.size());
      ObjectInfo object;
      object.name = parameter.name;
      object.space = byValue ? Space::Param : Space::Global;
      object.size = parameter.size;
      object.parameter = static_cast<int>(code.parameters.size());
      object.address = info.value;
      code.objects.push_back(std::move(object));
      if (auto element = kernel.getArgAttrOfType<mlir::TypeAttr>(i, "warpdrf.element"))
        parameter.element = elementOf(element.getValue());
    } else {
      parameter.element = elementOf(type);
      parameter.isUnsigned = static_cast<bool>(kernel.getArgAttr(i, "warpdrf.unsigned"));
      info.bits = bitsOf(type);
      info.isFloat = mlir::isa<mlir::FloatType>(type);
      if (info.isFloat)
        info.floatKind = floatKindOf(type);
    }
    code.parameters.push_back(std::move(info));
  }
}

void Compiler::function(ir::FuncOp callee, Frame frame) {
  frame.function = callee;
  frames.push_back(std::move(frame));
  block(callee.getBody().front());
  patch(frames.back().returns, here());
  frames.pop_back();
}

/// The objects that a kernel and what it calls name.
static void collect(ir::FuncOp function, mlir::SymbolTable &symbols,
                    llvm::SetVector<mlir::Operation *> &functions,
                    llvm::SetVector<mlir::Operation *> &objects) {
  if (!functions.insert(function))
    return;
  function.walk([&](mlir::Operation *op) {
    if (auto address = mlir::dyn_cast<ir::AddressOfOp>(op))
      objects.insert(symbols.lookup(address.getObject()));
    else if (auto call = mlir::dyn_cast<ir::CallOp>(op))
      collect(symbols.lookup<ir::FuncOp>(call.getCallee()), symbols, functions, objects);
  });
}

/// The `local`s of a function and, once per call, of what it calls.
static std::uint64_t countLocals(ir::FuncOp function, mlir::SymbolTable &symbols, unsigned depth) {
  std::uint64_t count = 0;
  if (depth > maximalCallDepth)
    return count; // recursion, which is not supported
  function.walk([&](mlir::Operation *op) {
    if (mlir::isa<ir::LocalOp>(op))
      ++count;
    else if (auto call = mlir::dyn_cast<ir::CallOp>(op); call && count <= maximalInstructions)
      count += countLocals(symbols.lookup<ir::FuncOp>(call.getCallee()), symbols, depth + 1);
  });
  return count;
}

bool Compiler::run(ir::FuncOp kernel) {
  code.kernel = kernel.getSymName().str();
  if (auto name = kernel->getAttrOfType<mlir::StringAttr>("warpdrf.instantiation"))
    code.kernel = name.str();
  code.scopes.emplace_back();
  code.places.push_back({rangeOf(kernel.getLoc()), 0});
  parameters(kernel);
  llvm::SetVector<mlir::Operation *> functions, named;
  collect(kernel, symbols, functions, named);
  for (mlir::Operation *op : named)
    object(mlir::cast<ir::ObjectOp>(op));
  unsigned shared = 0;
  for (const ObjectInfo &info : code.objects)
    shared += info.space == Space::Shared;
  if (shared > 200)
    error = "kernel has more than 200 shared objects";
  // Literals first, so that registers of values start behind them.
  for (mlir::Operation *op : functions)
    op->walk([&](mlir::Operation *inner) {
      if (auto literal = mlir::dyn_cast<mlir::arith::ConstantOp>(inner)) {
        if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(literal.getValue()))
          constant(integer.getValue()
                       .trunc(std::min(64u, integer.getValue().getBitWidth()))
                       .getZExtValue());
        else if (auto real = mlir::dyn_cast<mlir::FloatAttr>(literal.getValue()))
          constant(real.getValue().bitcastToAPInt().getZExtValue());
      } else if (auto special = mlir::dyn_cast<ir::SpecialOp>(inner)) {
        Register &slot = code.specials[static_cast<unsigned>(special.getWhich())];
        if (!slot)
          slot = code.registers++;
      }
    });
  constant(0);
  // The addresses of locals, one per inlined call; then the stack of values.
  const std::uint64_t locals = countLocals(kernel, symbols, 0);
  if (locals > maximalInstructions)
    error = "kernel is too large: too many local objects after inlining";
  nextAddress = code.registers;
  next = code.registers = static_cast<Register>(code.registers + locals);
  if (failed())
    return false;
  function(kernel, {});
  emit(Op::Exit);
  if (failed())
    return false;
  analyseRoots(code);
  for (const ParameterInfo &info : code.parameters)
    code.publicParameters.push_back(info.parameter);
  return true;
}

Place Code::place(std::uint32_t pc) const {
  const SourcePlace &at = places[placeOf[pc]];
  Place result{at.range, {}};
  for (std::uint32_t call = at.call; call; call = calls[call - 1].caller)
    result.calls.push_back(calls[call - 1].range);
  return result;
}

//===--- the public door
//----------------------------------------------------------------------------===//

Program::Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;
Program::~Program() = default;

const std::string &Program::kernel() const {
  return code->kernel;
}
const std::vector<Parameter> &Program::parameters() const {
  return code->publicParameters;
}

bool Program::hasAtomics() const {
  return !code->atomics.empty();
}

bool Program::hasGridBarrier() const {
  return code->hasGridBarrier;
}

static std::string shownName(ir::FuncOp function) {
  auto name = function->getAttrOfType<mlir::StringAttr>("warpdrf.instantiation");
  return name ? name.str() : function.getSymName().str();
}

/// The kernel that `name` means, or nothing and an error.
static ir::FuncOp findKernel(mlir::ModuleOp module, const std::string &name, std::string &error) {
  std::vector<ir::FuncOp> found, all;
  for (ir::FuncOp function : module.getOps<ir::FuncOp>()) {
    if (!function.getKernel() || function.isDeclaration())
      continue;
    all.push_back(function);
    // The symbol of an overload may be the name of all.
    if (!name.empty() && function.getSymName() == name && name.find('#') != std::string::npos)
      return function;
    auto display = function->getAttrOfType<mlir::StringAttr>("warpdrf.display_name");
    if (name.empty() || function.getSymName() == name || shownName(function) == name ||
        (display && display.getValue() == name))
      found.push_back(function);
  }
  if (found.size() == 1)
    return found.front();
  error = all.empty()     ? "there is no kernel"
          : found.empty() ? "there is no kernel '" + name + "'; there are:"
                          : "several kernels are meant; name one of:";
  std::map<std::string, unsigned> names;
  for (ir::FuncOp function : all)
    ++names[shownName(function)];
  for (ir::FuncOp function : found.empty() ? all : found) {
    const std::string shown = shownName(function); // overloads share it, symbols are unique
    error += "\n  " + (names[shown] > 1 ? function.getSymName().str() : shown);
  }
  return {};
}

std::optional<Program> Program::compile(mlir::ModuleOp module, const std::string &path,
                                        const std::string &kernel, std::string &error) {
  ir::FuncOp function = findKernel(module, kernel, error);
  if (!function)
    return std::nullopt;
  Program program;
  program.code = std::make_unique<Code>();
  Compiler compiler(module, path, *program.code);
  if (!compiler.run(function)) {
    error = compiler.error;
    return std::nullopt;
  }
  return program;
}

std::optional<Program> Program::load(const std::string &text, const std::string &path,
                                     const std::string &kernel, std::string &error) {
  auto context = ir::makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module = ir::parse(text, *context, error, path);
  if (!module)
    return std::nullopt;
  return compile(*module, path, kernel, error);
}

} // namespace warpdrf::interpreter
