// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/arrivals.h"

#include "analysis/contract/overlap.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/planted.h"

#include <algorithm>
#include <utility>

namespace warpdrf::contract {

namespace {

/// Whether `condition`, or its opposite, says that the ticket was the last one. A value read from a
/// shared place says what the value that was written there says.
class LastTest {
public:
  LastTest(TermPool &pool, const Trace &trace, unsigned ticket, Term last)
      : pool(pool), trace(trace), ticket(ticket), last(last) {}

  bool implies(Term condition, bool holds) const {
    const auto &children = condition->children;
    auto each = [&](Term child) { return implies(child, holds); };
    switch (condition->op) {
    case Op::Not:
      return implies(children[0], !holds);
    case Op::And:
      return holds ? std::any_of(children.begin(), children.end(), each)
                   : std::all_of(children.begin(), children.end(), each);
    case Op::Or:
      return holds ? std::all_of(children.begin(), children.end(), each)
                   : std::any_of(children.begin(), children.end(), each);
    case Op::Ite:
      return (implies(children[0], true) || each(children[1])) &&
             (implies(children[0], false) || each(children[2]));
    case Op::Atom:
      if (auto found = trace.forwards.find(static_cast<unsigned>(condition->value));
          found != trace.forwards.end() && condition->boolean)
        return implies(truth(found->second.value), holds);
      return false;
    case Op::Eq0:
      return (holds && isTest(condition)) ||
             (children[0]->op == Op::Atom && says(children[0], !holds));
    case Op::Le0:
      return holds && isTest(condition);
    default:
      return false;
    }
  }

private:
  Term truth(Term value) const {
    return value->boolean ? value : pool.negate(pool.eq(value, pool.integer(0)));
  }

  /// That the value of this atom is not zero (or is) says it.
  bool says(Term atom, bool isSet) const {
    auto found = trace.forwards.find(static_cast<unsigned>(atom->value));
    return found != trace.forwards.end() && found->second.value->op != Op::Pointer &&
           implies(truth(found->second.value), isSet);
  }

  bool isTest(Term term) const {
    std::unordered_map<Term, bool> seen;
    bool itself = false;
    forEachAtom(term, seen, [&](Term atom) {
      if (isTicket(atom))
        itself |= term == pool.eq(atom, last) || term == pool.le(last, atom);
    });
    return itself;
  }

  /// Itself, or what was read where it was put.
  bool isTicket(Term atom) const {
    auto found = trace.forwards.find(static_cast<unsigned>(atom->value));
    Term value = found == trace.forwards.end() ? atom : found->second.value;
    return value->op == Op::Atom && static_cast<unsigned>(value->value) == ticket;
  }

