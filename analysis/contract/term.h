// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms: the checker's values. Hash-consed (equal terms are one node, compared by pointer) and kept
// in a normal form: integer terms are linear combinations over atoms, comparisons are `linear <= 0`
// and `linear == 0`, divisions and remainders by constants are resolved where ranges allow.
//
// Integers are mathematical (assumption "width", docs/architecture.md): index arithmetic does not
// wrap. Floating-point values are integers as far as terms go: opaque, built by uninterpreted
// functions.
//
// Every term carries the widest scope at which it is uniform. It is a property of the term alone,
// because atoms carry it: a thread coordinate is uniform over nothing, a block index over the
// block, a parameter over the grid.
#pragma once

#include "analysis/contract/bit_functions.h"
#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace warpdrf::contract {

/// The widest set of threads over which a value is the same. Ordered: wider is greater.
enum class Uniform : std::uint8_t { Thread, Warp, Block, Grid };

enum class Op : std::uint8_t {
  Int,    ///< `value`
  Bool,   ///< `value` 0 or 1
  Atom,   ///< symbol `value` applied to children (loop counters, offsets)
  Linear, ///< value + Σ coefficients[i] · children[i]; children are no Linear, Int or Pointer
  Mul,    ///< product of atoms, at least two
  Div,    ///< children[0] / children[1], truncating as C does
  Mod,    ///< children[0] % children[1], sign as in C
  BitAnd,
  BitOr,
  BitXor,
  Shl,
  Shr, ///< of a non-negative left operand
  Min,
  Max,
  Le0, ///< children[0] <= 0
  Eq0, ///< children[0] == 0
  Not,
  And, ///< n-ary, sorted, no nested And
  Or,
  Ite,     ///< children: condition, then, else
  Pointer, ///< object `value`, byte offset children[0]
};

struct TermNode;
using Term = const TermNode *;

struct Interval {
  std::int64_t lo, hi; ///< inclusive; ±kUnbounded when not known
};
inline constexpr std::int64_t kUnbounded = std::int64_t{1} << 60;

struct TermNode {
  Op op;
  bool boolean;
  Uniform uniform;          ///< over which threads the value is the same
  Uniform uniformGivenLane; ///< the same, for threads with equal lane index
  unsigned id;
  std::int64_t value;
  std::vector<Term> children;
  std::vector<std::int64_t> coefficients;
  Interval range;
};

/// What an atom stands for; decides how two threads share it and how sure a finding is.
enum class SymbolKind : std::uint8_t {
  Coordinate, ///< thread, lane, warp, block index
  Launch,     ///< blockDim, gridDim
  Parameter,  ///< scalar kernel parameter
  Counter,    ///< iteration count of a loop
  Input,      ///< contents of memory the kernel never writes
  Function,   ///< pure uninterpreted function: the same for every thread
  Memory,     ///< contents of memory the kernel writes
  Collective, ///< result of a warp or block collective
  Unknown,    ///< loop-carried or otherwise not known
};

struct Symbol {
  SymbolKind kind;
  std::string name; ///< for messages and SMT text
  Uniform uniform;
  Uniform uniformGivenLane;
  bool boolean;
  Interval range;
  /// For an instance of a thread's private symbol: which thread of the pair, and of what.
  int side = 0;
  unsigned original = 0;
  /// A grid-uniform term that the (non-negative) symbol stays below, where its range alone does not
  /// say so.
  Term below = nullptr;
  bool compared = false; ///< a parameter that conditions of the kernel speak of
  bool literal = false;  ///< a floating-point number: different ones differ
};

/// Owns terms and symbols of one kernel check. Not thread-safe.
class TermPool {
public:
  TermPool();

