// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/decide.h"

#include "analysis/contract/lemmas.h"
#include "analysis/contract/smt.h"

#include <algorithm>
#include <functional>
#include <set>

namespace warpdrf::contract {

Decider::Decider(TermPool &pool, const Trace &trace, Solver &solver,
                 std::chrono::milliseconds queryBudget, const Budget &budget,
                 std::function<bool()> cancelled)
    : pool(pool), trace(trace), queryBudget(queryBudget), budget(budget),
      cancelled(std::move(cancelled)), solver(solver) {
  solver.startKernel();
}

/// Unit propagation over the conjunction: literals whose opposite is known drop out of
/// disjunctions.
std::vector<Term> Decider::simplify(const std::vector<Term> &terms) {
  Term whole = pool.conj(terms);
  for (int round = 0; round < 4; ++round) {
    if (whole->op != Op::And)
      break;
    std::set<Term> facts(whole->children.begin(), whole->children.end());
    std::vector<Term> next;
    bool changed = false;
    for (Term term : whole->children) {
      if (term->op != Op::Or) {
        next.push_back(term);
        continue;
      }
      Term shrunk = pool.boolean(false);
      for (Term option : term->children) {
        if (facts.contains(option)) {
          shrunk = pool.boolean(true);
          break;
        }
        Term opposite = pool.negate(option);
        bool refuted = opposite->op == Op::And
                           ? std::all_of(opposite->children.begin(), opposite->children.end(),
                                         [&](Term part) { return facts.contains(part); })
                           : facts.contains(opposite);
        if (!refuted)
          shrunk = pool.disj(shrunk, option);
      }
      changed |= shrunk != term;
      next.push_back(shrunk);
    }
    if (!changed)
      break;
    whole = pool.conj(next);
  }
  return {whole};
}

/// Whether the solver may not see what the operation gives (smt.h).
bool Decider::isAbstracted(Term term) const {
  switch (term->op) {
  case Op::Atom:
    return !anyCount && pool.countsBits(term);
  case Op::Div:
  case Op::Mod:
    return !constantOf(term->children[1]);
  case Op::Mul:
  case Op::BitAnd:
  case Op::BitOr:
  case Op::BitXor:
  case Op::Shl:
  case Op::Shr:
    return true;
  default:
    return false;
  }
}

/// Small numbers in place of the factors of products make the query linear: an answer then is a
/// real one.
Decision Decider::withNumbers(const std::vector<Term> &query) {
  std::set<Term, ById> factors, dividends;
  std::unordered_map<Term, bool> seen;
  std::function<void(Term)> visit = [&](Term term) {
    if (!seen.emplace(term, true).second)
      return;
    bool nonlinear = term->op == Op::Mul || ((term->op == Op::Div || term->op == Op::Mod) &&
                                             !constantOf(term->children[1]));
    if (nonlinear)
      for (Term child : term->children)
        if (child->op == Op::Atom && child->children.empty() && child->uniform == Uniform::Grid &&
            pool.symbolOf(child).kind <= SymbolKind::Parameter)
          factors.insert(child);
    if (nonlinear && term->op == Op::Div && factors.contains(term->children[0]))
      dividends.insert(term->children[0]);
    for (Term child : term->children)
      visit(child);
  };
  for (Term term : query)
    visit(term);
  if (factors.empty())
    return {};
  const std::vector<Term> order(factors.begin(), factors.end());
  const auto count = static_cast<std::int64_t>(order.size());
  struct Pattern {
    std::int64_t first, step, quotient;
  };
  // All alike, small and large (a multiple of what vectors are aligned to); then all different, as
  // 2, 3, 4 and the other way round; then with quotients larger than one.
  for (auto [first, step, quotient] :
       {Pattern{2, 0, 1}, {128, 0, 1}, {2, 1, 1}, {count + 1, -1, 1}, {2, 0, 3}, {128, 0, 3}}) {
    if ((step != 0 && count < 2) || (quotient != 1 && dividends.empty()))
      continue;
    Numbers numbers;
    for (std::int64_t i = 0; i < count; ++i) {
      Term factor = order[static_cast<std::size_t>(i)];
      const std::int64_t number = (first + i * step) * (dividends.contains(factor) ? quotient : 1);
      numbers[factor] = std::clamp(number, factor->range.lo, factor->range.hi);
    }
    if (Decision decision = fixed(query, numbers); decision.answer == Answer::Sat)
      return decision;
  }
  return {};
}

Term Decider::numberFor(Term atom, std::int64_t number) {
  return atom->boolean ? pool.boolean(number) : pool.integer(number);
}

/// Asks again with numbers in place of some atoms; an answer counts when nothing was abstracted.
Decision Decider::fixed(const std::vector<Term> &query, const Numbers &numbers) {
  std::unordered_map<Term, Term> memo;
  std::vector<Term> linear;
  for (Term term : query)
    linear.push_back(pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
      auto found = numbers.find(atom);
      if (found == numbers.end())
        return nullptr;
      return numberFor(atom, found->second);
    }));
  // A value of a function stays tied to its arguments.
  for (auto &[atom, number] : numbers)
    if (!atom->children.empty()) {
      std::vector<Term> arguments;
      for (Term child : atom->children)
        arguments.push_back(pool.rewrite(child, memo, [](Term, std::span<const Term>) -> Term {
          return nullptr; // all that there is to replace is in `memo`
        }));
      linear.push_back(pool.eq(pool.atom(static_cast<unsigned>(atom->value), arguments),
                               numberFor(atom, number)));
    }
  Script script = makeScript(pool, linear);
  Decision decision;
  if (script.abstracted || (script.countsBits && !anyCount))
    return decision;
  ++queries;
  decision.answer = solver.ask(script.text, script.wanted, queryBudget, decision.model);
  for (auto &[atom, number] : numbers)
    decision.model[valueName(pool, atom)] = number;
  return decision;
}

