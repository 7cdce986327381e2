// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/arrivals.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

/// Atoms of `terms`, and of the values that reads among them were forwarded.
std::vector<Term> conditionsBehind(const Trace &trace, const std::vector<Term> &terms) {
  std::vector<Term> all = terms;
  std::unordered_map<Term, bool> seen;
  for (std::size_t i = 0; i < all.size(); ++i)
    forEachAtom(Term(all[i]), seen, [&](Term atom) {
      auto found = trace.forwards.find(static_cast<unsigned>(atom->value));
      if (found != trace.forwards.end())
        all.push_back(found->second.value);
    });
  return all;
}

/// `term` contains the test "ticket == number of blocks - 1".
bool testsForLast(TermPool &pool, Term term, Term last, unsigned ticket) {
  if (term->op == Op::Eq0) {
    std::unordered_map<Term, bool> seen;
    bool itself = false;
    forEachAtom(term, seen, [&](Term atom) {
      if (static_cast<unsigned>(atom->value) == ticket)
        itself |= term == pool.eq(atom, last);
    });
    if (itself)
      return true;
  }
  return std::any_of(term->children.begin(), term->children.end(),
                     [&](Term child) { return testsForLast(pool, child, last, ticket); });
}

bool within(const std::vector<Term> &part, const std::vector<Term> &whole) {
  return std::all_of(part.begin(), part.end(), [&](Term term) {
    return std::find(whole.begin(), whole.end(), term) != whole.end();
  });
}

/// A fence of the accessing thread lies between access and arrival, and a barrier too if another
/// thread arrives.
bool published(const Trace &trace, const Event &access, const Event &arrival) {
  bool sameThread = within(arrival.path, access.path) || within(access.path, arrival.path);
  bool fenced = false, met = sameThread;
  for (unsigned i = access.index + 1; i < arrival.index; ++i) {
    const Event &e = trace.events[i];
    bool runs = within(e.path, access.path);
    if (e.kind == Event::Kind::Fence && e.scope >= ir::SyncScope::Grid &&
        (runs || within(e.path, arrival.path)))
      fenced |= runs || sameThread || met;
    if (e.kind == Event::Kind::Barrier && runs)
      met = true;
  }
  return fenced && met;
}

} // namespace

Arrival arrivalOrders(TermPool &pool, const Trace &trace, const Coordinates &coordinates,
                      const Event &access, const Event &after) {
  Arrival result;
  Term blocks = pool.integer(1);
  for (Term extent : coordinates.gdim)
    blocks = pool.mul(blocks, extent);
  Term last = pool.addConstant(blocks, -1);
  std::vector<Term> conditions = conditionsBehind(trace, after.path);
  for (auto &[symbol, ticket] : trace.tickets) {
    if (ticket.amount != pool.integer(1))
      continue;
    bool isLast = std::any_of(conditions.begin(), conditions.end(), [&, s = symbol](Term term) {
      return testsForLast(pool, term, last, s);
    });
    if (!isLast)
      continue;
    for (const Event &arrival : trace.events) {
      if (arrival.kind != Event::Kind::Atomic || arrival.object != ticket.object ||
          arrival.index <= access.index || arrival.index >= after.index)
        continue;
      if (published(trace, access, arrival))
        result.ordered = true;
      else
        result.unpublished = &arrival;
    }
  }
  return result;
}

} // namespace warpdrf::contract