  // Symbols.
  unsigned addSymbol(Symbol symbol);
  const Symbol &symbol(unsigned id) const { return symbols[id]; }
  const Symbol &symbolOf(Term atom) const { return symbols[static_cast<unsigned>(atom->value)]; }
  /// The symbol as thread `side` sees it: 1 or 2 of a pair; 3 or 4 for a thread that wrote what
  /// they read.
  unsigned instanceOf(unsigned symbol, int side);

  /// Records that an atom stays below a grid-uniform term. Before instances of it are made.
  void bound(Term atom, Term below) {
    if (atom->op == Op::Atom)
      symbols[static_cast<unsigned>(atom->value)].below = below;
  }

  void noteCompared(Term atom) { symbols[static_cast<unsigned>(atom->value)].compared = true; }

  /// Records that low + factor * high stays at or below `most`, which may be less than the ranges
  /// of the two atoms say: the threads of a block that ends within a warp. One pair; before
  /// instances are made.
  void capSum(Term low, Term high, std::int64_t factor, std::int64_t most);
  /// By how much the range of a linear form overstates its highest value, or its lowest. Not part
  /// of the range: the condition that makes it so would be taken for granted, and be dropped.
  std::int64_t slack(const TermNode &form, bool highest) const;

  /// `atom` - 1 as an atom of its own, for an atom that is at least 1.
  Term excess(Term atom);

  // Leaves.
  Term integer(std::int64_t value);
  Term boolean(bool value);
  Term atom(unsigned symbol, std::span<const Term> arguments = {});
  Term pointer(std::int64_t object, Term offset);
  /// A pure function of its arguments, the same for every thread. One that counts bits is a number
  /// when its argument is one.
  Term apply(const std::string &function, std::span<const Term> arguments, bool boolean,
             Interval range = {-kUnbounded, kUnbounded});
  /// A floating-point number, by its digits: equal to itself only.
  Term real(const std::string &digits);
  /// How many bits of a ballot are set below a lane: function of (ballot, lane, the lane's own
  /// vote).
  Term rank(std::span<const Term> arguments) { return apply("rank", arguments, false, {0, 64}); }

  // Integers.
  Term add(Term a, Term b) { return combine(a, 1, b, 1); }
  Term sub(Term a, Term b) { return combine(a, 1, b, -1); }
  Term addConstant(Term a, std::int64_t c) { return combine(a, 1, integer(c), 1); }
  Term product(std::span<const Term> factors);
  Term scale(Term a, std::int64_t factor) { return combine(a, factor, integer(0), 1); }
  Term mul(Term a, Term b);
  Term div(Term a, Term b);
  Term mod(Term a, Term b);
  Term bitAnd(Term a, Term b);
  Term bitOr(Term a, Term b);
  Term bitXor(Term a, Term b);
  Term shl(Term a, Term b);
  Term shr(Term a, Term b);
  Term min(Term a, Term b);
  Term max(Term a, Term b);

  /// A sum without the factors, at least 1, of all that it adds up: it has the same sign. With a
  /// `least` of 0, where it is positive or negative, the sum may still be 0.
  Term withoutFactor(Term sum, std::int64_t least = 1);

  // Booleans.
  Term le(Term a, Term b);
  Term lt(Term a, Term b) { return le(addConstant(a, 1), b); }
  Term eq(Term a, Term b);
  Term negate(Term a);
  Term conj(std::span<const Term> terms);
  Term conj(Term a, Term b) { return conj(std::initializer_list<Term>{a, b}); }
  Term conj(std::initializer_list<Term> terms) {
    return conj(std::span(terms.begin(), terms.size()));
  }
  Term disj(Term a, Term b) { return negate(conj(negate(a), negate(b))); }
  Term ite(Term condition, Term a, Term b);

  /// Rebuilds `term` with children replaced bottom-up; `replace` is asked first for every atom and
  /// may return null to keep it (with rewritten arguments).
  template <typename Replace>
  Term rewrite(Term term, std::unordered_map<Term, Term> &memo, const Replace &replace);

  /// Rebuilds one node over new children.
  Term rebuild(Term term, std::span<const Term> children);

