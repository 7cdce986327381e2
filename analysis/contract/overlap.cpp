// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/overlap.h"

#include "analysis/contract/planted.h"
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace warpdrf::contract {

namespace {

/// A factor that is the same for every thread and not known: what the host has chosen, not what a
/// loop carries or counts.
bool isStride(const TermPool &pool, Term factor) {
  if (factor->uniform != Uniform::Grid)
    return false;
  if (factor->op == Op::Atom && pool.symbolOf(factor).kind != SymbolKind::Launch &&
      pool.symbolOf(factor).kind != SymbolKind::Parameter &&
      pool.symbolOf(factor).kind != SymbolKind::Input &&
      pool.symbolOf(factor).kind != SymbolKind::Function)
    return false;
  return std::ranges::all_of(factor->children, [&](Term child) { return isStride(pool, child); });
}

bool isLaunch(const TermPool &pool, Term factor) {
  return factor->op == Op::Atom && pool.symbolOf(factor).kind == SymbolKind::Launch;
}

/// Splits `term == 0` by mixed radix: when every coefficient above some unit is a multiple of it
/// and the rest stays below it in magnitude, both parts are zero on their own.
void splitEquation(TermPool &pool, Term term, std::vector<Term> &out) {
  term = pool.withoutFactor(term);
  if (term->op == Op::Linear) {
    std::vector<std::size_t> order(term->children.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::abs(term->coefficients[a]) < std::abs(term->coefficients[b]);
    });
    Term low = pool.integer(term->value);
    for (std::size_t n = 0; n + 1 < order.size(); ++n) {
      low = pool.add(low, pool.scale(term->children[order[n]], term->coefficients[order[n]]));
      std::int64_t unit = std::abs(term->coefficients[order[n + 1]]);
      bool multiples = true;
      for (std::size_t m = n + 1; m < order.size(); ++m)
        multiples &= term->coefficients[order[m]] % unit == 0;
      if (!multiples || unit == std::abs(term->coefficients[order[n]]))
        continue;
      if (low->range.lo + pool.slack(*low, false) > -unit &&
          low->range.hi - pool.slack(*low, true) < unit) {
        out.push_back(pool.eq(low, pool.integer(0)));
        return splitEquation(pool, pool.sub(term, low), out);
      }
    }
  }
  out.push_back(pool.eq(term, pool.integer(0)));
}

/// All digits with one stride: `stride` times a linear form over both threads' digits.
struct Digits {
  std::vector<Term> factors;
  Term form;
  bool byParameter = false;
};

/// What the form can be at most, in either direction, as a term over launch dimensions; null when
/// unbounded.
Term magnitude(TermPool &pool, Term form, bool positive) {
  Term sum = pool.integer(0);
  auto addPart = [&](Term atom, std::int64_t coefficient) {
    if ((coefficient > 0) != positive)
      return atom->range.lo >= 0;
    std::int64_t weight = std::abs(coefficient);
    if (atom->range.lo < 0)
      return false;
    Term most = nullptr;
    if (atom->op == Op::Atom && pool.symbolOf(atom).below)
      most = pool.addConstant(pool.symbolOf(atom).below, -1);
    else if (atom->range.hi < kUnbounded)
      most = pool.integer(atom->range.hi);
    if (!most)
      return false;
    sum = pool.add(sum, pool.scale(most, weight));
    return true;
  };
  if (form->op == Op::Int)
    return pool.integer(std::abs(form->value));
  if (form->op != Op::Linear)
    return addPart(form, 1) ? sum : nullptr;
  for (std::size_t i = 0; i < form->children.size(); ++i)
    if (!addPart(form->children[i], form->coefficients[i]))
      return nullptr;
  return pool.addConstant(sum, std::abs(form->value) - pool.slack(*form, positive));
}

/// A polynomial over launch dimensions is never negative: with each dimension written as 1 +
/// something >= 0, no coefficient is.
bool isNonNegative(TermPool &pool, Term polynomial) {
  std::unordered_map<Term, Term> memo;
  Term shifted = pool.rewrite(polynomial, memo, [&](Term atom, std::span<const Term>) -> Term {
    if (!isLaunch(pool, atom) || atom->range.lo != 1)
      return nullptr;
    return pool.addConstant(pool.excess(atom), 1);
  });
  return shifted->range.lo >= 0;
}

/// Every digit group stays, with all below it, under the next stride.
bool isMixedRadix(TermPool &pool, const std::vector<Digits> &groups) {
  Term below[2] = {pool.integer(0), pool.integer(0)};
  for (const Digits &digits : groups) {
    Term unit = pool.integer(std::max<std::int64_t>(contentOf(digits.form), 1));
    for (Term factor : digits.factors)
      unit = pool.mul(unit, factor);
    for (Term total : below)
      if (&digits != &groups.front() &&
          (!total || !isNonNegative(pool, pool.sub(pool.addConstant(unit, -1), total))))
        return false;
    for (int direction : {0, 1}) {
      Term most = magnitude(pool, digits.form, direction == 0);
      if (most)
        for (Term factor : digits.factors)
          most = pool.mul(most, factor);
      below[direction] = most && below[direction] ? pool.add(below[direction], most) : nullptr;
    }
  }
  return true;
}

/// Adds the strides of an offset: what multiplies something in it.
void addStrides(const TermPool &pool, Term offset, std::set<Term> &strides) {
  if (offset->op == Op::Linear)
    for (Term child : offset->children)
      addStrides(pool, child, strides);
  if (offset->op == Op::Mul)
    for (Term factor : offset->children)
      if (isStride(pool, factor))
        strides.insert(factor);
}

/// The ids of a stride's factors, ascending.
using Stride = std::vector<unsigned>;
using DigitsByStride = std::map<Stride, Digits>;

/// `strides` are those of the offsets: what they multiply may be the same in both and cancel.
DigitsByStride byStride(TermPool &pool, Term offset, const std::set<Term> &strides) {
  DigitsByStride groups;
  std::int64_t constant = offset->op == Op::Linear || offset->op == Op::Int ? offset->value : 0;
  groups[{}].form = pool.integer(constant);
  auto place = [&](Term term, std::int64_t coefficient) {
    Stride stride;
    Digits digits;
    Term rest = pool.integer(coefficient);
    auto takeOut = [&](Term factor) {
      stride.push_back(factor->id);
      digits.factors.push_back(factor);
      digits.byParameter |= !isLaunch(pool, factor);
    };
    if (term->op == Op::Mul) {
      for (Term factor : term->children)
        if (isStride(pool, factor))
          takeOut(factor);
        else
          rest = pool.mul(rest, factor);
    } else if (strides.contains(term)) { // (row + 1) * width is row * width + width
      takeOut(term);
    } else {
      rest = pool.mul(rest, term);
    }
    std::ranges::sort(stride);
    digits.form = rest;
    auto [entry, isNew] = groups.emplace(std::move(stride), digits);
    if (!isNew)
      entry->second.form = pool.add(entry->second.form, rest);
  };
  if (offset->op == Op::Linear)
    for (std::size_t i = 0; i < offset->children.size(); ++i)
      place(offset->children[i], offset->coefficients[i]);
  else if (offset->op != Op::Int)
    place(offset, 1);
  return groups;
}

/// By its sign or, of a product of unknown values, by how it is written.
bool isNegative(Term form) {
  if (form->range.hi <= 0 && !(constantOf(form) == 0))
    return true;
  return form->op == Op::Linear && form->value <= 0 &&
         std::ranges::all_of(form->coefficients, [](std::int64_t each) { return each < 0; });
}

/// Whether what has this stride is subtracted from another digit, as in (row - i2 * m) * s: a
/// digit of its own is not negative. Counting down, as in (n - 1 - i) * s, is one.
bool isSubtracted(const DigitsByStride &groups, const Stride &stride, Term form) {
  return isNegative(form) && std::ranges::none_of(groups, [&](const auto &entry) {
           std::optional<std::int64_t> constant = constantOf(entry.second.form);
           return constant && *constant > 0 && std::ranges::includes(entry.first, stride);
         });
}

/// Puts a digit that is part of another back into it: the one with the largest stride that divides
/// its own.
void mergeInto(TermPool &pool, DigitsByStride &groups, const std::set<Stride> &parts,
               const Stride &part) {
  auto whole = groups.end();
  for (auto entry = groups.begin(); entry != groups.end(); ++entry)
    if (!parts.contains(entry->first) && std::ranges::includes(part, entry->first) &&
        (whole == groups.end() || entry->first.size() > whole->first.size()))
      whole = entry;
  auto taken = groups.extract(part);
  Term form = taken.mapped().form;
  Stride common = whole->first;
  for (Term factor : taken.mapped().factors)
    if (auto same = std::ranges::find(common, factor->id); same != common.end())
      common.erase(same);
    else
      form = pool.mul(form, factor);
  whole->second.form = pool.add(whole->second.form, form);
}

/// The digits of the difference of two offsets, small strides first.
std::vector<Digits> digitsOf(TermPool &pool, Term a, Term b) {
  std::set<Term> strides;
  addStrides(pool, a, strides);
  addStrides(pool, b, strides);
  std::set<Stride> parts;
  for (Term offset : {a, b}) {
    const DigitsByStride own = byStride(pool, offset, strides);
    for (const auto &[stride, digits] : own)
      if (!stride.empty() && isSubtracted(own, stride, digits.form))
        parts.insert(stride);
  }
  DigitsByStride groups = byStride(pool, pool.sub(a, b), strides);
  for (const Stride &part : parts)
    if (groups.contains(part))
      mergeInto(pool, groups, parts, part);
  std::vector<Digits> result;
  for (auto &[stride, digits] : groups)
    result.push_back(std::move(digits));
  std::ranges::stable_sort(result, {}, [](const Digits &digits) { return digits.factors.size(); });
  return result;
}

bool isMultipleOf(Term offset, std::int64_t size) {
  if (offset->op != Op::Linear)
    return constantOf(offset) && *constantOf(offset) % size == 0;
  return offset->value % size == 0 &&
         std::ranges::all_of(offset->coefficients,
                             [&](std::int64_t coefficient) { return coefficient % size == 0; });
}

/// `rest` is the part of the difference without unknown strides.
void lastDigits(TermPool &pool, Term rest, std::int64_t sizeA, std::int64_t sizeB,
                std::vector<Term> &out) {
  if (sizeA == sizeB && sizeA > 0 && isMultipleOf(rest, sizeA))
    return splitEquation(pool, rest, out);
  out.push_back(pool.lt(rest, pool.integer(sizeB)));
  out.push_back(pool.lt(pool.integer(-sizeA), rest));
}

/// A choice that is a summand of an offset.
struct Choice {
  Term term = nullptr;
  std::int64_t coefficient = 1;
};

Choice choiceIn(Term offset) {
  if (offset->op == Op::Ite)
    return {offset, 1};
  if (offset->op == Op::Linear)
    for (std::size_t i = 0; i < offset->children.size(); ++i)
      if (offset->children[i]->op == Op::Ite)
        return {offset->children[i], offset->coefficients[i]};
  return {};
}

Term overlapWithoutChoices(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB,
                           bool layout, bool &usedLayout) {
  std::vector<Digits> groups = digitsOf(pool, a, b);
  bool byParameter = std::any_of(groups.begin(), groups.end(), [](const Digits &d) {
    return d.byParameter && !(constantOf(d.form) == 0);
  });
  std::vector<Term> equal;
  bool proved = isMixedRadix(pool, groups) || planted(Bug::mixedRadix);
  if (groups.size() > 1 && !proved && !(layout && byParameter)) {
    lastDigits(pool, pool.sub(a, b), sizeA, sizeB, equal);
    return pool.conj(equal);
  }
  usedLayout |= !proved && byParameter;
  for (const Digits &digits : groups)
    if (digits.factors.empty())
      lastDigits(pool, digits.form, sizeA, sizeB, equal);
    else
      splitEquation(pool, digits.form, equal);
  return pool.conj(equal);
}

constexpr int kMaxChoices = 4; ///< taken apart, each doubles the cases

Term overlapOf(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB, bool layout,
               bool &usedLayout, int choices) {
  Choice inA = choiceIn(a), choice = inA.term ? inA : choiceIn(b);
  if (!choice.term || choices == 0)
    return overlapWithoutChoices(pool, a, sizeA, b, sizeB, layout, usedLayout);
  auto chosen = [&](Term offset, std::size_t arm) {
    Choice here = choiceIn(offset);
    if (here.term != choice.term)
      return offset;
    Term change = pool.sub(choice.term->children[arm], choice.term);
    return pool.add(offset, pool.scale(change, here.coefficient));
  };
  std::array<Term, 2> cases;
  for (std::size_t arm : {1, 2}) {
    Term condition = choice.term->children[0];
    Term meet = overlapOf(pool, chosen(a, arm), sizeA, chosen(b, arm), sizeB, layout, usedLayout,
                          choices - 1);
    cases[arm - 1] = pool.conj(arm == 1 ? condition : pool.negate(condition), meet);
  }
  return pool.disj(cases[0], cases[1]);
}

} // namespace

