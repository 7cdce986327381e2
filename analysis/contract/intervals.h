// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barrier intervals: from a barrier instance that two threads have just left together (or the
// kernel's entry), which accesses can each of them reach without crossing another counting barrier?
// The walk goes along back edges of loops, out of loops and into the code after.
//
// Loops around the start share their counter k between the two threads; behind a back edge it is k
// + 1, or k + δ where a whole iteration can avoid all barriers. Loops entered on the way have a
// counter of their own.
#pragma once

#include "analysis/contract/pair.h"

namespace warpdrf::contract {

/// An access reachable within an interval.
struct Reached {
  const Event *event;
  Counters counters;            ///< of the loops around the start and of first iterations
  std::vector<Term> conditions; ///< that no barrier was crossed on the way
  std::vector<std::pair<const Event *, Counters>> crossed; ///< barriers that order only some pairs
  std::set<unsigned> awaited; ///< arrivals before the interval whose phase it waited for the end of
};

struct BarrierInterval {
  const Event *start; ///< null: the kernel's entry
  std::vector<Reached> reached;
};

/// How a barrier orders two threads in the relation at hand. An arrival at a barrier in memory only
/// begins an interval, which the wait for a later phase ends: between two of them every access of
/// one thread is unordered with every one of another.
enum class Orders { Nobody, Begins, Some, Everybody };

class IntervalWalk {
public:
  /// `orders` says for barriers and warp barriers what they order; it is asked for every event.
  /// `outOfTime` is asked now and then.
  IntervalWalk(TermPool &pool, const Trace &trace, std::function<Orders(const Event &)> orders,
               std::function<bool()> outOfTime);

  /// One interval for the entry and one for every barrier that orders anybody. Once the time is up,
  /// the rest is missing.
  std::vector<BarrierInterval> all();

private:
  struct Context {
    Counters counters;
    std::vector<Term> known; ///< path terms that hold for sure
    std::vector<Term> conditions;
    std::vector<std::pair<const Event *, Counters>> crossed;
    std::set<unsigned> arrivals; ///< on the way
    std::set<unsigned> awaited;
  };
  BarrierInterval from(const Event *start);
  bool walk(const Sequence &sequence, std::size_t begin, Context &context);
  bool pass(const Event &barrier, Context &context);
  bool await(const Event &event, Context &context);
  bool enter(Loop &loop, Context &context);
  void record(const Event &event, const Context &context);
  bool holdsBarrier(const Loop &loop);
  void index(const Sequence &sequence, Loop *loop);
  Term freshCount(const Loop &loop, std::int64_t least);
  Term inRange(const Loop &loop, Term count);
  Term avoids(const Event &barrier, const Context &context);
  Term metSince(const Context &context, const Context &further);
  Term avoidsBarriers(const Loop &loop, Term count, Context context);
  bool stopped();

  TermPool &pool;
  const Trace &trace;
  std::function<Orders(const Event &)> orders;
  std::function<bool()> outOfTime;
  std::size_t steps = 0;
  std::map<const Event *, std::size_t> positions;
  std::map<const Loop *, std::size_t> loopPositions;
  std::map<const Loop *, bool> withBarrier;
  BarrierInterval *current = nullptr;
};

} // namespace warpdrf::contract
