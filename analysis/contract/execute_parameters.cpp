// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel is started with: its parameters, and what is known of them.
#include "analysis/contract/assume.h"
#include "analysis/contract/executor.h"

#include <regex>

namespace warpdrf::contract {
namespace {

/// `n % 32 == 0`, `c % h == 0` and `c / h == 64`: what makes a product of a parameter. As products,
/// such values meet in the normal form of terms; as facts they would be nonlinear.
struct Division {
  std::string dividend, divisor;
  std::optional<std::int64_t> quotient; ///< else there is no remainder
};

std::optional<Division> divisionIn(std::string text) {
  static const std::regex pattern(R"(([A-Za-z_][\w.]*)([%/])([\w.]+)==(\d{1,9}))");
  std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  std::smatch match;
  if (!std::regex_match(text, match, pattern) || (match[2] == "%" && match[4] != "0"))
    return std::nullopt;
  Division division{match[1], match[3], std::nullopt};
  if (match[2] == "/")
    division.quotient = std::stoll(match[4]);
  return division;
}

/// Of `p == 0` and `p != 0`: whether it says that `pointer` is null.
std::optional<bool> nullTestOf(std::string text, const std::string &pointer) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
  if (text == pointer + "==0" || text == pointer + "==nullptr")
    return true;
  if (text == pointer + "!=0" || text == pointer + "!=nullptr")
    return false;
  return std::nullopt;
}

} // namespace

static std::string parameterName(ir::FuncOp kernel, unsigned i) {
  auto names = kernel->getAttrOfType<mlir::ArrayAttr>("warpdrf.param_names");
  if (names && i < names.size())
    if (auto text = llvm::dyn_cast<mlir::StringAttr>(names[i]); text && !text.empty())
      return text.str();
  return "arg" + std::to_string(i);
}

/// Scalars last: what is known of them may speak of pointers and records.
void Executor::bindParameters() {
  const unsigned count = kernel.getArgumentTypes().size();
  const auto isPointer = [&](unsigned i) {
    return llvm::isa<ir::PtrType>(kernel.getBody().getArgument(i).getType());
  };
  for (unsigned i = 0; i < count; ++i)
    if (isPointer(i))
      bindPointer(i);
  for (unsigned i = 0; i < count; ++i)
    noteReciprocal(i);
  for (unsigned i = 0; i < count; ++i)
    if (!isPointer(i))
      trace->scalars[parameterName(kernel, i)] = scalarParameter(i);
}

void Executor::bindPointer(unsigned i) {
  mlir::Value argument = kernel.getBody().getArgument(i);
  if (Term known = aliasOf(i))
    return define(argument, known);
  auto bytes = kernel.getArgAttrOfType<mlir::IntegerAttr>(i, "warpdrf.byval");
  auto space = bytes ? ir::MemorySpace::Param : ir::MemorySpace::Global;
  std::int64_t object = objectFor(argument.getAsOpaquePointer(), 0, space, parameterName(kernel, i),
                                  bytes ? bytes.getInt() : 0);
  define(argument, pool.pointer(object, pool.integer(0)));
  if (!bytes)
    present.emplace(object, presence(i));
}

/// `reciprocal(p, m, s, d)`: instead of dividing by what the record has at byte d, the kernel works
/// with what it has at bytes m and s (frontend/reciprocals.h). Noted when first asked for; gives
/// the divisor, or null for other parameters.
Term Executor::noteReciprocal(unsigned i) {
  if (!kernel.getArgAttr(i, "warpdrf.byval"))
    return nullptr;
  const std::int64_t object = value(kernel.getBody().getArgument(i))->value;
  if (auto known = reciprocals.find(object); known != reciprocals.end())
    return known->second.value;
  static const std::regex pattern(R"(reciprocal\((\w+), (\d+), (\d+), (\d+)\))");
  const std::string name = parameterName(kernel, i);
  std::smatch match;
  for (const std::string &text : execution.context.facts) {
    if (!std::regex_match(text, match, pattern) || match[1] != name)
      continue;
    constexpr std::int64_t most = (std::int64_t{1} << 32) - 1;
    const unsigned tag = kernel.getArgumentTypes().size() * 3 + i;
    const Symbol symbol{
        SymbolKind::Parameter, name + ".divisor", Uniform::Grid, Uniform::Grid, false, {1, most}};
    // One that leads back here stays unknown.
    reciprocals[object] = {std::stoll(match[2]), std::stoll(match[3]), std::stoll(match[4]),
                           parameterAtom(tag, symbol)};
    if (Term product = productOf(tag, symbol))
      reciprocals[object].value = product;
    return reciprocals[object].value;
  }
  return nullptr;
}

/// Of a record that holds a reciprocal, or null.
Term Executor::divisorOf(const std::string &parameter) {
  for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
    if (parameterName(kernel, i) == parameter)
      return noteReciprocal(i);
  return nullptr;
}

