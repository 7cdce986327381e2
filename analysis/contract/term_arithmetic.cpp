// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer terms in normal form. Bit operations with constants become sums of bits, so that `lane ^
// 7` and `tid & 31` meet `%` and `/` in one algebra.
#include "analysis/contract/term.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace warpdrf::contract {

namespace {

bool isPowerOfTwo(std::int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/// Products of sums are multiplied out up to this many partial products.
constexpr std::size_t kDistributeLimit = 64;

/// Atoms that reach this far may be lane masks (ballots), whose structure masks.h needs.
constexpr std::int64_t kMaskAtoms = std::int64_t{1} << 20;

/// Constants with more bits set than this stay opaque under xor and and.
constexpr int kBitLimit = 6;

} // namespace

/// Adds `factor` times a term.
void TermPool::addTo(std::int64_t &constant, Coefficients &coefficients, Term term,
                     std::int64_t factor) {
  if (term->op == Op::Linear) {
    constant += factor * term->value;
    for (std::size_t i = 0; i < term->children.size(); ++i)
      coefficients[term->children[i]->id] += factor * term->coefficients[i];
  } else if (term->op == Op::Int) {
    constant += factor * term->value;
  } else {
    coefficients[term->id] += factor;
  }
  std::erase_if(coefficients, [](const auto &entry) { return entry.second == 0; });
}

/// `x / n + (x % n + y) / n` is (x + y) / n: a row that moves on by what its column carries.
bool TermPool::joinCarry(std::int64_t &constant, Coefficients &coefficients) {
  for (auto [id, coefficient] : coefficients) {
    Term carry = byId[id];
    if (carry->op != Op::Div || constantOf(carry->children[1]).value_or(0) < 2 ||
        carry->children[0]->op != Op::Linear || carry->children[0]->range.lo < 0)
      continue;
    Term sum = carry->children[0], n = carry->children[1];
    for (std::size_t i = 0; i < sum->children.size(); ++i) {
      Term column = sum->children[i];
      if (column->op != Op::Mod || column->children[1] != n || sum->coefficients[i] != 1 ||
          column->children[0]->range.lo < 0)
        continue;
      Term row = div(column->children[0], n);
      auto partner = coefficients.find(row->id);
      if (row->op != Op::Div || partner == coefficients.end() || partner->second != coefficient)
        continue;
      coefficients.erase(partner);
      coefficients.erase(id);
      addTo(constant, coefficients, div(add(sub(sum, column), column->children[0]), n),
            coefficient);
      return true;
    }
  }
  return false;
}

/// `n·(x / n) + x % n` is x, also multiplied by something: an index taken apart and put together
/// again.
bool TermPool::joinDigits(std::int64_t &constant, Coefficients &coefficients) {
  for (auto [id, coefficient] : coefficients) {
    Term term = byId[id], remainder = term, others = integer(1);
    if (term->op == Op::Mul) {
      auto found = std::find_if(term->children.begin(), term->children.end(),
                                [](Term factor) { return factor->op == Op::Mod; });
      if (found == term->children.end())
        continue;
      remainder = *found;
      for (auto it = term->children.begin(); it != term->children.end(); ++it)
        if (it != found)
          others = mul(others, *it);
    }
    if (remainder->op != Op::Mod)
      continue;
    Term x = remainder->children[0], n = remainder->children[1];
    Term quotient = mul(others, mul(n, div(x, n)));
    std::int64_t factor = 1; // `quotient` as coefficient times one node
    if (quotient->op == Op::Linear && quotient->children.size() == 1 && quotient->value == 0) {
      factor = quotient->coefficients[0];
      quotient = quotient->children[0];
    }
    auto partner = coefficients.find(quotient->id);
    if (quotient->op == Op::Linear || partner == coefficients.end() ||
        partner->second != factor * coefficient)
      continue;
    coefficients.erase(partner);
    coefficients.erase(id);
    addTo(constant, coefficients, mul(others, x), coefficient);
    return true;
  }
  return false;
}

Term TermPool::linear(std::int64_t constant, Coefficients &coefficients) {
  std::erase_if(coefficients, [](const auto &entry) { return entry.second == 0; });
  while (joinDigits(constant, coefficients) || joinCarry(constant, coefficients)) {
  }
  if (coefficients.empty())
    return integer(constant);
  if (constant == 0 && coefficients.size() == 1 && coefficients.begin()->second == 1)
    return byId[coefficients.begin()->first];
  if (coefficients.size() == 1) { // a choice between constants stays one
    auto [id, factor] = *coefficients.begin();
    Term choice = byId[id];
    if (choice->op == Op::Ite && constantOf(choice->children[1]) && constantOf(choice->children[2]))
      return ite(choice->children[0], integer(factor * choice->children[1]->value + constant),
                 integer(factor * choice->children[2]->value + constant));
  }
  TermNode node{Op::Linear, false, {}, {}, 0, constant, {}, {}, {}};
  for (auto [id, coefficient] : coefficients) {
    node.children.push_back(byId[id]);
    node.coefficients.push_back(coefficient);
  }
  return intern(std::move(node));
}

Term TermPool::combine(Term a, std::int64_t fa, Term b, std::int64_t fb) {
  std::int64_t constant = 0;
  std::map<unsigned, std::int64_t> coefficients;
  auto collect = [&](Term term, std::int64_t factor) {
    if (term->op == Op::Int || term->op == Op::Bool) {
      constant += factor * term->value;
    } else if (term->op == Op::Linear) {
      constant += factor * term->value;
      for (std::size_t i = 0; i < term->children.size(); ++i)
        coefficients[term->children[i]->id] += factor * term->coefficients[i];
    } else if (term->boolean) { // a truth value used as a number
      coefficients[intern({Op::Ite, false, {}, {}, 0, 0, {term, integer(1), integer(0)}, {}, {}})
                       ->id] += factor;
    } else {
      coefficients[term->id] += factor;
    }
  };
  collect(a, fa);
  collect(b, fb);
  return linear(constant, coefficients);
}

Term TermPool::mul(Term a, Term b) {
  if (auto c = constantOf(a))
    return scale(b, *c);
  if (auto c = constantOf(b))
    return scale(a, *c);
  auto parts = [&](Term term) {
    std::vector<std::pair<Term, std::int64_t>> out;
    if (term->op == Op::Linear) {
      for (std::size_t i = 0; i < term->children.size(); ++i)
        out.emplace_back(term->children[i], term->coefficients[i]);
      if (term->value)
        out.emplace_back(nullptr, term->value);
    } else {
      out.emplace_back(term, 1);
    }
    return out;
  };
  auto left = parts(a), right = parts(b);
  if (left.size() * right.size() > kDistributeLimit)
    left = {{a, 1}}, right = {{b, 1}};
  Term sum = integer(0);
  for (auto [x, cx] : left)
    for (auto [y, cy] : right) {
      std::vector<Term> factors;
      for (Term t : {x, y}) {
        if (!t)
          continue;
        if (t->op == Op::Mul)
          factors.insert(factors.end(), t->children.begin(), t->children.end());
        else
          factors.push_back(t);
      }
      std::sort(factors.begin(), factors.end(), [](Term p, Term q) { return p->id < q->id; });
      Term product = integer(1);
      if (factors.size() == 1)
        product = factors[0];
      else if (factors.size() > 1)
        product = intern({Op::Mul, false, {}, {}, 0, 0, factors, {}, {}});
      sum = combine(sum, 1, product, cx * cy);
    }
  return sum;
}

namespace {

/// Splits `a` into a part divisible by `c` and the rest.
struct Split {
  std::vector<std::pair<Term, std::int64_t>> multiples, rest;
  std::int64_t constantMultiple = 0, constantRest = 0;
};

Split splitBy(Term a, std::int64_t c) {
  Split split;
  auto place = [&](Term term, std::int64_t coefficient) {
    (coefficient % c == 0 ? split.multiples : split.rest).emplace_back(term, coefficient);
  };
  std::int64_t constant = 0;
  if (a->op == Op::Linear) {
    constant = a->value;
    for (std::size_t i = 0; i < a->children.size(); ++i)
      place(a->children[i], a->coefficients[i]);
  } else {
    place(a, 1);
  }
  split.constantRest = ((constant % c) + c) % c;
  split.constantMultiple = constant - split.constantRest;
  return split;
}

} // namespace

std::int64_t contentOf(Term form) {
  if (auto c = constantOf(form))
    return *c == std::numeric_limits<std::int64_t>::min() ? 1 : std::abs(*c);
  if (form->op != Op::Linear)
    return 1;
  std::int64_t content = form->value;
  for (std::int64_t coefficient : form->coefficients)
    content = std::gcd(content, coefficient);
  return content;
}

std::optional<std::int64_t> divisorOf(Term quotient) {
  if (quotient->op == Op::Div)
    return constantOf(quotient->children[1]);
  if (quotient->op != Op::Shr)
    return std::nullopt;
  auto bits = constantOf(quotient->children[1]);
  return bits && *bits >= 0 && *bits < 62 ? std::optional(std::int64_t{1} << *bits) : std::nullopt;
}

/// A form whose content `factor` divides, through it.
Term TermPool::reduced(Term form, std::int64_t factor) {
  if (auto c = constantOf(form))
    return integer(*c / factor);
  Term result = integer(form->value / factor);
  for (std::size_t i = 0; i < form->children.size(); ++i)
    result = combine(result, 1, form->children[i], form->coefficients[i] / factor);
  return result;
}

std::vector<Term> factorsOf(Term term) {
  return term->op == Op::Mul ? term->children : std::vector<Term>{term};
}

std::optional<std::vector<Term>> otherFactors(Term product, Term divisor) {
  std::vector<Term> rest = factorsOf(product);
  for (Term factor : factorsOf(divisor)) {
    auto found = std::ranges::find(rest, factor);
    if (found == rest.end())
      return std::nullopt;
    rest.erase(found);
  }
  return rest;
}

Term TermPool::product(std::span<const Term> factors) {
  Term result = integer(1);
  for (Term factor : factors)
    result = mul(result, factor);
  return result;
}

Term TermPool::withoutFactor(Term sum, std::int64_t least) {
  if (sum->op != Op::Linear || sum->value != 0)
    return sum;
  for (Term factor : factorsOf(sum->children[0])) {
    Term rest = integer(0);
    bool common = factor->range.lo >= least;
    for (std::size_t i = 0; common && i < sum->children.size(); ++i) {
      const auto others = otherFactors(sum->children[i], factor);
      if ((common = others.has_value()))
        rest = add(rest, scale(product(*others), sum->coefficients[i]));
    }
    if (common)
      return withoutFactor(rest, least);
  }
  return sum;
}

/// Whether it is x - n·(x / n), of a positive n and an x that is not negative: nor is that.
bool TermPool::isRemainder(Term form) {
  for (std::size_t i = 0; form->op == Op::Linear && i < form->children.size(); ++i) {
    if (form->coefficients[i] != -1 || form->children[i]->op != Op::Mul)
      continue;
    Term x = add(form, form->children[i]);
    for (Term quotient : form->children[i]->children) {
      if (quotient->op != Op::Div || x->range.lo < 0)
        continue;
      Term n = product(*otherFactors(form->children[i], quotient));
      if (n->range.lo >= 1 && div(x, n) == quotient)
        return true;
    }
  }
  return false;
}

/// (x + n·y) / n is x / n + y, when neither x nor the sum is negative; null where that is not
/// known. What remains of an index when its higher digits are taken away is such a sum.
Term TermPool::divisionByProduct(Term a, Term b) {
  if (a->op != Op::Linear || b->range.lo < 1 || (b->op != Op::Atom && b->op != Op::Mul))
    return nullptr;
  Term rest = a, quotient = integer(0);
  for (std::size_t i = 0; i < a->children.size(); ++i)
    if (auto factors = otherFactors(a->children[i], b)) {
      quotient = add(quotient, scale(product(*factors), a->coefficients[i]));
      rest = sub(rest, scale(a->children[i], a->coefficients[i]));
    }
  if (rest == a || rest->range.lo < 0 || (a->range.lo < 0 && !isRemainder(a)))
    return nullptr;
  return add(quotient, div(rest, b));
}

Term TermPool::div(Term a, Term b) {
  auto c = constantOf(b);
  auto n = constantOf(a);
  if (c && n && *c != 0)
    return integer(*n / *c);
  if (c && *c == 1)
    return a;
  if (const std::int64_t common = std::gcd(contentOf(a), contentOf(b)); common > 1 && !(c && n))
    return div(reduced(a, common), reduced(b, common));
  if (c && *c > 1 && a->range.lo >= 0) {
    Split split = splitBy(a, *c);
    Term rest = integer(split.constantRest);
    for (auto [term, coefficient] : split.rest)
      rest = combine(rest, 1, term, coefficient);
    if (rest->range.lo >= 0 && rest->range.hi < kUnbounded) {
      Term quotient = integer(split.constantMultiple / *c);
      for (auto [term, coefficient] : split.multiples)
        quotient = combine(quotient, 1, term, coefficient / *c);
      if (rest->range.hi < *c)
        return quotient;
      if (!split.multiples.empty() || split.constantMultiple)
        return combine(quotient, 1, div(rest, b), 1);
    }
  }
  if (Term simpler = divisionByProduct(a, b))
    return simpler;
  if (a->op == Op::Div && a->children[0]->range.lo >= 0 && a->children[1]->range.lo >= 0 &&
      b->range.lo >= 0)
    return div(a->children[0], mul(a->children[1], b)); // (x / m) / n
  if (a->op == Op::Div && a->uniform < Uniform::Grid && a->children[1]->uniform == Uniform::Grid &&
      b->uniform == Uniform::Grid && !c)
    return div(a->children[0], mul(a->children[1], b)); // sizes are positive, indices not negative
  return intern({Op::Div, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::mod(Term a, Term b) {
  auto c = constantOf(b);
  auto n = constantOf(a);
  if (c && n && *c != 0)
    return integer(*n % *c);
  if (c && (*c == 1 || *c == -1))
    return integer(0);
  if (c && *c > 1 && contentOf(a) % *c == 0)
    return integer(0);
  if (c && *c > 1 && a->range.lo >= 0) {
    Split split = splitBy(a, *c);
    Term rest = integer(split.constantRest);
    for (auto [term, coefficient] : split.rest)
      rest = combine(rest, 1, term, coefficient);
    if (rest->range.lo >= 0 && rest->range.hi < *c)
      return rest;
    if (rest->range.lo >= 0 && rest != a)
      return mod(rest, b);
  }
  if (c && *c > 1 && a->range.lo >= 0 && a->op == Op::Linear)
    for (std::size_t i = 0; i < a->children.size(); ++i) { // ((x % c) + y) % c is (x + y) % c
      Term inner = a->children[i];
      if (inner->op == Op::Mod && inner->children[1] == b && inner->children[0]->range.lo >= 0 &&
          a->coefficients[i] > 0)
        return mod(add(a, scale(sub(inner->children[0], inner), a->coefficients[i])), b);
    }
  if (!c && a->range.lo >= 0 && b->range.lo >= 1 && a->range.hi < b->range.lo)
    return a;
  return intern({Op::Mod, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::bitAnd(Term a, Term b) {
  if (constantOf(a))
    std::swap(a, b);
  auto c = constantOf(b), n = constantOf(a);
  if (a == b)
    return a;
  if (c && n)
    return integer(*n & *c);
  if (c && *c == 0)
    return integer(0);
  if (c && *c == -1)
    return a;
  if (c && *c > 0 && isPowerOfTwo(*c + 1) && a->range.lo >= 0)
    return mod(a, integer(*c + 1));
  if (c && *c < -1 && isPowerOfTwo(-*c) && a->range.lo >= 0)
    return sub(a, mod(a, integer(-*c)));
  if (c && *c > 0 && a->range.lo >= 0 &&
      std::popcount(static_cast<std::uint64_t>(*c)) <= kBitLimit &&
      (a->op != Op::Atom || a->range.hi < kMaskAtoms)) {
    Term sum = integer(0);
    for (int bit = 0; bit < 62; ++bit)
      if (*c >> bit & 1)
        sum = combine(sum, 1, mod(div(a, integer(std::int64_t{1} << bit)), integer(2)),
                      std::int64_t{1} << bit);
    return sum;
  }
  if (b->id < a->id)
    std::swap(a, b);
  return intern({Op::BitAnd, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::bitOr(Term a, Term b) {
  auto c = constantOf(b), n = constantOf(a);
  if (c && n)
    return integer(*n | *c);
  if ((c && *c == 0) || a == b)
    return a;
  if (n && *n == 0)
    return b;
  // Disjoint bits add: one side is a multiple of a power of two that bounds the other.
  for (auto [high, low] : {std::pair(a, b), std::pair(b, a)}) {
    if (low->range.lo < 0 || low->range.hi >= (std::int64_t{1} << 31) || high->range.lo < 0)
      continue;
    std::int64_t unit = 1;
    while (unit <= low->range.hi)
      unit *= 2;
    if (mod(high, integer(unit)) == integer(0))
      return add(high, low);
  }
  if (b->id < a->id)
    std::swap(a, b);
  return intern({Op::BitOr, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::bitXor(Term a, Term b) {
  if (constantOf(a))
    std::swap(a, b);
  auto c = constantOf(b), n = constantOf(a);
  if (a == b)
    return integer(0);
  if (c && n)
    return integer(*n ^ *c);
  if (c && *c == 0)
    return a;
  if (c && *c == -1)
    return sub(integer(-1), a);
  if (c && *c > 0 && a->range.lo >= 0 &&
      std::popcount(static_cast<std::uint64_t>(*c)) <= kBitLimit) {
    Term sum = a; // flipping bit j adds 2^j when it is 0 and takes 2^j away when it is 1
    for (int bit = 0; bit < 62; ++bit)
      if (*c >> bit & 1) {
        std::int64_t unit = std::int64_t{1} << bit;
        sum = combine(sum, 1, mod(div(a, integer(unit)), integer(2)), -2 * unit);
        sum = addConstant(sum, unit);
      }
    return sum;
  }
  if (b->id < a->id)
    std::swap(a, b);
  return intern({Op::BitXor, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::shl(Term a, Term b) {
  auto c = constantOf(b);
  if (c && *c >= 0 && *c < 62)
    return scale(a, std::int64_t{1} << *c);
  return intern({Op::Shl, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::shr(Term a, Term b) {
  auto c = constantOf(b), n = constantOf(a);
  if (c && n && *c >= 0 && *c < 63)
    return integer(*n >> *c);
  if (c && *c == 0)
    return a;
  if (c && *c > 0 && *c < 62 && a->range.lo >= 0)
    return div(a, integer(std::int64_t{1} << *c));
  return intern({Op::Shr, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::min(Term a, Term b) {
  Interval difference = sub(a, b)->range;
  if (difference.hi <= 0)
    return a;
  if (difference.lo >= 0)
    return b;
  if (b->id < a->id)
    std::swap(a, b);
  return intern({Op::Min, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

Term TermPool::max(Term a, Term b) {
  Interval difference = sub(a, b)->range;
  if (difference.lo >= 0)
    return a;
  if (difference.hi <= 0)
    return b;
  if (b->id < a->id)
    std::swap(a, b);
  return intern({Op::Max, false, {}, {}, 0, 0, {a, b}, {}, {}});
}

} // namespace warpdrf::contract
