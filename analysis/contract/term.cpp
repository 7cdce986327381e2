// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interning, ranges and printing of terms; the arithmetic is in term_arithmetic.cpp, logic in
// term_logic.cpp.
#include "analysis/contract/term.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

std::size_t mix(std::size_t hash, std::size_t value) {
  return hash ^ (value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2));
}

std::size_t hashOf(const TermNode &node) {
  std::size_t hash = mix(static_cast<std::size_t>(node.op), static_cast<std::size_t>(node.value));
  for (Term child : node.children)
    hash = mix(hash, child->id);
  for (std::int64_t coefficient : node.coefficients)
    hash = mix(hash, static_cast<std::size_t>(coefficient));
  return hash;
}

bool sameNode(const TermNode &a, const TermNode &b) {
  return a.op == b.op && a.value == b.value && a.boolean == b.boolean && a.children == b.children &&
         a.coefficients == b.coefficients;
}

std::int64_t clamp(__int128 value) {
  return static_cast<std::int64_t>(
      std::clamp<__int128>(value, -__int128{kUnbounded}, __int128{kUnbounded}));
}

Interval scaled(Interval range, std::int64_t factor) {
  __int128 a = __int128{range.lo} * factor, b = __int128{range.hi} * factor;
  if (std::abs(range.lo) >= kUnbounded)
    a = (range.lo < 0) == (factor > 0) ? -__int128{kUnbounded} : __int128{kUnbounded};
  if (std::abs(range.hi) >= kUnbounded)
    b = (range.hi < 0) == (factor > 0) ? -__int128{kUnbounded} : __int128{kUnbounded};
  return {clamp(std::min(a, b)), clamp(std::max(a, b))};
}

/// An unbounded end stays unbounded whatever is added to it.
Interval added(Interval a, Interval b) {
  bool openLo = a.lo <= -kUnbounded || b.lo <= -kUnbounded;
  bool openHi = a.hi >= kUnbounded || b.hi >= kUnbounded;
  return {openLo ? -kUnbounded : clamp(__int128{a.lo} + b.lo),
          openHi ? kUnbounded : clamp(__int128{a.hi} + b.hi)};
}

Interval multiplied(Interval a, Interval b) {
  if (a.lo >= 0 && b.lo >= 0)
    return {clamp(__int128{a.lo} * b.lo), clamp(__int128{a.hi} * b.hi)};
  return {-kUnbounded, kUnbounded};
}

} // namespace

TermPool::TermPool() {
  yes = intern({Op::Bool, true, Uniform::Grid, Uniform::Grid, 0, 1, {}, {}, {0, 1}});
  no = intern({Op::Bool, true, Uniform::Grid, Uniform::Grid, 0, 0, {}, {}, {0, 1}});
}

unsigned TermPool::addSymbol(Symbol symbol) {
  symbols.push_back(std::move(symbol));
  return static_cast<unsigned>(symbols.size() - 1);
}

unsigned TermPool::instanceOf(unsigned symbol, int side) {
  auto [entry, isNew] = instances.emplace(std::pair(symbol, side), 0);
  if (isNew) {
    Symbol instance = symbols[symbol];
    instance.name += "!" + std::to_string(side);
    instance.side = side;
    instance.original = symbol;
    entry->second = addSymbol(std::move(instance));
  }
  return entry->second;
}

Term TermPool::excess(Term atom) {
  Term &known = excesses[atom];
  if (!known)
    known = this->atom(addSymbol({SymbolKind::Launch,
                                  symbolOf(atom).name + "-1",
                                  Uniform::Grid,
                                  Uniform::Grid,
                                  false,
                                  {0, kUnbounded}}));
  return known;
}

Term TermPool::intern(TermNode node) {
  std::uint64_t hash = hashOf(node) >> 1; // the largest keys are the table's own
  for (auto found = table.find(hash); found != table.end(); found = table.find(++hash))
    if (sameNode(*found->second, node))
      return found->second;
  if (node.op != Op::Int && node.op != Op::Bool && node.op != Op::Atom) {
    node.uniform = node.uniformGivenLane = Uniform::Grid;
    for (Term child : node.children) {
      node.uniform = std::min(node.uniform, child->uniform);
      node.uniformGivenLane = std::min(node.uniformGivenLane, child->uniformGivenLane);
    }
    node.range = rangeOf(node);
  }
  node.id = static_cast<unsigned>(byId.size());
  nodes.push_back(std::move(node));
  Term term = &nodes.back();
  byId.push_back(term);
  table.try_emplace(hash, term);
  return term;
}