/// What `sum >> shift` is where it divides by a reciprocal: (umulhi(n, m) + n) >> s; else null.
/// Like other results, `sum` is taken not to wrap around.
Term Executor::dividedBy(Term sum, Term shift) {
  const auto isField = [&](Term atom, std::int64_t object, std::int64_t at) {
    return atom == readShared(object, pool.integer(at), 4, state.versions[object], nullptr);
  };
  for (const auto &[object, reciprocal] : reciprocals) {
    if (sum->op != Op::Linear || !isField(shift, object, reciprocal.shift))
      continue;
    for (Term child : sum->children)
      if (child->op == Op::Atom && child->children.size() == 2 &&
          pool.symbolOf(child).name == "__umulhi" &&
          isField(child->children[1], object, reciprocal.multiplier) &&
          pool.sub(sum, child) == child->children[0])
        return pool.div(child->children[0], reciprocal.value);
  }
  return nullptr;
}

/// That a pointer is not null.
Term Executor::presence(unsigned i) {
  const std::string name = parameterName(kernel, i);
  for (const auto *texts : {&execution.context.facts, &execution.context.assume})
    for (const std::string &text : *texts)
      if (std::optional<bool> null = nullTestOf(text, name)) {
        if (*null)
          trace->pointers[name] = "0";
        return pool.boolean(!*null);
      }
  const Symbol symbol{SymbolKind::Parameter, name, Uniform::Grid, Uniform::Grid, true, {0, 1}};
  return parameterAtom(kernel.getArgumentTypes().size() * 2 + i, symbol);
}

/// A pointer that the launch takes from the same place as an earlier one, or null.
Term Executor::aliasOf(unsigned i) {
  for (const LaunchContext::Alias &alias : execution.context.aliases)
    if (alias.argument == i && alias.of < i)
      if (Term of = value(kernel.getBody().getArgument(alias.of)); of->op == Op::Pointer) {
        trace->pointers[parameterName(kernel, i)] =
            "&" + parameterName(kernel, alias.of) + "+" + std::to_string(alias.bytes);
        return movePointer(of, pool.integer(alias.bytes));
      }
  return nullptr;
}

/// Bound when it is first asked for: one may be known in terms of another.
Term Executor::scalarParameter(unsigned i) {
  mlir::Value argument = kernel.getBody().getArgument(i);
  if (terms.contains(argument.getAsOpaquePointer()))
    return value(argument);
  bool boolean = argument.getType().isInteger(1);
  const auto &known = execution.context.arguments;
  if (i < known.size() && known[i]) {
    define(argument, boolean ? pool.boolean(*known[i]) : pool.integer(*known[i]));
    return value(argument);
  }
  Interval range{-kUnbounded, kUnbounded};
  const bool isUnsigned = static_cast<bool>(kernel.getArgAttr(i, "warpdrf.unsigned"));
  if (isUnsigned)
    range.lo = 0;
  const unsigned bits =
      argument.getType().isInteger() ? argument.getType().getIntOrFloatBitWidth() : 64;
  if (bits == 8 || bits == 16)
    range = {isUnsigned ? 0 : -(std::int64_t{1} << (bits - 1)),
             (std::int64_t{1} << (isUnsigned ? bits : bits - 1)) - 1};
  std::string name = parameterName(kernel, i);
  Symbol symbol{SymbolKind::Parameter, name, Uniform::Grid, Uniform::Grid, boolean, range};
  define(argument, parameterAtom(i, symbol)); // a value that leads back here stays unknown
  const auto &values = execution.context.values;
  if (auto text = values.find(name); text != values.end() && !boolean) {
    std::string error;
    Term term = parseValue(
        text->second, pool, [&](const std::string &other) { return namedValue(other); }, error);
    if (term && !term->boolean)
      define(argument, term);
  } else if (Term product = productOf(i, symbol)) {
    define(argument, product);
  }
  return value(argument);
}

/// An extent is at least 1 (assumption "extents"), as the first run has shown which are.
Term Executor::parameterAtom(std::uint64_t tag, Symbol symbol) {
  if (known.extents.contains(symbol.name))
    symbol.range.lo = std::max<std::int64_t>(symbol.range.lo, 1);
  return keyedAtom(kernel.getOperation(), tag, symbol);
}

/// Parameters that bound loops, and divisors, are extents.
void Executor::noteExtents(Term test) {
  std::unordered_map<Term, bool> seen;
  forEachAtom(test, seen, [&](Term atom) {
    if (pool.symbolOf(atom).kind != SymbolKind::Parameter || atom->boolean)
      return;
    pool.noteCompared(atom);
    noteExtent(atom);
  });
}