  std::string text(Term term) const; ///< for dumps

  /// Whether an atom is the value of a function that is known on numbers.
  bool countsBits(Term atom) const {
    return bitFunctions.contains(static_cast<unsigned>(atom->value));
  }

  Term byIdentity(unsigned id) const { return byId[id]; } ///< of TermNode::id

  bool isTrue(Term t) const { return t == yes; }
  bool isFalse(Term t) const { return t == no; }

private:
  Term intern(TermNode node);
  Term reduced(Term form, std::int64_t factor);
  Term combine(Term a, std::int64_t fa, Term b, std::int64_t fb);
  using Coefficients = std::map<unsigned, std::int64_t>; ///< of a sum, by TermNode::id
  Term linear(std::int64_t constant, Coefficients &coefficients);
  void addTo(std::int64_t &constant, Coefficients &coefficients, Term term, std::int64_t factor);
  // Each says whether it has put parts of the sum together.
  bool joinDigits(std::int64_t &constant, Coefficients &coefficients);
  bool joinCarry(std::int64_t &constant, Coefficients &coefficients);
  bool isRemainder(Term form);
  Term divisionByProduct(Term a, Term b);
  Term comparison(Op op, Term difference);
  Term computeNegation(Term a);
  Interval rangeOf(const TermNode &node) const;
  bool isLiteral(Term term) const { return term->op == Op::Atom && symbolOf(term).literal; }

  struct Cap {
    unsigned low, high; ///< symbols
    std::int64_t factor, slack;
  };

  std::optional<Cap> cap;
  std::deque<TermNode> nodes;
  std::vector<Term> byId;
  llvm::DenseMap<std::uint64_t, Term> table; ///< by hash, or the next free number
  std::vector<Symbol> symbols;
  std::map<std::pair<unsigned, int>, unsigned> instances;
  std::map<std::string, unsigned> functions;
  std::unordered_map<unsigned, BitFunction> bitFunctions; ///< by symbol
  std::map<Term, Term> excesses;
  std::unordered_map<Term, Term> negations;
  Term yes, no;
};

inline std::optional<std::int64_t> constantOf(Term term) {
  if (term->op == Op::Int || term->op == Op::Bool)
    return term->value;
  return std::nullopt;
}

template <typename Replace>
Term TermPool::rewrite(Term term, std::unordered_map<Term, Term> &memo, const Replace &replace) {
  if (term->children.empty() && term->op != Op::Atom)
    return term;
  if (auto found = memo.find(term); found != memo.end())
    return found->second;
  std::vector<Term> children;
  children.reserve(term->children.size());
  bool changed = false;
  for (Term child : term->children) {
    children.push_back(rewrite(child, memo, replace));
    changed |= children.back() != child;
  }
  Term result = nullptr;
  if (term->op == Op::Atom)
    result = replace(term, std::span<const Term>(children));
  if (!result)
    result = changed ? rebuild(term, children) : term;
  memo.emplace(term, result);
  return result;
}

/// The greatest number that divides all of a form: its coefficients and what is added. 0 for 0.
std::int64_t contentOf(Term form);

/// The constant that the quotient divides its first operand by, a shift being a division, too.
std::optional<std::int64_t> divisorOf(Term quotient);

/// Of a product; of anything else, itself.
std::vector<Term> factorsOf(Term term);

/// What a product has besides the factors of another; nothing if it is no multiple of that one.
std::optional<std::vector<Term>> otherFactors(Term product, Term divisor);

/// Calls `visit` once for every atom below `term`.
template <typename Visit>
void forEachAtom(Term term, std::unordered_map<Term, bool> &seen, const Visit &visit) {
  if (!seen.emplace(term, true).second)
    return;
  if (term->op == Op::Atom)
    visit(term);
  for (Term child : term->children)
    forEachAtom(child, seen, visit);
}

} // namespace warpdrf::contract
