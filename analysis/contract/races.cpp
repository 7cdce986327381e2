// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Condition 1: every pair of conflicting accesses by different threads is ordered. For each scope
// separately, every pair of accesses of one barrier interval with a write is one query.
#include "analysis/contract/arrivals.h"
#include "analysis/contract/check_context.h"
#include "analysis/contract/intervals.h"
#include "analysis/contract/layout.h"
#include "analysis/contract/masks.h"
#include "analysis/contract/overlap.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/planted.h"
#include "analysis/contract/race_report.h"
#include "analysis/contract/scatter.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

/// One access of an interval as both threads of a pair.
struct Both {
  const Reached *reached;
  Side first, second;
  Term runs1, runs2, offset1, offset2;
};

/// Whether a construct that is not modelled may be a barrier, or wait for something: what looks
/// unordered need not be.
bool mayOrderUnseen(const Trace &trace) {
  return std::ranges::any_of(trace.unsupported, [](const auto &construct) {
    for (const char *word : {"asm ", "cooperative group", "sync", "barrier", "pipeline", "arrive",
                             "wait", "fence", "acquire", "lock"})
      if (construct.first.find(word) != std::string::npos)
        return true;
    return false;
  });
}

class ScopeCheck {
public:
  ScopeCheck(CheckContext &context, Uniform shared)
      : context(context), pool(context.pool), shared(shared),
        orderedUnseen(mayOrderUnseen(context.trace)) {}

  void run() {
    IntervalWalk walk(
        pool, context.trace, [&](const Event &event) { return orders(event); },
        [&] { return context.decider.outOfTime(); });
    const std::vector<BarrierInterval> intervals = walk.all();
    if (context.decider.outOfTime() && !context.trace.events.empty())
      timeout(context.trace.events.front()); // some may be missing
    for (const BarrierInterval &interval : intervals) {
      atStart = interval.start ? sharedCounters(interval.start->loops) : Counters{};
      bothStart = leaveTogether(interval);
      std::map<std::int64_t, std::vector<const Reached *>> byObject;
      for (const Reached &reached : interval.reached)
        if (reached.event->isAccess() && interesting(*reached.event))
          byObject[reached.event->object].push_back(&reached);
      for (auto &[object, accesses] : byObject)
        checkObject(accesses);
      if (shared != Uniform::Grid && !planted(Bug::exitedTakesPart))
        for (const Reached &reached : interval.reached)
          if (reached.event->kind == Event::Kind::Exit &&
              conditionOf(*reached.event)->uniform < shared)
            checkExit(interval, reached);
    }
  }

private:
  Orders orders(const Event &event) const {
    if (event.isNamedBarrier())
      return shared == Uniform::Grid || event.onlyReleases() ? Orders::Nobody : Orders::Some;
    if (event.kind == Event::Kind::Barrier)
      return event.scope >= ir::SyncScope::Grid || shared != Uniform::Grid ? Orders::Everybody
                                                                           : Orders::Nobody;
    if (event.kind == Event::Kind::Arrive || event.kind == Event::Kind::Await)
      return shared == Uniform::Grid             ? Orders::Nobody
             : event.kind == Event::Kind::Arrive ? Orders::Begins
                                                 : Orders::Everybody;
    bool isBarrier = event.isWarpBarrier() ||
                     (event.kind == Event::Kind::Primitive && planted(Bug::shuffleOrders));
    bool reaches = shared == Uniform::Warp ||
                   (shared == Uniform::Block && isBarrier && planted(Bug::warpBarrierWide));
    if (!reaches || !isBarrier)
      return Orders::Nobody;
    if (context.inArms.contains(&event))
      return Orders::Nobody; // orders across the arms of a branch: not modelled
    // One that not everybody reaches has a finding of its own, which this one would only follow
    // from.
    bool full =
        isFullMask(event.mask, context.options.warpWidth) || context.violated.contains(&event);
    return full ? Orders::Everybody : Orders::Some;
  }

  bool interesting(const Event &event) const {
    const Object &object = context.trace.objects[static_cast<std::size_t>(event.object)];
    if (!object.written)
      return false;
    return shared != Uniform::Grid || object.space == ir::MemorySpace::Global;
  }

  Term conditionOf(const Event &event) { return pool.conj(event.path); }