void TermPool::capSum(Term low, Term high, std::int64_t factor, std::int64_t most) {
  cap = Cap{static_cast<unsigned>(low->value), static_cast<unsigned>(high->value), factor,
            low->range.hi + factor * high->range.hi - most};
}

std::int64_t TermPool::slack(const TermNode &form, bool highest) const {
  if (!cap || form.op != Op::Linear)
    return 0;
  const auto is = [&](Term part, unsigned symbol) {
    if (part->op != Op::Atom)
      return false;
    const Symbol &own = symbolOf(part);
    return (own.side ? own.original : static_cast<unsigned>(part->value)) == symbol;
  };
  std::int64_t total = 0;
  for (std::size_t i = 0; i < form.children.size(); ++i)
    for (std::size_t j = 0; j < form.children.size(); ++j)
      if (is(form.children[i], cap->low) && is(form.children[j], cap->high) &&
          symbolOf(form.children[i]).side == symbolOf(form.children[j]).side &&
          form.coefficients[j] == form.coefficients[i] * cap->factor &&
          (form.coefficients[i] > 0) == highest)
        total += std::abs(form.coefficients[i]) * cap->slack;
  return total;
}

Interval TermPool::rangeOf(const TermNode &node) const {
  auto child = [&](unsigned i) { return node.children[i]->range; };
  switch (node.op) {
  case Op::Linear: {
    Interval range{node.value, node.value};
    for (std::size_t i = 0; i < node.children.size(); ++i)
      range = added(range, scaled(child(static_cast<unsigned>(i)), node.coefficients[i]));
    return range;
  }
  case Op::Mul: {
    Interval range = child(0);
    for (std::size_t i = 1; i < node.children.size(); ++i)
      range = multiplied(range, child(static_cast<unsigned>(i)));
    return range;
  }
  case Op::Div:
    if (child(0).lo >= 0 && child(1).lo >= 1)
      return {child(1).hi >= kUnbounded ? 0 : child(0).lo / child(1).hi,
              child(0).hi >= kUnbounded ? kUnbounded : child(0).hi / child(1).lo};
    break;
  case Op::Mod:
    if (child(0).lo >= 0 && child(1).lo >= 1)
      return {0, std::min(child(0).hi, child(1).hi >= kUnbounded ? kUnbounded : child(1).hi - 1)};
    if (child(1).lo >= 1 && child(1).hi < kUnbounded)
      return {1 - child(1).hi, child(1).hi - 1};
    break;
  case Op::BitAnd:
    if (child(0).lo >= 0 || child(1).lo >= 0) {
      std::int64_t hi = kUnbounded;
      for (unsigned i : {0u, 1u})
        if (child(i).lo >= 0)
          hi = std::min(hi, child(i).hi);
      return {0, hi};
    }
    break;
  case Op::BitOr:
  case Op::BitXor:
    if (child(0).lo >= 0 && child(1).lo >= 0) {
      std::int64_t hi = 1;
      while (hi < kUnbounded && (hi <= child(0).hi || hi <= child(1).hi))
        hi *= 2;
      return {0, hi - (hi < kUnbounded)};
    }
    break;
  case Op::Shr:
    if (child(0).lo >= 0)
      return {0, child(0).hi};
    break;
  case Op::Shl:
    if (child(0).lo >= 0)
      return {0, kUnbounded};
    break;
  case Op::Min:
    return {std::min(child(0).lo, child(1).lo), std::min(child(0).hi, child(1).hi)};
  case Op::Max:
    return {std::max(child(0).lo, child(1).lo), std::max(child(0).hi, child(1).hi)};
  case Op::Ite:
    return {std::min(child(1).lo, child(2).lo), std::max(child(1).hi, child(2).hi)};
  default:
    break;
  }
  return node.boolean ? Interval{0, 1} : Interval{-kUnbounded, kUnbounded};
}

Term TermPool::integer(std::int64_t value) {
  return intern({Op::Int, false, Uniform::Grid, Uniform::Grid, 0, value, {}, {}, {value, value}});
}

Term TermPool::boolean(bool value) {
  return value ? yes : no;
}

Term TermPool::atom(unsigned id, std::span<const Term> arguments) {
  if (arguments.size() == 1 && constantOf(arguments[0]))
    if (auto known = bitFunctions.find(id); known != bitFunctions.end())
      return integer(known->second(*constantOf(arguments[0])));
  const Symbol &s = symbols[id];
  TermNode node{Op::Atom, s.boolean, s.uniform, s.uniformGivenLane, 0, id, {}, {}, s.range};
  for (Term argument : arguments) {
    node.children.push_back(argument);
    node.uniform = std::min(node.uniform, argument->uniform);
    node.uniformGivenLane = std::min(node.uniformGivenLane, argument->uniformGivenLane);
  }
  return intern(std::move(node));
}

