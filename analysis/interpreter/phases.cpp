// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in memory (`cuda::barrier`): a phase is over when as many threads have arrived as the
// barrier is for; who waits for its end knows what all of them knew when they arrived.
#include "analysis/interpreter/machine.h"

#include <cstring>

namespace warpdrf::interpreter {

/// Adds to what an arrival releases the thread's copies that complete on the barrier. False when
/// others are under way that are older: times tell no subset of a thread's copies.
bool Machine::releaseCopies(Thread &thread, std::uint64_t barrier, Clock &clock) {
  const auto mine = thread.boundCopies.find(barrier);
  if (mine == thread.boundCopies.end())
    return true;
  const std::uint32_t until = mine->second;
  std::uint32_t &known = clock.home->at[threadsPerBlock + thread.index];
  const auto overtaken = [&](std::uint32_t time) { return known < time && time < until; };
  bool alone = !overtaken(thread.freeCopy);
  for (const auto &[other, time] : thread.boundCopies)
    alone &= other == barrier || !overtaken(time);
  known = std::max(known, until);
  thread.boundCopies.erase(mine);
  return alone;
}

void Machine::arrive(Block &block, Thread &thread, const Instruction &instruction) {
  const std::uint64_t address = thread.registers[instruction.a];
  const std::uint8_t *at =
      resolve(block, thread, address, 8, thread.pc, AccessKind::Atomic, /*narrow=*/true);
  if (!at)
    return;
  std::uint64_t wanted = 0;
  std::memcpy(&wanted, at, sizeof wanted);
  PhaseBarrier &barrier = block.phases[address];
  ClockRef clock = writable(thread.known);
  clock->home->at[thread.index] = thread.now++;
  if (!releaseCopies(thread, address, *clock))
    return end(Ending::Unsupported,
               "unsupported: asynchronous copies that overtake others of their thread", thread.pc);
  barrier.arriving = barrier.arriving ? join(barrier.arriving, clock, block.index, agents) : clock;
  thread.registers[instruction.dst] = barrier.phase;
  if (++barrier.arrived >= wanted)
    endPhase(block, address, barrier);
}

void Machine::endPhase(Block &block, std::uint64_t address, PhaseBarrier &barrier) {
  barrier.released = std::move(barrier.arriving);
  barrier.arriving.reset();
  barrier.arrived = 0;
  ++barrier.phase;
  for (Thread &thread : block.threads)
    if (thread.wait == Wait::Phase && thread.awaits == address) {
      thread.known = join(thread.known, barrier.released, block.index, agents);
      goOn(thread);
    }
}

void Machine::await(Block &block, Thread &thread, const Instruction &instruction) {
  const std::uint64_t address = thread.registers[instruction.a],
                      phase = thread.registers[instruction.b];
  if (!resolve(block, thread, address, 8, thread.pc, AccessKind::Atomic, /*narrow=*/true))
    return;
  const PhaseBarrier &barrier = block.phases[address];
  if (phase + 1 < barrier.phase || phase > barrier.phase)
    return end(Ending::Deadlock,
               "deadlock: " + describe(block.index, thread.index) +
                   " waits for a phase that is none of the barrier's last two",
               thread.pc);
  if (phase < barrier.phase) {
    thread.known = join(thread.known, barrier.released, block.index, agents);
    return;
  }
  thread.wait = Wait::Phase;
  thread.awaits = address;
}

/// A fault for every call at which threads wait in vain.
void Machine::noteIncompletePhases(const Block &block) {
  for (const Thread &thread : block.threads)
    if (thread.wait == Wait::Phase)
      fault("divergent-barrier",
            "barrier in memory: " + std::to_string(block.phases.at(thread.awaits).arrived) +
                " threads arrive, and no more come",
            thread.pc, block, thread, std::nullopt);
}

} // namespace warpdrf::interpreter