void Executor::noteExtent(Term parameter) {
  if (std::ranges::find(trace->extents, parameter) == trace->extents.end())
    trace->extents.push_back(parameter);
}

/// So are parameters that an index is compared with: `if (i < n)`.
void Executor::noteSizes(Term condition) {
  if (condition->op != Op::Le0) {
    for (Term child : condition->children)
      if (child->boolean)
        noteSizes(child);
    return;
  }
  Term sum = condition->children[0];
  for (std::size_t i = 0; sum->op == Op::Linear && i < sum->children.size(); ++i)
    for (std::size_t k = 0; k < sum->children.size(); ++k)
      if (sum->children[k]->uniform < Uniform::Grid &&
          (sum->coefficients[i] > 0) != (sum->coefficients[k] > 0) &&
          sum->children[i]->uniform == Uniform::Grid)
        noteExtents(sum->children[i]);
}

/// So are parameters that an index is multiplied by.
void Executor::noteStrides(Term offset) {
  if (offset->op == Op::Linear)
    for (Term child : offset->children)
      if (child->op == Op::Mul)
        noteStrides(child);
  if (offset->op == Op::Mul && offset->uniform < Uniform::Grid)
    for (Term factor : offset->children)
      if (factor->op == Op::Atom && pool.symbolOf(factor).kind == SymbolKind::Parameter &&
          !factor->boolean)
        noteExtent(factor);
}

/// A parameter that is a multiple of something, or null. A quotient without remainder is another
/// parameter's multiple.
Term Executor::productOf(unsigned i, Symbol symbol) {
  std::vector<Division> divisions;
  for (const auto *texts : {&execution.context.facts, &execution.context.assume})
    for (const std::string &text : *texts)
      if (auto division = divisionIn(text); division && division->dividend == symbol.name)
        divisions.push_back(*division);
  for (const Division &exact : divisions) {
    if (exact.quotient)
      continue;
    if (std::isdigit(static_cast<unsigned char>(exact.divisor[0]))) {
      std::int64_t factor = exact.divisor.size() < 10 ? std::stoll(exact.divisor) : 0;
      if (factor < 2)
        continue;
      symbol.name += "/" + exact.divisor;
      return pool.scale(parameterAtom(i + kernel.getArgumentTypes().size(), symbol), factor);
    }
    for (const Division &other : divisions)
      if (other.quotient && other.divisor == exact.divisor)
        if (Term divisor = namedValue(exact.divisor))
          return pool.scale(divisor, *other.quotient);
    // Divisors of the digits of one index. Other parameters are better left linear.
    if (symbol.name.ends_with(".divisor") && exact.divisor.ends_with(".divisor"))
      if (Term divisor = namedValue(exact.divisor)) {
        symbol.name += "/" + exact.divisor;
        return pool.mul(divisor, parameterAtom(i + kernel.getArgumentTypes().size(), symbol));
      }
  }
  return nullptr;
}

/// Of a pointer parameter: 0 if it is null, else 1; null for a record.
Term Executor::pointerAsNumber(unsigned i) {
  Term pointer = value(kernel.getBody().getArgument(i));
  auto found = pointer->op == Op::Pointer ? present.find(pointer->value) : present.end();
  return found == present.end() ? nullptr
                                : pool.ite(found->second, pool.integer(1), pool.integer(0));
}

/// The value of a scalar parameter or launch dimension, or null. Pointers can be compared with 0.
Term Executor::namedValue(const std::string &name) {
  for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
    if (parameterName(kernel, i) == name)
      return llvm::isa<ir::PtrType>(kernel.getBody().getArgument(i).getType()) ? pointerAsNumber(i)
                                                                               : scalarParameter(i);
  std::size_t dot = name.find('.');
  if (dot != std::string::npos && name.substr(dot) == ".divisor")
    return divisorOf(name.substr(0, dot));
  std::size_t axis = dot + 2 == name.size() ? std::string("xyz").find(name.back()) : 3;
  std::string base = name.substr(0, dot);
  if (axis > 2 || (base != "blockDim" && base != "gridDim"))
    return nullptr;
  const Coordinates &coordinates = execution.coordinates;
  return (base == "blockDim" ? coordinates.bdim : coordinates.gdim)[axis];
}

/// What the user says of the arguments, and what the launch shows.
void Executor::addAssumptions() {
  auto named = [&](const std::string &name) { return namedValue(name); };
  std::string error;
  for (const std::string &text : execution.context.assume) {
    if (Term fact = parseAssumption(text, pool, named, error))
      trace->facts.push_back(fact);
    else
      unsupported("assume " + text + ": " + error, kernel);
  }
  for (const std::string &text : execution.context.facts)
    if (Term fact = parseAssumption(text, pool, named, error))
      trace->facts.push_back(fact);
}

} // namespace warpdrf::contract