  TermPool &pool;
  const Trace &trace;
  unsigned ticket;
  Term last;
};

bool within(const std::vector<Term> &part, const std::vector<Term> &whole) {
  return std::all_of(part.begin(), part.end(), [&](Term term) {
    return std::find(whole.begin(), whole.end(), term) != whole.end();
  });
}

/// Whoever executes `access` executes `e` afterwards, in the same iterations.
bool follows(const Event &access, const Event &e) {
  return e.index > access.index && e.loops.size() <= access.loops.size() &&
         std::equal(e.loops.begin(), e.loops.end(), access.loops.begin()) &&
         within(e.path, access.path);
}

/// No two threads of a block execute `x` and `y`, one each.
bool bySameThread(CheckContext &context, const Event &x, const Event &y) {
  TermPool &pool = context.pool;
  Side first(pool, context.trace, 1, Uniform::Block, {}),
      second(pool, context.trace, 2, Uniform::Block, {});
  std::vector<Term> terms{first.all(x.path), second.all(y.path), assumedFacts(context, first),
                          assumedFacts(context, second),
                          threadsRelated(pool, context.coordinates, first, second, Uniform::Block,
                                         /*anyWarp=*/true)};
  return context.decider.satisfiable(terms, Uniform::Block).answer == Answer::Unsat;
}

/// What the accessing thread wrote is visible to whoever sees the arrival: the thread that arrives
/// is the same, or a block barrier lies between the two; and there is a fence of the accessing
/// thread after the access, or of the arriving one behind the barrier.
bool published(CheckContext &context, const Event &access, const Event &arrival) {
  const auto &events = context.trace.events;
  bool met = bySameThread(context, access, arrival), fenced = false;
  for (unsigned i = access.index + 1; i < arrival.index; ++i) {
    const Event &e = events[i];
    bool mine = follows(access, e);
    bool theirs = e.loops.empty() && within(e.path, arrival.path);
    if (e.kind == Event::Kind::Barrier && e.scope >= ir::SyncScope::Block && !e.isNamedBarrier())
      met |= mine;
    bool reaches = e.scope >= ir::SyncScope::Grid || planted(Bug::fenceScope);
    if (e.kind == Event::Kind::Fence && reaches)
      fenced |= mine || (met && theirs);
  }
  return fenced && met;
}

/// Whether a fence makes the arrival itself happen before what the last one does: without one the
/// atomic orders nothing, not even itself.
bool releases(CheckContext &context, const Event &arrival) {
  const auto &events = context.trace.events;
  return std::any_of(events.begin(), events.begin() + arrival.index, [&](const Event &e) {
    return e.kind == Event::Kind::Fence && e.scope >= ir::SyncScope::Grid && e.loops.empty() &&
           within(e.path, arrival.path);
  });
}

/// Whether a fence lies between the arrival and what follows it, of the thread that arrives or of
/// the one that goes on.
bool looks(CheckContext &context, const Event &arrival, const Event &after) {
  const auto &events = context.trace.events;
  return std::any_of(events.begin() + arrival.index + 1, events.begin() + after.index,
                     [&](const Event &e) {
                       return e.kind == Event::Kind::Fence && e.scope >= ir::SyncScope::Grid &&
                              (within(e.path, after.path) || within(e.path, arrival.path));
                     });
}

/// Whether an access leaves a counter alone that is a part of the same object.
bool isElsewhere(CheckContext &context, const Event &access, const Event &arrival) {
  TermPool &pool = context.pool;
  Side first(pool, context.trace, 1, Uniform::Grid, {}),
      second(pool, context.trace, 2, Uniform::Grid, {});
  bool usedLayout = false;
  Term meet = overlap(pool, first.of(access.offset), access.size, second.of(arrival.offset),
                      arrival.size, context.assumes("layout"), usedLayout);
  std::vector<Term> terms{meet,
                          first.all(access.path),
                          second.all(arrival.path),
                          first.all(context.coordinates.facts),
                          second.all(context.coordinates.facts),
                          assumedFacts(context, first),
                          assumedFacts(context, second)};
  const bool apart = context.decider.satisfiable(terms, Uniform::Grid).answer == Answer::Unsat;
  if (apart && usedLayout)
    context.assumptions.insert("layout");
  return apart;
}

/// The one atomic by which each block arrives, at most once; null when the counter is used in any
/// other way (the last block may reset it).
const Event *onlyArrival(CheckContext &context, const Ticket &ticket, const LastTest &isLast) {
  const Event *arrival = nullptr;
  std::vector<const Event *> others;
  for (const Event &e : context.trace.events) {
    if (!e.writes() || e.object != ticket.object ||
        std::any_of(e.path.begin(), e.path.end(),
                    [&](Term term) { return isLast.implies(term, true); }))
      continue;
    bool counts = e.kind == Event::Kind::Atomic && e.offset == ticket.offset && e.loops.empty() &&
                  e.scope >= ir::SyncScope::Grid;
    if (!counts)
      others.push_back(&e);
    else if (std::exchange(arrival, &e))
      return nullptr;
  }
  bool once = arrival && arrival->offset->uniform == Uniform::Grid &&
              bySameThread(context, *arrival, *arrival) &&
              std::ranges::all_of(others, [&](const Event *other) {
                return isElsewhere(context, *other, *arrival);
              });
  return once ? arrival : nullptr;
}

} // namespace

Arrival arrivalOrders(CheckContext &context, const Event &access, const Event &after) {
  Arrival result;
  TermPool &pool = context.pool;
  Term blocks = pool.integer(1);
  for (Term extent : context.coordinates.gdim)
    blocks = pool.mul(blocks, extent);
  Term last = pool.addConstant(blocks, -1);
  for (auto &[symbol, ticket] : context.trace.tickets) {
    if (ticket.amount != pool.integer(1))
      continue;
    LastTest isLast(pool, context.trace, symbol, last);
    if (std::none_of(after.path.begin(), after.path.end(),
                     [&](Term term) { return isLast.implies(term, true); }))
      continue;
    const Event *arrival = onlyArrival(context, ticket, isLast);
    if (!arrival || arrival->index >= after.index || arrival->index < access.index)
      continue;
    if (arrival == &access ? releases(context, access) : published(context, access, *arrival))
      result.ordered = true, result.unlooked = looks(context, *arrival, after) ? nullptr : arrival;
    else
      result.unpublished = arrival;
  }
  return result;
}

const Event *mayHandOver(CheckContext &context, const Event &access, const Event &after,
                         Uniform shared) {
  if (shared == Uniform::Warp)
    return nullptr;
  const auto &events = context.trace.events;
  ir::SyncScope reach = shared == Uniform::Grid ? ir::SyncScope::Grid : ir::SyncScope::Block;
  auto fences = [&](const Event &e) { return e.kind == Event::Kind::Fence && e.scope >= reach; };
  std::set<std::int64_t> released; // objects that tell of the access
  bool fenced = false;
  for (unsigned i = access.index + 1; i < events.size(); ++i)
    if (follows(access, events[i])) {
      fenced |= fences(events[i]);
      if (fenced && events[i].kind == Event::Kind::Atomic && events[i].scope >= reach)
        released.insert(events[i].object);
    }
  const Event *spin = nullptr;
  bool acquired = false;
  for (unsigned i = 0; i < after.index; ++i) {
    const Event &e = events[i];
    bool before = e.loops.size() <= after.loops.size() && within(e.path, after.path);
    bool spins =
        e.kind == Event::Kind::Atomic && e.scope >= reach && !e.loops.empty() &&
        std::find(after.loops.begin(), after.loops.end(), e.loops.back()) == after.loops.end();
    if (spins && released.contains(e.object)) {
      spin = &e;
      acquired = false;
    }
    acquired |= spin && before && fences(e);
  }
  return acquired ? spin : nullptr;
}

} // namespace warpdrf::contract