bool meetOnlyWhenEqual(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB) {
  return sizeA == sizeB && sizeA > 0 && isMultipleOf(pool.sub(a, b), sizeA);
}

/// A stride that the kernel compares nothing with: the distance of rows, not their length.
static bool isDistance(const TermPool &pool, Term factor) {
  return isStride(pool, factor) && factor->op == Op::Atom && !pool.symbolOf(factor).compared;
}

/// Distances of rows added up, each multiplied by something.
static bool isRows(const TermPool &pool, Term sum) {
  const auto isRow = [&](Term part) {
    return part->op == Op::Mul && std::ranges::any_of(part->children, [&](Term factor) {
             return isDistance(pool, factor);
           });
  };
  return isRow(sum) ||
         (sum->op == Op::Linear && sum->value == 0 && std::ranges::all_of(sum->children, isRow));
}

/// `coefficient * product` with the quotients of rows in it taken for exact ones.
static Term withWholeRows(TermPool &pool, Term product, std::int64_t coefficient) {
  std::vector<Term> exact;
  for (Term factor : product->op == Op::Mul ? product->children : std::vector<Term>{product}) {
    const auto size = divisorOf(factor);
    if (size && *size >= 2 && coefficient % *size == 0 &&
        (isRows(pool, factor->children[0]) || isDistance(pool, factor->children[0]))) {
      coefficient /= *size;
      factor = factor->children[0];
    }
    exact.push_back(factor);
  }
  Term result = pool.integer(coefficient);
  for (Term factor : exact)
    result = pool.mul(result, factor);
  return result;
}

/// Rows whose place is told in bytes, of elements: (i * stride) / size * size is i * stride, and so
/// is i * (stride / size) * size, as a stride is whole elements. The length of a row, which
/// conditions speak of, need not be.
static Term wholeElements(TermPool &pool, Term offset) {
  if (offset->op != Op::Linear)
    return offset;
  Term result = pool.integer(offset->value);
  for (std::size_t i = 0; i < offset->children.size(); ++i)
    result = pool.add(result, withWholeRows(pool, offset->children[i], offset->coefficients[i]));
  return result;
}

Term overlap(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB, bool layout,
             bool &usedLayout) {
  usedLayout = false;
  if (layout) {
    Term rowsA = wholeElements(pool, a), rowsB = wholeElements(pool, b);
    usedLayout = rowsA != a || rowsB != b;
    a = rowsA;
    b = rowsB;
  }
  if (planted(Bug::byteWidth))
    sizeA = sizeB = 1;
  return overlapOf(pool, a, sizeA, b, sizeB, layout, usedLayout, kMaxChoices);
}

} // namespace warpdrf::contract
