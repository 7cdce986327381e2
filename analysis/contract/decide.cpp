// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/decide.h"

#include "analysis/contract/lemmas.h"
#include "analysis/contract/smt.h"

#include <algorithm>
#include <set>

namespace warpdrf::contract {

namespace {

/// A factor that is the same for every thread and not known: a stride.
bool isStride(const TermPool &pool, Term factor) {
  if (factor->op != Op::Atom)
    return factor->uniform == Uniform::Grid;
  SymbolKind kind = pool.symbolOf(factor).kind;
  return factor->uniform == Uniform::Grid && (kind == SymbolKind::Launch || kind == SymbolKind::Parameter ||
                                              kind == SymbolKind::Input || kind == SymbolKind::Function);
}

/// Splits `term == 0` by mixed radix: when every coefficient above some unit is a multiple of it and the rest stays
/// below it in magnitude, both parts are zero on their own.
void splitEquation(TermPool &pool, Term term, std::vector<Term> &out) {
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
      if (low->range.lo > -unit && low->range.hi < unit) {
        out.push_back(pool.eq(low, pool.integer(0)));
        return splitEquation(pool, pool.sub(term, low), out);
      }
    }
  }
  out.push_back(pool.eq(term, pool.integer(0)));
}

} // namespace

Term overlap(TermPool &pool, Term a, std::int64_t sizeA, Term b, std::int64_t sizeB, bool layout,
             bool &usedLayout) {
  usedLayout = false;
  Term difference = pool.sub(a, b);
  std::map<std::vector<unsigned>, Term> groups; // stride factors -> what they multiply
  std::map<std::vector<unsigned>, bool> byParameter;
  groups[{}] = pool.integer(difference->op == Op::Linear ? difference->value : 0);
  auto place = [&](Term term, std::int64_t coefficient) {
    std::vector<unsigned> key;
    Term rest = pool.integer(coefficient);
    bool parameter = false;
    if (term->op == Op::Mul && layout) {
      for (Term factor : term->children)
        if (isStride(pool, factor)) {
          key.push_back(factor->id);
          parameter |= factor->op != Op::Atom || pool.symbolOf(factor).kind != SymbolKind::Launch;
        } else {
          rest = pool.mul(rest, factor);
        }
    } else {
      rest = pool.scale(term, coefficient);
    }
    auto [entry, isNew] = groups.emplace(key, rest);
    if (!isNew)
      entry->second = pool.add(entry->second, rest);
    byParameter[key] |= parameter;
  };
  if (difference->op == Op::Linear)
    for (std::size_t i = 0; i < difference->children.size(); ++i)
      place(difference->children[i], difference->coefficients[i]);
  else if (difference->op == Op::Int)
    groups[{}] = difference;
  else
    place(difference, 1);

  std::vector<Term> equal;
  for (auto &[key, term] : groups) {
    if (key.empty())
      continue;
    usedLayout |= byParameter[key] && !constantOf(term);
    splitEquation(pool, term, equal);
  }
  Term rest = groups[{}];
  // Same width, offsets multiples of it: the ranges meet only when they are equal.
  bool aligned = sizeA == sizeB && sizeA > 0;
  if (aligned && rest->op == Op::Linear) {
    aligned = rest->value % sizeA == 0;
    for (std::int64_t coefficient : rest->coefficients)
      aligned &= coefficient % sizeA == 0;
  } else if (aligned) {
    aligned = constantOf(rest) && *constantOf(rest) % sizeA == 0;
  }
  if (aligned) {
    splitEquation(pool, rest, equal);
  } else {
    equal.push_back(pool.lt(rest, pool.integer(sizeB)));
    equal.push_back(pool.lt(pool.integer(-sizeA), rest));
  }
  return pool.conj(equal);
}

Decider::Decider(TermPool &pool, const Trace &trace, std::chrono::milliseconds queryBudget,
                 std::chrono::steady_clock::time_point deadline)
    : pool(pool), trace(trace), queryBudget(queryBudget), deadline(deadline) {}

/// Unit propagation over the conjunction: literals whose opposite is known drop out of disjunctions.
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

Decision Decider::satisfiable(const std::vector<Term> &terms, Uniform shared) {
  std::vector<Term> simple = simplify(terms);
  if (pool.isFalse(simple[0]))
    return {Answer::Unsat, true, {}, {}};
  if (auto found = cache.find(simple[0]); found != cache.end())
    return found->second;
  Decision decision;
  if (outOfTime())
    return decision;
  Term key = simple[0];
  std::unordered_map<Term, bool> seen;
  std::set<std::string> unknowns;
  forEachAtom(key, seen, [&](Term atom) {
    const Symbol &s = pool.symbolOf(atom);
    if (s.kind == SymbolKind::Unknown || s.kind == SymbolKind::Memory || s.kind == SymbolKind::Collective)
      unknowns.insert(s.side ? pool.symbol(s.original).name : s.name);
  });
  addLemmas(pool, trace, shared, simple);
  Script script = makeScript(pool, simple);
  ++queries;
  decision.answer = solver.ask(script.text, script.wanted, queryBudget, decision.model);
  decision.unknowns.assign(unknowns.begin(), unknowns.end());
  decision.sure = unknowns.empty() && !script.abstracted;
  cache.emplace(key, decision);
  return decision;
}

} // namespace warpdrf::contract
