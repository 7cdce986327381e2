// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/quotients.h"

#include <algorithm>

namespace warpdrf::contract {

/// More dividends of one divisor than this are not compared with each other.
static constexpr std::size_t kMostCompared = 8;

void Quotients::addLemmas() {
  for (std::size_t i = 0; i < query.size(); ++i)
    collect(query[i]);
  const std::size_t end = found.size();
  for (; told < end; ++told) {
    Term one = found[told], divisor = one->children[1];
    remainderBelowDivisor(one);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < told && compared < kMostCompared; ++i) {
      Term other = found[i];
      if ((other->children[0] == one->children[0]) == (other->children[1] == divisor))
        continue;
      ++compared;
      if (other->children[1] == divisor) {
        inOrder(other->children[0], one->children[0], divisor);
      } else {
        nested(one->children[0], divisor, other->children[1]);
        nested(one->children[0], other->children[1], divisor);
      }
    }
  }
}

void Quotients::collect(Term term) {
  if (!seen.insert(term).second)
    return;
  for (Term child : term->children)
    collect(child);
  if ((term->op == Op::Div || term->op == Op::Mod) && !constantOf(term->children[1]) &&
      term->children[0]->range.lo >= 0 && term->children[1]->range.lo >= 1)
    found.push_back(term);
}

/// 0 <= a - b * (a / b) < b.
void Quotients::remainderBelowDivisor(Term division) {
  Term a = division->children[0], b = division->children[1];
  Term rest = pool.sub(a, pool.mul(b, pool.div(a, b)));
  query.push_back(pool.le(pool.integer(0), rest));
  query.push_back(pool.lt(rest, b));
}

/// x / (m·n) is (x / m) / n, and a multiple of n less than n below x / m.
void Quotients::nested(Term x, Term mn, Term m) {
  const auto others = otherFactors(mn, m);
  if (!others || mn->op == Op::Linear || m->op == Op::Linear)
    return;
  Term n = pool.product(*others);
  Term rest = pool.sub(pool.div(x, m), pool.mul(n, pool.div(x, mn)));
  query.push_back(pool.le(pool.integer(0), rest));
  query.push_back(pool.lt(rest, n));
}

/// The quotient of the greater is no less. Which is the greater follows, where the two are apart by
/// a product, from its factors: the solver does not look into that one either.
void Quotients::inOrder(Term a, Term b, Term divisor) {
  Term apart = pool.sub(b, a), sign = pool.withoutFactor(apart, 0);
  Term lower = pool.div(a, divisor), higher = pool.div(b, divisor);
  Term zero = pool.integer(0);
  query.push_back(pool.disj(pool.lt(sign, zero), pool.le(lower, higher)));
  query.push_back(pool.disj(pool.lt(zero, sign), pool.le(higher, lower)));
}

} // namespace warpdrf::contract
