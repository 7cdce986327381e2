// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The deciding ladder: algebra first (normal forms, mixed-radix injectivity, unit propagation), the
// solver last.
#pragma once

#include "analysis/contract/budget.h"
#include "analysis/contract/solver.h"
#include "analysis/contract/trace.h"

#include <chrono>
#include <functional>
#include <set>

namespace warpdrf::contract {

struct Decision {
  Answer answer = Answer::Unknown;
  bool sure = true; ///< Sat rests only on thread ids, launch facts, parameters and unwritten inputs
  std::vector<std::string> unknowns;         ///< names of what else it rests on
  std::map<std::string, std::int64_t> model; ///< by valueName
  bool open = false;  ///< no run can settle it: it rests on what the host may not do
  bool exact = false; ///< nothing in it is left to functions that the solver knows nothing of
};

class Decider {
public:
  Decider(TermPool &pool, const Trace &trace, Solver &solver, std::chrono::milliseconds queryBudget,
          const Budget &budget, std::function<bool()> cancelled = {});

  /// Can all of `terms` hold, for two threads that share `shared`?
  Decision satisfiable(const std::vector<Term> &terms, Uniform shared);

  bool outOfTime() const { return budget.spent() || (cancelled && cancelled()); }
  const std::string &failure() const { return solver.failure(); }
  unsigned queries = 0;

private:
  struct ById {
    bool operator()(Term a, Term b) const { return a->id < b->id; }
  };
  using Numbers = std::map<Term, std::int64_t, ById>; ///< in an order that does not vary

  bool isAbstracted(Term term) const;
  std::vector<Term> simplify(const std::vector<Term> &terms);
  Decision withNumbers(const std::vector<Term> &query);
  Term numberFor(Term atom, std::int64_t number);
  Decision fixed(const std::vector<Term> &query, const Numbers &numbers);
  bool restOnUnsupported(const std::set<std::string> &unknowns) const;
  Decision replay(const std::vector<Term> &query, const Decision &spurious);

  TermPool &pool;
  const Trace &trace;
  std::chrono::milliseconds queryBudget;
  const Budget &budget;
  std::function<bool()> cancelled;
  Solver &solver;
  std::map<Term, Decision> cache;
  /// Whether what a function makes of unknown bits may be any number: where the query rests on
  /// unknown values anyway.
  bool anyCount = false;
};

} // namespace warpdrf::contract