  /// A thread that has left is no participant of later barriers: what it did since the last one is
  /// not ordered before what others do behind them.
  void checkExit(const BarrierInterval &interval, const Reached &exit) {
    std::set<const Event *> here;
    for (const Reached &reached : interval.reached)
      here.insert(reached.event);
    for (const Reached &mine : interval.reached) {
      if (!mine.event->isAccess() || !interesting(*mine.event) ||
          mine.event->index > exit.event->index)
        continue;
      Both a = bothOf(mine);
      Side leaving(pool, context.trace, 1, shared, exit.counters),
          before(pool, context.trace, 1, shared, atStart);
      a.runs1 = pool.conj({a.runs1, leaving.all(exit.event->path), before.all(exit.conditions)});
      for (const Event &event : context.trace.events) {
        const bool behind = event.index > exit.event->index ||
                            std::ranges::find(event.exits, exit.event->left) != event.exits.end();
        if (!event.isAccess() || event.object != mine.event->object || !behind ||
            here.contains(&event))
          continue;
        Reached later{&event, {}, {}, {}, {}};
        Both b = bothOf(later);
        if (context.decider.outOfTime())
          return timeout(event);
        checkPair(a, b);
      }
    }
  }

  Both bothOf(const Reached &r) {
    Side first(pool, context.trace, 1, shared, r.counters),
        second(pool, context.trace, 2, shared, r.counters);
    Both b{&r, std::move(first), std::move(second), nullptr, nullptr, nullptr, nullptr};
    // The conditions speak of the start's iteration, the path of the access's own.
    Side before1(pool, context.trace, 1, shared, atStart),
        before2(pool, context.trace, 2, shared, atStart);
    b.runs1 = pool.conj(b.first.all(r.event->path), before1.all(r.conditions));
    b.runs2 = pool.conj(b.second.all(r.event->path), before2.all(r.conditions));
    b.offset1 = b.first.of(r.event->offset);
    b.offset2 = b.second.of(r.event->offset);
    return b;
  }

  void checkObject(const std::vector<const Reached *> &accesses) {
    bool anyWrite = std::any_of(accesses.begin(), accesses.end(),
                                [](const Reached *r) { return r->event->writes(); });
    if (!anyWrite)
      return;
    std::vector<Both> both;
    both.reserve(accesses.size());
    for (const Reached *r : accesses) {
      if (context.decider.outOfTime())
        return timeout(*r->event);
      both.push_back(bothOf(*r));
    }
    for (std::size_t i = 0; i < both.size(); ++i)
      for (std::size_t j = i; j < both.size(); ++j) {
        if (context.decider.outOfTime())
          return timeout(*both[i].reached->event);
        checkPair(both[i], both[j]);
      }
  }

  bool conflict(const Event &a, const Event &b) const {
    bool updates = a.kind == Event::Kind::Atomic || b.kind == Event::Kind::Atomic;
    if ((!a.writes() && !b.writes()) || (updates && planted(Bug::atomicsAreNone)))
      return false;
    if (a.byWarp && b.byWarp && a.op == b.op && shared == Uniform::Warp)
      return false;
    bool atomics = a.kind == Event::Kind::Atomic && b.kind == Event::Kind::Atomic;
    atomics |= updates && planted(Bug::atomicAgainstPlain);
    bool reaches = shared != Uniform::Grid || planted(Bug::atomicScope) ||
                   (a.scope >= ir::SyncScope::Grid && b.scope >= ir::SyncScope::Grid);
    return !(atomics && reaches);
  }

  /// Whether an asynchronous write is complete where the other thread is: it waited for the end of
  /// the phase in which the write completes.
  static bool isComplete(const Event &write, const Reached &other) {
    return write.arrival && other.awaited.contains(*write.arrival);
  }

