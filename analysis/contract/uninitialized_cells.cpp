// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uninitialized-shared, cell by cell: some thread reads a shared cell that no thread can have
// written before. "No thread" is a question about all of them, so threads are enumerated, where the
// block is known, and so are the iterations of loops whose number is known. What stays open counts
// as a write: a write at an offset or under a condition that nobody knows, a write that a loop may
// bring round, a race with the read. Only a read that is left over is asked about.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

/// Executions of accesses by single threads that are looked at before giving up.
constexpr std::size_t kMaxInstances = 20000;
constexpr std::int64_t kMaxTrips = 256;
constexpr int kMaxQuestions = 4; ///< per read

class Cells {
public:
  explicit Cells(CheckContext &context) : context(context), pool(context.pool) {}

  void run() {
    if (!enumerateThreads())
      return;
    std::set<std::int64_t> done;
    for (const Event &event : context.trace.events)
      if (event.isAccess() && readsFirst(event) && isShared(event) &&
          done.insert(event.object).second)
        checkObject(event.object);
  }

private:
  struct Thread {
    std::map<Term, std::int64_t> coordinates;
    std::unordered_map<Term, Term> memo;
  };
  /// An execution of a write by one thread; `runs` is null where its condition stays open.
  struct Write {
    const Event *event;
    Term runs;
    const Thread *only; ///< the thread, if no other writes there like this
  };

  bool isShared(const Event &event) const {
    return context.trace.objects[static_cast<std::size_t>(event.object)].space ==
           ir::MemorySpace::Shared;
  }

  /// Every launched thread, by the atoms its index is made of; false where the block is not known.
  bool enumerateThreads() {
    const Coordinates &c = context.coordinates;
    for (Term extent : c.bdim)
      if (!constantOf(extent))
        return false;
    std::vector<Term> atoms; // in an order that does not vary
    std::unordered_map<Term, bool> seen;
    for (Term index : c.tid)
      forEachAtom(index, seen, [&](Term atom) { atoms.push_back(atom); });
    threads.emplace_back();
    for (Term atom : atoms) {
      std::vector<Thread> more;
      for (const Thread &thread : threads)
        for (std::int64_t i = atom->range.lo; i <= atom->range.hi; ++i) {
          more.push_back(thread);
          more.back().coordinates[atom] = i;
        }
      threads = std::move(more);
    }
    facts = pool.conj(c.facts);
    std::erase_if(threads, [&](Thread &t) { return pool.isFalse(ground(facts, t)); });
    return true;
  }

  Term ground(Term term, Thread &thread) {
    return pool.rewrite(term, thread.memo, [&](Term atom, std::span<const Term>) -> Term {
      auto found = thread.coordinates.find(atom);
      return found == thread.coordinates.end() ? nullptr : pool.integer(found->second);
    });
  }

  /// How many iterations a thread runs: up to the first one that is impossible.
  std::optional<std::int64_t> tripsOf(const Loop &loop, Thread &thread, Counters counters) {
    if (endless.contains(&loop))
      return std::nullopt;
    Term runs = ground(pool.conj(loop.path), thread);
    for (std::int64_t k = 0; k <= kMaxTrips; ++k) {
      counters[static_cast<unsigned>(loop.counter->value)] = pool.integer(k);
      if (pool.isFalse(withCounters(pool, runs, counters)))
        return k;
    }
    endless.insert(&loop);
    return std::nullopt;
  }

  /// Calls `visit` with the condition and the place of every execution of the event by a thread
  /// that is possible, and whether it is in the first iteration of all loops around it. A loop with
  /// an unknown number of iterations keeps its counter, or is in the first one.
  template <typename Visit>
  void forInstances(const Event &event, Thread &thread, bool firstOnly, const Visit &visit) {
    Term path = ground(pool.conj(event.path), thread), offset = ground(event.offset, thread);
    if (pool.isFalse(path))
      return;
    std::vector<Counters> all{{}};
    for (const Loop *loop : event.loops) {
      auto counter = static_cast<unsigned>(loop->counter->value);
      std::vector<Counters> next;
      for (Counters &counters : all) {
        auto trips = tripsOf(*loop, thread, counters);
        for (std::int64_t k = 0; k < trips.value_or(1); ++k) {
          next.push_back(counters);
          if (trips || firstOnly)
            next.back()[counter] = pool.integer(k);
        }
      }
      all = std::move(next);
    }
    for (const Counters &counters : all) {
      ++instances;
      Term here = withCounters(pool, path, counters);
      const bool first = std::ranges::all_of(
          counters, [](const auto &counter) { return constantOf(counter.second) == 0; });
      if (!pool.isFalse(here) && !visit(here, withCounters(pool, offset, counters),
                                        first && counters.size() == event.loops.size()))
        return;
    }
  }

  /// A condition that is about this thread's private values, or about some iteration.
  bool isOpen(Term condition) {
    bool counts = condition->uniform < Uniform::Block;
    std::unordered_map<Term, bool> seen;
    forEachAtom(condition, seen,
                [&](Term atom) { counts |= pool.symbolOf(atom).kind == SymbolKind::Counter; });
    return counts;
  }

