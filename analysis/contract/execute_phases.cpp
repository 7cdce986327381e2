// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in memory that every thread of the block arrives at once in a phase (`cuda::barrier`).
// What is done before the arrivals of a phase happens before what is done behind a wait for its
// end; between its own arrival and wait a thread is ordered with nobody.
#include "analysis/contract/executor.h"

#include <algorithm>

namespace warpdrf::contract {

/// Whether all that anybody has stored there is the number of the block's threads.
bool Executor::isForWholeBlock(const Pointee &barrier) {
  const auto &extents = execution.coordinates.bdim;
  Term threads = pool.mul(pool.mul(extents[0], extents[1]), extents[2]);
  bool isSet = false;
  for (const Event &event : trace->events)
    if (event.kind == Event::Kind::Write && event.object == barrier.object) {
      isSet = true;
      if (event.value != threads)
        return false;
    }
  return isSet;
}

void Executor::runArrive(ir::ArriveOp op) {
  const std::vector<Pointee> places = resolve(value(op.getAddress()), op);
  if (places.size() != 1)
    return unsupported("arrival at one of several barriers", op);
  const Pointee &place = places.front();
  if (!isForWholeBlock(place))
    return unsupported("cuda::barrier that is not for all threads of a block", op);
  // Who sets it up does so with plain stores.
  accessEvent(Event::Kind::Atomic, place, 8, op).scope = ir::SyncScope::Block;
  bumpVersions(false);
  Event &event = emit(Event::Kind::Arrive, op);
  event.name = op.getName().str();
  event.scope = ir::SyncScope::Block;
  event.object = place.object;
  event.offset = place.offset;
  const unsigned arrival = event.index;
  // What completes in this phase is not under way behind its end.
  std::vector<State::Pending> completing;
  for (State::Pending &copy : state.pending)
    if (!copy.arrival && copy.barrier == std::pair(place.object, place.offset)) {
      copy.arrival = arrival;
      completing.push_back(copy);
    }
  std::erase_if(state.pending, [&](const auto &copy) { return copy.arrival == arrival; });
  reissuePending();
  state.pending.insert(state.pending.end(), completing.begin(), completing.end());
  Term phase = keyedAtom(op, 31,
                         {SymbolKind::Unknown,
                          "the phase of a barrier",
                          Uniform::Thread,
                          Uniform::Thread,
                          false,
                          {-kUnbounded, kUnbounded}});
  trace->phases[static_cast<unsigned>(phase->value)] = arrival;
  define(op.getPhase(), phase);
}

/// The arrival that gave a phase, made in this iteration of the loops around it; null if that is
/// not known.
const Event *Executor::arrivalOf(Term phase) const {
  if (phase->op != Op::Atom)
    return nullptr;
  const auto found = trace->phases.find(static_cast<unsigned>(phase->value));
  if (found == trace->phases.end())
    return nullptr;
  const Event &event = trace->events[found->second];
  bool here = event.loops.size() <= loops.size() && event.loops.size() == phase->children.size();
  for (std::size_t i = 0; here && i < event.loops.size(); ++i)
    here = event.loops[i] == loops[i] && phase->children[i] == loops[i]->counter;
  return here ? &event : nullptr;
}

void Executor::runAwait(ir::AwaitOp op) {
  const std::vector<Pointee> places = resolve(value(op.getAddress()), op);
  const Event *arrival = arrivalOf(value(op.getPhase()));
  if (!arrival || places.size() != 1 ||
      (places[0].object == arrival->object && places[0].offset != arrival->offset))
    return unsupported("a wait for a phase of a cuda::barrier that is not known", op);
  accessEvent(Event::Kind::Atomic, places[0], 8, op).scope = ir::SyncScope::Block;
  if (places[0].object != arrival->object)
    return; // another barrier's token is a promise of nothing
  const unsigned index = arrival->index;
  std::erase_if(state.pending, [&](const State::Pending &copy) { return copy.arrival == index; });
  bumpVersions(true);
  Event &event = emit(Event::Kind::Await, op);
  event.name = op.getName().str();
  event.scope = ir::SyncScope::Block;
  event.arrival = index;
}

/// Threads may arrive at one barrier in different branches; who arrives where is not followed.
void Executor::noteDividedArrivals() {
  const auto conditionOf = [&](const Event &event) { return pool.conj(event.path); };
  for (const Event &event : trace->events) {
    if (event.kind != Event::Kind::Arrive || conditionOf(event)->uniform >= Uniform::Block)
      continue;
    const bool divided = std::ranges::any_of(trace->events, [&](const Event &other) {
      return other.kind == Event::Kind::Arrive && other.object == event.object &&
             other.op != event.op &&
             pool.isFalse(pool.conj(conditionOf(event), conditionOf(other)));
    });
    if (divided)
      trace->unsupported.emplace_back("arrivals at a cuda::barrier in different branches",
                                      event.range);
  }
}

} // namespace warpdrf::contract