  void checkPair(Both &a, Both &b) {
    const Event &x = *a.reached->event, &y = *b.reached->event;
    if (!conflict(x, y) || isComplete(x, *b.reached) || isComplete(y, *a.reached))
      return;
    auto key = std::pair(&x, &y);
    if (settled.contains(key) || isTold(x, y, Severity::Error))
      return;
    std::vector<Term> terms{a.runs1, b.runs2};
    bool usedLayout = false;
    terms.push_back(
        overlap(pool, a.offset1, x.size, b.offset2, y.size, context.assumes("layout"), usedLayout));
    if (pool.isFalse(pool.conj(terms)))
      return noteLayout(usedLayout);
    if (undecidedScatters.contains(x.object) && mayScatter(x, y))
      return; // nor would this one be
    terms.push_back(bothStart);
    for (Term apart : crossedApart(a, b))
      terms.push_back(apart);
    terms.push_back(threadsRelated(pool, context.coordinates, a.first, b.second, shared));
    terms.push_back(assumedFacts(context, a.first));
    terms.push_back(assumedFacts(context, b.second));
    Decision decision = context.decider.satisfiable(terms, shared);
    if (decision.answer == Answer::Unsat)
      return noteLayout(usedLayout);
    if (areSetApart(context, x, y))
      return noteLayout(true);
    if (std::vector<Term> laidOut = layoutOf(a, b); !laidOut.empty()) {
      terms.insert(terms.end(), laidOut.begin(), laidOut.end());
      decision = context.decider.satisfiable(terms, shared);
      if (decision.answer == Answer::Unsat)
        return noteLayout(true);
    }
    // Numbers of ours for the strides would make index tuples meet that a host keeps apart; so
    // would contents of ours for what may be an index array, passed on by a shuffle.
    decision.open = usedLayout || strided(x.offset) || strided(y.offset) ||
                    (isGlobal(x) && (isPassedOn(x.offset) || isPassedOn(y.offset)));
    Arrival arrival;
    if (shared == Uniform::Grid) // within a block the barriers that publish order it already
      arrival = arrivalOrders(context, x, y);
    if (shared == Uniform::Grid && !arrival.ordered && !arrival.unpublished)
      arrival = arrivalOrders(context, y, x);
    if (arrival.ordered) {
      if (arrival.unlooked)
        reportUnlooked(context, x, y, *arrival.unlooked);
      return;
    }
    settled.insert(key);
    if (orderedUnseen || orderedByArms(x, y))
      return undecided(x, y);
    if (decision.answer == Answer::Unknown &&
        (undecidedObjects.contains(x.object) || !isHarmless(a, b, terms)))
      return undecided(x, y);
    unpublished = arrival.unpublished;
    const Scatter scatter = scatterOf(a, b, terms);
    if (scatter.undecided && scatter.object.empty()) {
      undecidedScatters.insert(x.object);
      return undecided(x, y);
    }
    withoutDuplicates(scatter, terms, decision);
    restOnLaunch(context, terms, shared, decision);
    const Event *spin = mayHandOver(context, x, y, shared);
    if (!spin)
      spin = mayHandOver(context, y, x, shared);
    if (spin) {
      decision.sure = false;
      decision.unknowns.push_back("what ends the loop around the atomic at line " +
                                  std::to_string(spin->range.begin.line));
    }
    if (isTold(x, y, decision.sure ? Severity::Error : Severity::Warning))
      return;
    report(a, b, terms, scatter, smallest(context, terms, shared, decision));
  }

  /// Whether a warp's barrier in both arms of a branch lies between: it orders, which is not
  /// modelled.
  bool orderedByArms(const Event &x, const Event &y) const {
    const auto [first, last] = std::minmax(x.index, y.index);
    return shared == Uniform::Warp &&
           std::ranges::any_of(context.inArms, [&](const Event *barrier) {
             return first < barrier->index && barrier->index < last;
           });
  }

  /// A conflict that an index array is not to blame for is shown by one without duplicates.
  void withoutDuplicates(const Scatter &scatter, std::vector<Term> &terms, Decision &decision) {
    if (scatter.distinct.empty())
      return;
    std::vector<Term> more = terms;
    more.insert(more.end(), scatter.distinct.begin(), scatter.distinct.end());
    Decision apart = context.decider.satisfiable(more, shared);
    if (apart.answer != Answer::Sat)
      return;
    apart.open = decision.open;
    decision = std::move(apart);
    terms = std::move(more);
  }

  std::vector<Term> layoutOf(Both &a, Both &b) {
    std::vector<Term> facts = contract::layoutOf(context, *a.reached->event, a.first);
    for (Term fact : contract::layoutOf(context, *b.reached->event, b.second))
      facts.push_back(fact);
    return facts;
  }