  void checkObject(std::int64_t object) {
    writes.clear();
    anywhere.clear();
    widest = 0;
    bool any = false;
    for (const Event &event : context.trace.events)
      if (event.writes() && event.object == object && !readsFirst(event)) {
        noteWrites(event);
        any = true;
      }
    if (!any)
      return; // uninitialized.cpp tells that
    for (const Event &event : context.trace.events)
      if (event.isAccess() && event.object == object && readsFirst(event) && checkRead(event))
        return;
  }

  void noteWrites(const Event &event) {
    widest = std::max(widest, event.size);
    for (Thread &thread : threads) {
      bool known = instances < kMaxInstances;
      if (known)
        forInstances(event, thread, false, [&](Term runs, Term offset, bool) {
          auto at = constantOf(offset);
          known = at.has_value();
          if (!known)
            return false;
          Write write{&event, isOpen(runs) ? nullptr : runs, &thread};
          auto &here = writes[*at];
          auto same = std::ranges::find_if(here, [&](const Write &each) {
            return each.event == write.event && each.runs == write.runs;
          });
          if (same == here.end())
            here.push_back(write);
          else if (same->only != &thread)
            same->only = nullptr;
          return true;
        });
      if (!known) {
        anywhere.push_back(&event);
        return;
      }
    }
  }

  /// True when it has been reported.
  bool checkRead(const Event &read) {
    bool before = false;
    for (const Event &event : context.trace.events)
      before |= event.writes() && event.object == read.object && !readsFirst(event) &&
                mayComeBefore(event, read);
    if (!before)
      return false;
    for (const Event *write : anywhere)
      if (mayComeBefore(*write, read))
        return false;
    bool reported = false;
    int questions = 0;
    for (Thread &thread : threads) {
      if (reported || questions >= kMaxQuestions || instances >= kMaxInstances ||
          context.decider.outOfTime())
        break;
      forInstances(read, thread, true, [&](Term runs, Term offset, bool first) {
        auto at = constantOf(offset);
        Term fault = !at || isOpen(runs)
                         ? pool.boolean(false)
                         : pool.conj(runs, unwritten(read, *at, first ? &thread : nullptr));
        if (pool.isFalse(fault))
          return true;
        ++questions;
        const Decision decision = ask(pool.conj(fault, ground(facts, thread)));
        reported = decision.answer == Answer::Sat && decision.sure;
        if (reported)
          report(read, thread, *at, decision);
        return !reported && questions < kMaxQuestions;
      });
    }
    return reported;
  }

  /// Whether a write of the reader's own comes after a read in the first iteration of all loops
  /// around it: later in that iteration, or in another one.
  bool comesLater(const Write &write, const Event &read, Thread &reader) {
    Counters first;
    for (const Loop *loop : read.loops)
      first[static_cast<unsigned>(loop->counter->value)] = pool.integer(0);
    const bool around = std::ranges::all_of(write.event->loops, [&](const Loop *loop) {
      return first.contains(static_cast<unsigned>(loop->counter->value));
    });
    if (write.only != &reader || !around)
      return false;
    return write.event->index > read.index ||
           pool.isFalse(withCounters(pool, ground(pool.conj(write.event->path), reader), first));
  }

  /// The condition under which no write before the read touches any byte of it. With a `reader`, it
  /// is in its first iterations.
  Term unwritten(const Event &read, std::int64_t at, Thread *reader) {
    Term nobody = pool.boolean(true);
    for (auto it = writes.lower_bound(at - widest + 1);
         it != writes.end() && it->first < at + read.size; ++it)
      for (const Write &write : it->second)
        if (it->first + write.event->size > at && mayComeBefore(*write.event, read) &&
            !(reader && comesLater(write, read, *reader)))
          nobody = write.runs ? pool.conj(nobody, pool.negate(write.runs)) : pool.boolean(false);
    return nobody;
  }

  Decision ask(Term fault) {
    Side side(pool, context.trace, 1, Uniform::Block, {});
    return context.decider.satisfiable({fault, assumedFacts(context, side)}, Uniform::Block);
  }

  void report(const Event &read, Thread &thread, std::int64_t at, const Decision &decision) {
    const Object &object = context.trace.objects[static_cast<std::size_t>(read.object)];
    std::string cell =
        object.size == read.size ? object.name : indexText(context, read, pool.integer(at), {});
    std::string index;
    for (Term axis : context.coordinates.tid)
      index += (index.empty() ? "(" : ",") +
               std::to_string(constantOf(ground(axis, thread)).value_or(0));
    reportUninitialized(
        context, read,
        "thread " + index + ") may read '" + cell + "' before anything is written to it", decision);
  }

  CheckContext &context;
  TermPool &pool;
  Term facts = nullptr;
  std::vector<Thread> threads;
  std::map<std::int64_t, std::vector<Write>> writes; ///< of the object at hand, by first byte
  std::vector<const Event *> anywhere;               ///< its writes at offsets that stay open
  std::set<const Loop *> endless;                    ///< loops that nothing known ends
  std::int64_t widest = 0;                           ///< bytes of its widest write
  std::size_t instances = 0;
};

} // namespace

void checkUninitializedCells(CheckContext &context) {
  if (context.trace.unsupported.empty() && !context.trace.incomplete)
    Cells(context).run();
}

} // namespace warpdrf::contract
