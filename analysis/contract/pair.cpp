// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/pair.h"

namespace warpdrf::contract {

Side::Side(TermPool &pool, const Trace &trace, int side, Uniform shared, Counters counters)
    : pool(pool), trace(trace), side(side), shared(shared), counters(std::move(counters)) {
  // The threads share the iteration at the start of an interval; how many more a thread has gone
  // through since is its own.
  for (auto &[symbol, count] : this->counters) {
    std::unordered_map<Term, Term> ofCount;
    count = pool.rewrite(count, ofCount, [&](Term atom, std::span<const Term> arguments) -> Term {
      const Symbol &s = pool.symbolOf(atom);
      return s.kind == SymbolKind::Counter || s.uniform >= shared
                 ? nullptr
                 : pool.atom(pool.instanceOf(static_cast<unsigned>(atom->value), side), arguments);
    });
  }
}

Term Side::of(Term term) {
  return pool.rewrite(term, memo, [&](Term atom, std::span<const Term> arguments) -> Term {
    auto symbol = static_cast<unsigned>(atom->value);
    const Symbol &s = pool.symbol(symbol);
    if (s.kind == SymbolKind::Counter) {
      auto found = counters.find(symbol);
      return found != counters.end() ? found->second : pool.atom(pool.instanceOf(symbol, side));
    }
    if (s.uniform >= shared)
      return pool.atom(symbol, arguments);
    return pool.atom(pool.instanceOf(symbol, side), arguments);
  });
}

Term Side::all(const std::vector<Term> &terms) {
  std::vector<Term> mine;
  mine.reserve(terms.size());
  for (Term term : terms)
    mine.push_back(of(term));
  return pool.conj(mine);
}

Counters sharedCounters(const std::vector<Loop *> &loops) {
  Counters counters;
  for (const Loop *loop : loops)
    counters[static_cast<unsigned>(loop->counter->value)] = loop->counter;
  return counters;
}

Term withCounters(TermPool &pool, Term term, const Counters &counters) {
  std::unordered_map<Term, Term> memo;
  return pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
    auto found = counters.find(static_cast<unsigned>(atom->value));
    return found == counters.end() ? nullptr : found->second;
  });
}

Term threadsRelated(TermPool &pool, const Coordinates &c, Side &first, Side &second, Uniform shared,
                    bool anyWarp) {
  std::vector<Term> facts{first.all(c.facts), second.all(c.facts)};
  auto same = [&](const std::vector<Term> &parts) {
    std::vector<Term> equal;
    for (Term part : parts)
      equal.push_back(pool.eq(first.of(part), second.of(part)));
    return pool.conj(equal);
  };
  Term sameWarp = same(c.warpParts), sameLane = same(c.laneParts);
  if (shared == Uniform::Warp) {
    if (!c.sharesWarpAtoms)
      facts.push_back(sameWarp);
    facts.push_back(pool.negate(sameLane));
  } else if (shared == Uniform::Block) {
    facts.push_back(anyWarp ? pool.negate(pool.conj(sameWarp, sameLane)) : pool.negate(sameWarp));
  } else {
    facts.push_back(pool.negate(same({c.bid.begin(), c.bid.end()})));
  }
  return pool.conj(facts);
}

} // namespace warpdrf::contract
