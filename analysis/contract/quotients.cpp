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
    const auto [x, divisor] = found[told];
    remainderBelowDivisor(x, divisor);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < told && compared < kMostCompared; ++i) {
      const auto [other, otherDivisor] = found[i];
      if ((other == x) == (otherDivisor == divisor))
        continue;
      ++compared;
      if (otherDivisor == divisor) {
        inOrder(other, x, divisor);
      } else {
        nested(x, divisor, otherDivisor);
        nested(x, otherDivisor, divisor);
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
    if (Division division{term->children[0], term->children[1]};
        std::ranges::find(found, division) == found.end())
      found.push_back(division);
}

/// 0 <= a - b * (a / b) < b.
void Quotients::remainderBelowDivisor(Term a, Term b) {
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