Term TermPool::pointer(std::int64_t object, Term offset) {
  return intern({Op::Pointer, false, {}, {}, 0, object, {offset}, {}, {}});
}

Term TermPool::apply(const std::string &function, std::span<const Term> arguments, bool boolean,
                     Interval range) {
  auto [entry, isNew] = functions.emplace(function, 0);
  if (isNew) {
    entry->second = addSymbol({SymbolKind::Function, function, Uniform::Grid, Uniform::Grid,
                               boolean, boolean ? Interval{0, 1} : range});
    if (BitFunction known = bitFunction(function))
      bitFunctions.emplace(entry->second, known);
  }
  return atom(entry->second, arguments);
}

Term TermPool::real(const std::string &digits) {
  Term number = apply("float:" + digits, {}, false);
  symbols[static_cast<unsigned>(number->value)].literal = true;
  return number;
}

Term TermPool::rebuild(Term term, std::span<const Term> c) {
  switch (term->op) {
  case Op::Int:
  case Op::Bool:
    return term;
  case Op::Atom:
    return atom(static_cast<unsigned>(term->value), c);
  case Op::Linear: {
    Term sum = integer(term->value);
    for (std::size_t i = 0; i < c.size(); ++i)
      sum = combine(sum, 1, c[i], term->coefficients[i]);
    return sum;
  }
  case Op::Mul: {
    Term product = c[0];
    for (std::size_t i = 1; i < c.size(); ++i)
      product = mul(product, c[i]);
    return product;
  }
  case Op::Div:
    return div(c[0], c[1]);
  case Op::Mod:
    return mod(c[0], c[1]);
  case Op::BitAnd:
    return bitAnd(c[0], c[1]);
  case Op::BitOr:
    return bitOr(c[0], c[1]);
  case Op::BitXor:
    return bitXor(c[0], c[1]);
  case Op::Shl:
    return shl(c[0], c[1]);
  case Op::Shr:
    return shr(c[0], c[1]);
  case Op::Min:
    return min(c[0], c[1]);
  case Op::Max:
    return max(c[0], c[1]);
  case Op::Le0:
  case Op::Eq0:
    return comparison(term->op, c[0]);
  case Op::Not:
    return negate(c[0]);
  case Op::And:
    return conj(c);
  case Op::Or: {
    std::vector<Term> negated;
    for (Term child : c)
      negated.push_back(negate(child));
    return negate(conj(negated));
  }
  case Op::Ite:
    return ite(c[0], c[1], c[2]);
  case Op::Pointer:
    return pointer(term->value, c[0]);
  }
  return term;
}

std::string TermPool::text(Term term) const {
  auto list = [&](const char *name) {
    std::string out = std::string(name) + "(";
    for (std::size_t i = 0; i < term->children.size(); ++i)
      out += (i ? ", " : "") + text(term->children[i]);
    return out + ")";
  };
  switch (term->op) {
  case Op::Int:
    return std::to_string(term->value);
  case Op::Bool:
    return term->value ? "true" : "false";
  case Op::Atom:
    return term->children.empty() ? symbolOf(term).name : list(symbolOf(term).name.c_str());
  case Op::Linear: {
    std::string out;
    for (std::size_t i = 0; i < term->children.size(); ++i) {
      if (i)
        out += " + ";
      if (term->coefficients[i] != 1)
        out += std::to_string(term->coefficients[i]) + "*";
      out += text(term->children[i]);
    }
    return "(" + out + (term->value ? " + " + std::to_string(term->value) : "") + ")";
  }
  case Op::Pointer:
    return "&obj" + std::to_string(term->value) + "[" + text(term->children[0]) + "]";
  case Op::Le0:
    return text(term->children[0]) + " <= 0";
  case Op::Eq0:
    return text(term->children[0]) + " == 0";
  default:
    static const char *names[] = {"int", "bool", "atom", "linear", "mul", "div", "mod",
                                  "and", "or",   "xor",  "shl",    "shr", "min", "max",
                                  "le",  "eq",   "not",  "all",    "any", "ite", "ptr"};
    return list(names[static_cast<int>(term->op)]);
  }
}

} // namespace warpdrf::contract
