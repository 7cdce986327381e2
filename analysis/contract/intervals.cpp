// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/intervals.h"

#include "analysis/contract/planted.h"
#include <algorithm>

namespace warpdrf::contract {

IntervalWalk::IntervalWalk(TermPool &pool, const Trace &trace,
                           std::function<Orders(const Event &)> orders,
                           std::function<bool()> outOfTime)
    : pool(pool), trace(trace), orders(std::move(orders)), outOfTime(std::move(outOfTime)) {
  index(trace.body, nullptr);
}

void IntervalWalk::index(const Sequence &sequence, Loop *loop) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (sequence[i].event) {
      positions[sequence[i].event] = i;
      if (orders(*sequence[i].event) != Orders::Nobody)
        for (const Loop *outer = loop; outer; outer = outer->parent)
          withBarrier[outer] = true;
    } else {
      loopPositions[sequence[i].loop] = i;
      index(sequence[i].loop->body, sequence[i].loop);
    }
  }
}

bool IntervalWalk::holdsBarrier(const Loop &loop) {
  return withBarrier.contains(&loop);
}

/// A thread's own iteration count, at least `least`.
Term IntervalWalk::freshCount(const Loop &loop, std::int64_t least) {
  return pool.atom(pool.addSymbol({SymbolKind::Coordinate,
                                   "later iteration of loop " + std::to_string(loop.id),
                                   Uniform::Thread,
                                   Uniform::Thread,
                                   false,
                                   {least, loop.counter->range.hi}}));
}

/// The test of a loop with a known trip count says nothing of a counter that is known to be below.
Term IntervalWalk::inRange(const Loop &loop, Term count) {
  const std::int64_t last = loop.counter->range.hi;
  return last < kUnbounded ? pool.le(count, pool.integer(last)) : pool.boolean(true);
}

std::vector<BarrierInterval> IntervalWalk::all() {
  std::vector<BarrierInterval> intervals;
  intervals.push_back(from(nullptr));
  for (const auto &[event, position] : positions)
    if (orders(*event) != Orders::Nobody && event->kind != Event::Kind::Await && !outOfTime())
      intervals.push_back(from(event));
  std::sort(intervals.begin(), intervals.end(),
            [](const BarrierInterval &a, const BarrierInterval &b) {
              return (a.start ? static_cast<int>(a.start->index) : -1) <
                     (b.start ? static_cast<int>(b.start->index) : -1);
            });
  return intervals;
}

BarrierInterval IntervalWalk::from(const Event *start) {
  BarrierInterval interval{start, {}};
  current = &interval;
  Context context;
  if (!start) {
    walk(trace.body, 0, context);
    return interval;
  }
  context.known = start->path;
  context.counters = sharedCounters(start->loops);
  std::size_t position = positions.at(start) + 1;
  bool passable = true;
  for (auto it = start->loops.rbegin(); it != start->loops.rend() && passable; ++it) {
    Loop &loop = **it;
    auto counter = static_cast<unsigned>(loop.counter->value);
    passable = walk(loop.body, position, context);
    std::vector<Term> outside(start->path.begin(),
                              start->path.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                        loop.outerPath, start->path.size())));
    if (passable && !planted(Bug::backEdge)) {
      Term leaves = withCounters(pool, loop.leaves, context.counters);
      if (loop.trips)
        leaves = pool.conj(leaves, pool.eq(loop.trips, pool.addConstant(loop.counter, 1)));
      Context next = context; // over the back edge
      next.conditions.push_back(withCounters(pool, loop.again, context.counters));
      next.known = outside;
      next.known.insert(next.known.end(), loop.path.begin(), loop.path.end());
      next.counters[counter] = pool.addConstant(loop.counter, 1);
      const std::vector<Term> inLoop = next.known;
      if (walk(loop.body, 0, next)) { // a whole iteration without a barrier: leave whenever
        context.conditions.push_back(pool.disj(leaves, metSince(context, next)));
        Context further = std::move(next);
        further.known = inLoop;
        further.conditions.push_back(withCounters(pool, loop.again, further.counters));
        Term distance = freshCount(loop, 2), count = pool.add(loop.counter, distance);
        further.counters[counter] = count;
        further.conditions.push_back(inRange(loop, count));
        further.conditions.push_back(
            pool.disj(pool.eq(distance, pool.integer(2)), avoidsBarriers(loop, count, further)));
        walk(loop.body, 0, further);
      } else {
        context.conditions.push_back(leaves);
      }
    }
    context.known = outside; // and out of the loop
    position = loopPositions.at(&loop) + 1;
  }
  if (passable)
    walk(trace.body, position, context);
  return interval;
}