/// A model of a query in which operations were abstracted is no more than a proposal: the query has
/// to hold with the proposed numbers put where the solver did not look.
Decision Decider::replay(const std::vector<Term> &query, const Decision &spurious) {
  Numbers numbers;
  std::unordered_map<Term, bool> seen, below;
  std::function<void(Term)> visit = [&](Term term) {
    if (!seen.emplace(term, true).second)
      return;
    if (isAbstracted(term))
      for (Term child : term->children)
        forEachAtom(child, below, [&](Term atom) {
          auto found = spurious.model.find(valueName(pool, atom));
          if (found != spurious.model.end())
            numbers[atom] = found->second;
        });
    for (Term child : term->children)
      visit(child);
  };
  for (Term term : query)
    visit(term);
  return fixed(query, numbers);
}

/// What a construct that is not modelled gives is not ours to choose.
bool Decider::restOnUnsupported(const std::set<std::string> &unknowns) const {
  return std::ranges::any_of(
      trace.unsupported, [&](const auto &construct) { return unknowns.contains(construct.first); });
}

Decision Decider::satisfiable(const std::vector<Term> &terms, Uniform shared) {
  std::vector<Term> simple = simplify(terms);
  if (pool.isFalse(simple[0]))
    return {.answer = Answer::Unsat, .unknowns = {}, .model = {}};
  if (auto found = cache.find(simple[0]); found != cache.end())
    return found->second;
  Decision decision;
  if (outOfTime())
    return decision;
  Term key = simple[0];
  std::unordered_map<Term, bool> seen;
  std::set<std::string> unknowns;
  std::set<std::string> counting; // functions of bits
  bool functions = false;
  forEachAtom(key, seen, [&](Term atom) {
    const Symbol &s = pool.symbolOf(atom);
    functions |= s.kind == SymbolKind::Function && !s.literal;
    if (pool.countsBits(atom))
      counting.insert(s.name);
    if (s.kind == SymbolKind::Unknown || s.kind == SymbolKind::Memory ||
        s.kind == SymbolKind::Collective)
      unknowns.insert(s.side ? pool.symbol(s.original).name : s.name);
  });
  addLemmas(pool, trace, shared, simple);
  Script script = makeScript(pool, simple);
  ++queries;
  decision.answer = solver.ask(script.text, script.wanted, queryBudget, decision.model);
  anyCount = !unknowns.empty();
  bool abstracted = script.abstracted || (script.countsBits && !anyCount);
  if (decision.answer == Answer::Sat && abstracted)
    for (int attempt : {0, 1}) {
      Decision concrete = attempt ? replay(simple, decision) : withNumbers(simple);
      if (concrete.answer != Answer::Sat)
        continue;
      decision = std::move(concrete);
      abstracted = false;
      break;
    }
  if (decision.answer == Answer::Sat && abstracted && !script.abstracted) {
    unknowns.insert(counting.begin(), counting.end()); // some bits there may be that give this
    abstracted = false;
  }
  if (decision.answer == Answer::Sat && (abstracted || restOnUnsupported(unknowns)))
    decision.answer = Answer::Unknown;
  decision.unknowns.assign(unknowns.begin(), unknowns.end());
  decision.sure = unknowns.empty();
  decision.exact = decision.sure && !functions;
  cache.emplace(key, decision);
  return decision;
}

} // namespace warpdrf::contract
