// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread does, symbolically: a tree of sequences whose items are events (accesses,
// primitives, barriers, fences) and loops. Branches leave no node: every event carries its full
// path condition. Loops that were unrolled leave no node either. Terms in an event are functions of
// the counters of the loops around it.
#pragma once

#include "analysis/contract/term.h"
#include "analysis/ir/dialect.h"
#include "analysis/report/report.h"

#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpdrf::contract {

struct Object {
  ir::MemorySpace space;
  std::string name;      ///< as the user wrote it
  std::int64_t size = 0; ///< bytes, 0 when not known
  bool written = false;  ///< some event writes it
};

struct Loop;

struct Event {
  enum class Kind {
    Read,
    Write,
    Atomic,
    AsyncWrite,
    Fence,
    Primitive,
    Barrier,
    Arrive, ///< at a barrier in memory
    Await,  ///< the end of a phase of one
    Exit
  };
  Kind kind = Kind::Read;
  unsigned index = 0;            ///< position in Trace::events, which is program order
  mlir::Operation *op = nullptr; ///< the dialect op this is an execution of
  std::vector<Term> path;        ///< conjunction, outermost condition first
  std::vector<Loop *> loops;     ///< around it, outermost first
  Range range;
  std::vector<Range> calls; ///< call sites, outermost first
  /// Trace::exits that lie before it in program order, or in another arm of a branch around it.
  std::vector<unsigned> exits;
  unsigned left = 0; ///< of an exit: which of Trace::exits it is

  // Accesses.
  std::int64_t object = -1;
  Term offset = nullptr; ///< bytes
  std::int64_t size = 0; ///< bytes
  /// That subscripts of arrays inside of another object are in bounds, here and in what the thread
  /// executes before. Only what the host or the data decides.
  std::vector<Term> within;
  Term value = nullptr; ///< written value, where one is known; of a counting barrier the predicate
  bool byWarp = false;  ///< one access by the whole warp (matrix operations): lane unspecified
  ir::SyncScope scope = ir::SyncScope::Thread; ///< of atomics, fences and barriers

  /// Index of the arrival in whose phase an asynchronous write completes that is still under way,
  /// or whose phase an `Await` waits for.
  std::optional<unsigned> arrival;

  // Primitives and barriers.
  std::string name;       ///< source spelling
  Term mask = nullptr;    ///< null: the whole warp
  Term operand = nullptr; ///< value exchanged, or predicate
  Term source = nullptr;  ///< shuffles: the lane this one reads from, when it is known
  Term result = nullptr;  ///< what the primitive gives, when it gives a value
  Term count = nullptr;   ///< of a named barrier: for how many threads it is; null: for all

  bool isAccess() const {
    return kind == Kind::Read || kind == Kind::Write || kind == Kind::Atomic ||
           kind == Kind::AsyncWrite;
  }
  bool writes() const { return isAccess() && kind != Kind::Read; }
  bool isWarpBarrier() const {
    auto primitive = llvm::dyn_cast<ir::PrimitiveOp>(op);
    return kind == Kind::Primitive && primitive &&
           primitive.getKind() == ir::PrimitiveKind::SyncWarp;
  }
  bool isNamedBarrier() const { // `bar.sync id, count`
    auto barrier = llvm::dyn_cast<ir::BarrierOp>(op);
    return barrier && barrier.isNamed();
  }
  bool onlyReleases() const { // `bar.arrive`: what follows it waits for nobody
    auto barrier = llvm::dyn_cast<ir::BarrierOp>(op);
    return barrier && barrier.getArrive();
  }
};

/// Either an event or a loop.
struct Item {
  Event *event = nullptr;
  Loop *loop = nullptr;
};
using Sequence = std::vector<Item>;

struct Loop {
  unsigned id = 0;
  Loop *parent = nullptr;
  Term counter = nullptr; ///< 0 in the first iteration
  Sequence body;
  std::vector<Term> path; ///< of every iteration's body, including the test and "still in the loop"
  std::size_t outerPath = 0; ///< how many terms of `path` hold already outside the loop
  Term enters = nullptr;     ///< the condition of running a first iteration
  Term again = nullptr;      ///< of going over the back edge at the end of an iteration
  Term leaves = nullptr;     ///< of leaving the loop in or right after an iteration
  Term trips = nullptr;      ///< how many iterations a thread runs; null: left in the middle of one
  Range range;
  Uniform exit = Uniform::Grid; ///< over which threads leave in the same iteration
};