  /// Both threads have just left the barrier that starts the interval.
  Term leaveTogether(const BarrierInterval &interval) {
    if (!interval.start)
      return pool.boolean(true);
    const Event &start = *interval.start;
    Counters common = sharedCounters(start.loops);
    if (orders(start) == Orders::Some && !start.isNamedBarrier())
      return together(start, common);
    Side first(pool, context.trace, 1, shared, common),
        second(pool, context.trace, 2, shared, common);
    return pool.conj(first.all(start.path), second.all(start.path));
  }

  void noteLayout(bool used) {
    if (used)
      context.assumptions.insert("layout");
  }

  /// Both threads are participants of this barrier instance.
  Term together(const Event &barrier, const Counters &counters) {
    Side first(pool, context.trace, 1, shared, counters),
        second(pool, context.trace, 2, shared, counters);
    Term named = maskBit(pool, context.trace, first.of(barrier.mask),
                         second.of(context.coordinates.lane), second);
    return pool.conj({first.all(barrier.path), second.all(barrier.path), named});
  }

  /// A barrier that one of the two crossed on its way orders the pair when both take part in it.
  std::vector<Term> crossedApart(Both &a, Both &b) {
    std::vector<Term> apart;
    auto add = [&](const Reached &mine, int side, const Reached &other, Side &otherSide) {
      for (auto &crossing : mine.crossed)
        if (crossing.first->isNamedBarrier())
          apart.push_back(neverMeets(mine, crossing,
                                     Side(pool, context.trace, side, shared, crossing.second),
                                     other, otherSide));
        else if (std::find(other.crossed.begin(), other.crossed.end(), crossing) ==
                 other.crossed.end())
          apart.push_back(pool.negate(together(*crossing.first, crossing.second)));
    };
    add(*a.reached, 1, *b.reached, b.second);
    add(*b.reached, 2, *a.reached, a.first);
    return apart;
  }

  /// Named barriers match by id, also from different calls: the other thread, whose access is still
  /// before a barrier of that id, will meet this one there. Holds when it never executes one, or
  /// when it is this thread that went past its barrier without executing it.
  Term neverMeets(const Reached &me, const std::pair<const Event *, Counters> &crossed, Side mine,
                  const Reached &other, Side &side) {
    const Event &barrier = *crossed.first;
    for (auto &crossing : other.crossed) {
      if (!crossing.first->isNamedBarrier() || crossing.first->operand != barrier.operand)
        continue;
      const bool common = std::ranges::find(me.crossed, crossing) != me.crossed.end();
      if (crossing == crossed || !common)
        return pool.boolean(true); // it has passed one itself
    }
    std::vector<Term> never;
    Term id = mine.of(barrier.operand);
    for (const Event &e : context.trace.events)
      if (e.isNamedBarrier() && e.index > other.event->index) {
        Term same = planted(Bug::barrierId) ? pool.boolean(true) : pool.eq(side.of(e.operand), id);
        never.push_back(pool.negate(pool.conj(side.all(e.path), same)));
      }
    return pool.disj(pool.negate(mine.all(barrier.path)), pool.conj(never));
  }

  /// Two writes of different values: `Unsat` when the values are always the same. Every other pair
  /// differs as it is, in `decision`.
  Decision differing(Both &a, Both &b, std::vector<Term> terms, const Decision &decision) {
    const Event &x = *a.reached->event, &y = *b.reached->event;
    if (x.kind != Event::Kind::Write || y.kind != Event::Kind::Write || !x.value || !y.value ||
        x.size != y.size)
      return decision;
    Term v1 = a.first.of(x.value), v2 = b.second.of(y.value);
    Decision result = decision;
    if (v1->op == Op::Pointer || v2->op == Op::Pointer) {
      result.answer = v1 == v2 ? Answer::Unsat : Answer::Sat;
      return result;
    }
    Term other = pool.negate(pool.eq(v1, v2));
    if (pool.isTrue(other) && !planted(Bug::sameValue))
      return decision;
    if (meetOnlyWhenEqual(pool, a.offset1, x.size, b.offset2, y.size))
      terms.push_back(pool.eq(a.offset1, b.offset2));
    terms.push_back(other);
    Decision differ = context.decider.satisfiable(terms, shared);
    if (planted(Bug::sameValue))
      differ.answer = Answer::Unsat;
    if (differ.answer == Answer::Unknown) {
      result.sure = false;
      result.unknowns.push_back("whether both write the same value");
      return result;
    }
    // What the values rest on is free to differ; what the conflict rests on counts.
    differ.sure = decision.sure;
    differ.unknowns = decision.unknowns;
    differ.open = decision.open;
    return smallest(context, terms, shared, differ);
  }

