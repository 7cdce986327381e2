// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the solver is told of divisions by unknown numbers, into which it does not look.
#pragma once

#include "analysis/contract/term.h"

#include <set>
#include <utility>
#include <vector>

namespace warpdrf::contract {

/// Adds lemmas to one query. Not thread-safe.
class Quotients {
public:
  Quotients(TermPool &pool, std::vector<Term> &query) : pool(pool), query(query) {}

  /// Of the divisions in the query that no lemma speaks of yet.
  void addLemmas();

private:
  void collect(Term term);
  void remainderBelowDivisor(Term a, Term b);
  void nested(Term x, Term mn, Term m);
  void inOrder(Term a, Term b, Term divisor);

  TermPool &pool;
  std::vector<Term> &query;
  std::set<Term> seen;
  using Division = std::pair<Term, Term>; ///< dividend and divisor, of a quotient or a remainder
  std::vector<Division> found;            ///< in the order of the query, each once
  std::size_t told = 0;                   ///< of `found`
};

} // namespace warpdrf::contract