/// A place where threads leave the kernel.
struct Exit {
  Term condition = nullptr; ///< path condition of leaving here
  Range range;
};

/// A loop-carried value: `next` (over the counter) is what the following iteration starts with.
struct Carried {
  unsigned symbol;
  Term next;
  unsigned counter;   ///< symbol of the loop's counter
  bool grows = false; ///< `next` minus the value is known to be >= 0
};

/// The result of an atomic addition: ranges [result, result + amount) of different executions on
/// one place are disjoint, as long as nothing else writes it in between.
struct Ticket {
  std::int64_t object;
  Term offset, amount;
  std::vector<Term> counters; ///< in the order of the result's arguments
};

/// What a read of a shared place gives when one thread wrote it before the last barrier.
struct Forward {
  Term value;
  std::vector<Term> path; ///< of the write; fixes the writing thread
  std::vector<Term> counters;
};

/// An access to what the same thread's asynchronous copy, not waited for yet, writes.
struct OwnCopy {
  unsigned access; ///< index of the event
  Term offset;     ///< of the copy
  std::int64_t size;
  std::vector<Term> path;
  Range range;
};

struct Ballot {
  Term predicate; ///< over the counters of the ballot
  std::vector<Term> path;
  std::vector<Term>
      counters; ///< atoms of the loops around it, in the order of the result's arguments
};

/// The mask of a group of lanes that a run forms: of those that a whole warp's __match_any_sync
/// finds with the caller's key, of those of them that a mask names, or of some that execute
/// `coalesced_threads()` together.
struct Match {
  Term key;                   ///< null: whoever is there
  std::vector<Term> counters; ///< in the order of the result's arguments
  Term mask = nullptr;        ///< the lanes that were asked; null: all that have come
  std::vector<Term> path;     ///< of who may be in it, where that is not the whole warp
};

/// What all lanes of a group get alike from a primitive, perhaps the range that one of them took.
struct GroupTicket {
  Term mask, ticket;          ///< the group; the result of the atomic addition, or null
  std::vector<Term> counters; ///< in the order of the arguments
};

/// What went into the value of an atom that does not show it: a step of a reduction by xor
/// shuffles, a value that a loop carries, or that it leaves behind.
struct Inflow {
  std::vector<Term> before;  ///< in any case
  std::vector<Term> carried; ///< from another iteration, over the loop's counter
  Term counter = nullptr;
};

struct Trace {
  /// The loop that a counter counts; null if there is none.
  const Loop *loopOf(unsigned counter) const {
    for (const Loop &loop : loops)
      if (loop.counter && static_cast<unsigned>(loop.counter->value) == counter)
        return &loop;
    return nullptr;
  }

  Sequence body;
  std::deque<Event> events;
  std::deque<Loop> loops;
  std::deque<Object> objects;
  std::vector<Exit> exits;
  std::map<std::string, Term> scalars; ///< the parameters that are numbers
  /// Pointer parameters that are null or point into another's array, as `warpdrf run --arg` takes
  /// them.
  std::map<std::string, std::string> pointers;
  std::vector<Term> facts;             ///< what the user says of the arguments
  std::map<unsigned, Carried> carried; ///< by symbol
  std::map<unsigned, Ballot> ballots;  ///< by symbol of the result
  std::map<unsigned, Match> matches;   ///< by symbol of the result
  /// Steps of a reduction by xor shuffles: the two operands of a result that has a term of its own.
  std::map<Term, std::array<Term, 2>> reductions;
  std::map<unsigned, Inflow> inflows;           ///< by symbol
  std::map<unsigned, Ticket> tickets;           ///< by symbol of the result
  std::map<unsigned, GroupTicket> groupTickets; ///< by symbol of the result
  std::map<unsigned, Forward> forwards;         ///< by symbol of the value read
  std::vector<OwnCopy> ownCopies;
  std::map<unsigned, unsigned> phases; ///< arrivals' events by the symbol of the phase
  std::set<unsigned> ranks; ///< symbols rank(ballot, lane, vote): set bits below the lane
  std::vector<std::pair<unsigned, Range>> snapshots; ///< symbols of __activemask() results
  std::vector<Term> extents;                         ///< parameters that bound loops or size things
  std::vector<std::pair<std::string, Range>> unsupported;
  bool incomplete = false; ///< the budget ended the execution
};

} // namespace warpdrf::contract