bool IntervalWalk::stopped() {
  return ++steps % 64 == 0 && outOfTime();
}

/// Walks on; false when no path leads to the end without a barrier.
bool IntervalWalk::walk(const Sequence &sequence, std::size_t begin, Context &context) {
  for (std::size_t i = begin; i < sequence.size() && !stopped(); ++i) {
    if (Loop *loop = sequence[i].loop) {
      if (!enter(*loop, context))
        return false;
      continue;
    }
    const Event &event = *sequence[i].event;
    Orders how = orders(event);
    if (how == Orders::Begins)
      context.arrivals.insert(event.index);
    else if (how == Orders::Some)
      context.crossed.emplace_back(&event, context.counters);
    else if (how == Orders::Everybody &&
             !(event.kind == Event::Kind::Await ? await(event, context) : pass(event, context)))
      return false;
    if (event.isAccess() || event.kind == Event::Kind::Exit)
      record(event, context);
  }
  return true;
}

Term IntervalWalk::avoids(const Event &barrier, const Context &context) {
  std::vector<Term> executes;
  for (Term term : barrier.path)
    if (std::find(context.known.begin(), context.known.end(), term) == context.known.end())
      executes.push_back(withCounters(pool, term, context.counters));
  return pool.negate(pool.conj(executes));
}

/// The iteration before the one at `count` met no barrier. Those of inner loops are left open.
Term IntervalWalk::avoidsBarriers(const Loop &loop, Term count, Context context) {
  context.counters[static_cast<unsigned>(loop.counter->value)] = pool.addConstant(count, -1);
  Term all = pool.boolean(true);
  for (const Item &item : loop.body)
    if (item.event && orders(*item.event) == Orders::Everybody)
      all = pool.conj(all, avoids(*item.event, context));
  return all;
}

/// Goes past a barrier without executing it; false when every thread here executes it.
bool IntervalWalk::pass(const Event &barrier, Context &context) {
  Term avoided = avoids(barrier, context);
  if (pool.isFalse(avoided) || planted(Bug::skippedBarrier))
    return false;
  context.conditions.push_back(avoided);
  return true;
}

/// What a way on from `context` has asked for.
Term IntervalWalk::metSince(const Context &context, const Context &further) {
  return pool.conj(std::span(further.conditions).subspan(context.conditions.size()));
}

/// Waits for the end of a phase. One whose arrival lies before the interval does not end it.
bool IntervalWalk::await(const Event &event, Context &context) {
  if (context.arrivals.contains(*event.arrival))
    return pass(event, context);
  context.awaited.insert(*event.arrival);
  return true;
}

bool IntervalWalk::enter(Loop &loop, Context &context) {
  std::vector<Term> outside = context.known;
  context.known.insert(context.known.end(), loop.path.begin(), loop.path.end());
  if (!holdsBarrier(loop)) {
    bool passable = walk(loop.body, 0, context);
    context.known = std::move(outside);
    return passable;
  }
  auto counter = static_cast<unsigned>(loop.counter->value);
  Context first = context;
  first.counters[counter] = pool.integer(0);
  bool passable = walk(loop.body, 0, first);
  if (passable && !planted(Bug::firstIteration)) {
    Context later = first;
    later.conditions.push_back(withCounters(pool, loop.again, first.counters));
    Term count = freshCount(loop, 1);
    later.counters[counter] = count;
    later.known = context.known;
    later.conditions.push_back(
        pool.disj(pool.eq(count, pool.integer(1)), avoidsBarriers(loop, count, later)));
    walk(loop.body, 0, later);
  }
  context.known = std::move(outside);
  Term skipped = pool.negate(withCounters(pool, loop.enters, context.counters));
  if (passable) {
    context.conditions.push_back(pool.disj(skipped, metSince(context, first)));
    return true;
  }
  if (pool.isFalse(skipped))
    return false;
  context.conditions.push_back(skipped);
  return true;
}

void IntervalWalk::record(const Event &event, const Context &context) {
  // Quick refusal: the access runs only where a barrier on the way was executed.
  std::vector<Term> path;
  for (Term term : event.path)
    path.push_back(withCounters(pool, term, context.counters));
  Term runs = pool.conj(path);
  for (Term condition : context.conditions)
    if (pool.isFalse(pool.conj(runs, condition)))
      return;
  for (Term condition : context.conditions)
    if (condition->op == Op::Or) {
      bool possible = false;
      for (Term option : condition->children)
        possible |= !pool.isFalse(pool.conj(runs, option));
      if (!possible)
        return;
    }
  current->reached.push_back(
      {&event, context.counters, context.conditions, context.crossed, context.awaited});
}

} // namespace warpdrf::contract
