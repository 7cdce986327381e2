// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/layout.h"

#include <algorithm>

namespace warpdrf::contract {

/// Adds that what is divided by a constant in the offset, and is a parameter, has no remainder.
static void addDivisions(TermPool &pool, Term offset, std::set<Term> &seen,
                         std::vector<Term> &facts) {
  if (!seen.insert(offset).second)
    return;
  if (const auto divisor = divisorOf(offset);
      divisor && offset->children[0]->op == Op::Atom &&
      pool.symbolOf(offset->children[0]).kind == SymbolKind::Parameter)
    facts.push_back(
        pool.eq(pool.mod(offset->children[0], pool.integer(*divisor)), pool.integer(0)));
  for (Term child : offset->children)
    addDivisions(pool, child, seen, facts);
}

/// Whether the smallest launch there is has a thread that does not do as demanded: then it is the
/// kernel's own constants that do not fit.
static bool failsAtOnce(const CheckContext &context, const Event &access, Term demand, Side &side) {
  TermPool &pool = context.pool;
  // That rows of a block are whole warps is our assumption; blocks of 16 by 16 are as usual.
  if (!constantOf(context.coordinates.bdim[0]) && context.coordinates.warpParts.size() > 1)
    return false;
  std::unordered_map<Term, bool> seen;
  bool onlyLaunch = true;
  std::vector<Term> query;
  forEachAtom(demand, seen, [&](Term atom) {
    const Symbol &symbol = pool.symbolOf(atom);
    onlyLaunch &= symbol.kind == SymbolKind::Coordinate || symbol.kind == SymbolKind::Launch;
    if (Term extent = symbol.kind == SymbolKind::Launch ? atom : symbol.below)
      query.push_back(pool.eq(side.of(extent), pool.integer(extent->range.lo)));
  });
  if (!onlyLaunch)
    return false;
  for (Term term : {pool.negate(side.of(demand)), side.all(access.path),
                    side.all(context.coordinates.facts), side.all(context.trace.facts)})
    query.push_back(term);
  return context.decider.satisfiable(query, Uniform::Thread).answer == Answer::Sat;
}

std::vector<Term> layoutOf(const CheckContext &context, const Event &access, Side &side) {
  if (!context.assumes("layout"))
    return {};
  std::vector<Term> facts;
  for (Term demand : access.within)
    if (!failsAtOnce(context, access, demand, side))
      facts.push_back(demand);
  std::set<Term> seen;
  addDivisions(context.pool, access.offset, seen, facts);
  for (Term &fact : facts)
    fact = side.of(fact);
  return facts;
}

static bool isMentioned(const CheckContext &context, Term parameter) {
  std::unordered_map<Term, bool> seen;
  bool found = false;
  for (const Event &event : context.trace.events)
    for (Term condition : event.path)
      forEachAtom(condition, seen, [&](Term atom) { found |= atom == parameter; });
  return found;
}

bool areSetApart(const CheckContext &context, const Event &one, const Event &other) {
  if (!context.assumes("layout") || !one.writes() || !other.writes())
    return false;
  Term apart = context.pool.sub(one.offset, other.offset);
  return apart->op == Op::Linear && std::ranges::any_of(apart->children, [&](Term part) {
           return part->op == Op::Atom &&
                  context.pool.symbolOf(part).kind == SymbolKind::Parameter &&
                  !isMentioned(context, part);
         });
}

} // namespace warpdrf::contract