  Scatter scatterOf(Both &a, Both &b, const std::vector<Term> &terms) {
    const Event &x = *a.reached->event;
    return mayScatter(x, *b.reached->event)
               ? scatteredBy(context, terms, x, a.offset1, b.offset2, shared)
               : Scatter{};
  }

  /// Whether the accesses meet or not: it would be the same value, or through equal indices.
  bool isHarmless(Both &a, Both &b, const std::vector<Term> &terms) {
    return differing(a, b, terms, Decision()).answer == Answer::Unsat ||
           !scatterOf(a, b, terms).object.empty();
  }

  bool isGlobal(const Event &access) const {
    return context.trace.objects[static_cast<std::size_t>(access.object)].space ==
           ir::MemorySpace::Global;
  }

  /// Whether an offset holds what came through memory, a collective or a loop.
  bool isPassedOn(Term offset) const {
    std::unordered_map<Term, bool> seen;
    bool found = false;
    forEachAtom(offset, seen,
                [&](Term atom) { found |= pool.symbolOf(atom).kind > SymbolKind::Function; });
    return found;
  }

  /// Whether a parameter multiplies something in an offset.
  bool strided(Term offset) const {
    std::unordered_map<Term, bool> products, below;
    bool found = false;
    const auto visit = [&](auto &self, Term term) -> void {
      if (!products.emplace(term, true).second)
        return;
      if (term->op == Op::Mul)
        forEachAtom(term, below,
                    [&](Term atom) { found |= pool.symbolOf(atom).kind == SymbolKind::Parameter; });
      for (Term child : term->children)
        self(self, child);
    };
    visit(visit, offset);
    return found;
  }

  void report(Both &a, Both &b, const std::vector<Term> &terms, const Scatter &scatter,
              const Decision &conflict) {
    // Whether they differ would be known of places that the same index gives, and of no others.
    const Decision differ = scatter.object.empty() ? differing(a, b, terms, conflict) : conflict;
    const bool sameValue = differ.answer == Answer::Unsat;
    const Event &x = *a.reached->event, &y = *b.reached->event;
    const Severity severity =
        RaceReport(context, shared, [&](const Event &event) { return orders(event); })
            .add({&x, &y, a.offset1, b.offset2, sameValue, conflict.sure,
                  sameValue ? conflict : differ, scatter, unpublished});
    Severity &known = told.try_emplace({x.op, y.op}, severity).first->second;
    known = std::max(known, severity);
  }

  /// Whether all that there can be to say of the two is said already, of other executions of the
  /// same two statements: `most` is how grave a race of them can be.
  bool isTold(const Event &x, const Event &y, Severity most) const {
    const auto found = told.find({x.op, y.op});
    return found != told.end() && found->second >= most;
  }

  void undecided(const Event &x, const Event &y) {
    undecidedObjects.insert(x.object);
    reportUndecided(context, x, y, shared);
  }

  void timeout(const Event &event) {
    if (!timedOut)
      reportOutOfTime(context, event);
    timedOut = true;
  }

  CheckContext &context;
  TermPool &pool;
  Uniform shared;
  const bool orderedUnseen; ///< perhaps, by what is not modelled
  std::set<std::pair<const Event *, const Event *>> settled;
  std::map<std::pair<mlir::Operation *, mlir::Operation *>, Severity> told; ///< of races
  std::set<std::int64_t> undecidedScatters; ///< objects written through indices nobody understands
  std::set<std::int64_t> undecidedObjects;  ///< more pairs on them are not worth more queries
  Counters atStart;         ///< of the loops around the start of the interval being checked
  Term bothStart = nullptr; ///< of the interval being checked
  const Event *unpublished = nullptr; ///< of the pair being reported
  bool timedOut = false;
};

} // namespace

void checkRaces(CheckContext &context) {
  ScopeCheck(context, Uniform::Warp).run();
  if (!constantOf(context.coordinates.warp))
    ScopeCheck(context, Uniform::Block).run();
  bool oneBlock = true;
  for (Term extent : context.coordinates.gdim)
    oneBlock &= constantOf(extent) == 1;
  if (!oneBlock && !planted(Bug::blockIndex))
    ScopeCheck(context, Uniform::Grid).run();
}

} // namespace warpdrf::contract
