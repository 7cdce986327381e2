// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens when an instance of a primitive or barrier is released: its participants are split
// by mask, judged and recorded, their clocks meet if it orders memory, results are computed.
#include "analysis/interpreter/machine.h"
#include "analysis/ir/dialect.h"

#include <algorithm>
#include <map>

namespace warpdrf::interpreter {

static bool isSyncWarp(const PrimitiveInfo &info) {
  return !info.activeMask && info.kind == static_cast<std::uint8_t>(ir::PrimitiveKind::SyncWarp);
}

void Machine::releasePrimitive(Block &block, std::uint32_t warp, Thread &leader,
                               const std::vector<Thread *> &group) {
  const PrimitiveInfo &info = code.primitives[code.instructions[leader.pc].a];
  std::vector<Thread *> members = waiting(group, leader);
  const Lanes lanes = lanesOf(members);
  if (info.activeMask) {
    const auto mask = static_cast<std::uint32_t>(lanes.to_ullong() & 0xffffffffu);
    for (Thread *thread : members) {
      setResult(*thread, info, 0, mask, false);
      goOn(*thread);
    }
    return;
  }
  if (!info.mask) {
    if (isSyncWarp(info))
      joinArms(group, ~std::uint32_t{0}, members);
    return releaseClass(block, warp, members, lanes, info, std::nullopt);
  }
  std::map<std::uint32_t, std::vector<Thread *>> classes;
  for (Thread *thread : members) {
    if (tainting && thread->taint[info.mask])
      undefinedUse(block, *thread, "a mask");
    classes[static_cast<std::uint32_t>(thread->registers[info.mask])].push_back(thread);
  }
  for (auto &[mask, each] : classes) {
    if (isSyncWarp(info))
      joinArms(group, mask, each);
    releaseClass(block, warp, each, lanes, info, mask);
  }
}

/// `__syncwarp` in both arms of a branch with one mask that the arms cover together is one
/// instance (CONTRACT 2.3): adds the lanes of the other arms if nobody is missing then.
void Machine::joinArms(const std::vector<Thread *> &group, std::uint32_t mask,
                       std::vector<Thread *> &members) const {
  const Lanes named = masked(mask);
  std::vector<Thread *> together = members;
  for (Thread *thread : group) {
    if (!named[laneOf(*thread)] || std::ranges::find(members, thread) != members.end())
      continue;
    if (thread->wait != Wait::Primitive)
      return;
    const PrimitiveInfo &other = code.primitives[code.instructions[thread->pc].a];
    // No mask means all lanes.
    const std::uint64_t passed =
        other.mask ? thread->registers[other.mask] : std::uint64_t{~std::uint32_t{0}};
    if (!isSyncWarp(other) || passed != mask ||
        relate(code, standing(*thread), standing(*members.front())) != Relation::Excluded)
      return;
    together.push_back(thread);
  }
  std::ranges::sort(together, {}, &Thread::index);
  members = std::move(together);
}

void Machine::releaseClass(Block &block, std::uint32_t warp, std::vector<Thread *> members,
                           const Lanes &sameInstance, const PrimitiveInfo &info,
                           std::optional<std::uint32_t> mask) {
  const Lanes lanes = lanesOf(members), all = launched(warp);
  Thread &leader = *members.front();
  Instance instance;
  instance.block = block.index;
  instance.warp = warp;
  instance.participants = lanes;
  instance.mask = mask;
  std::optional<std::size_t> recorded =
      record(block, leader, info.site, std::move(instance), members, lanes == all);
  judge(block, warp, members, sameInstance, mask, info, recorded);
  if (info.address)
    matrixAccess(block, members, info);
  else
    compute(block, members, info);
  if (isSyncWarp(info))
    meet(block, members);
  for (Thread *thread : members)
    goOn(*thread);
}

/// Fences are cumulative: what one member has made visible, the atomic of another may publish.
void Machine::shareFences(Block &block, const std::vector<Thread *> &members) {
  for (ClockRef Thread::*fenced : {&Thread::fencedBlock, &Thread::fencedGrid}) {
    ClockRef all;
    const Clock *last = nullptr;
    for (Thread *thread : members)
      if (const ClockRef &own = thread->*fenced; own && own.get() != last) {
        last = own.get();
        all = all ? join(all, own, block.index, agents) : own;
      }
    if (all)
      for (Thread *thread : members)
        thread->*fenced = all;
  }
}

void Machine::meet(Block &block, const std::vector<Thread *> &members) {
  if (!launch.detectRaces)
    return;
  shareFences(block, members);
  ClockRef known = members.front()->known, acquired = members.front()->acquired;
  const Clock *last = known.get();
  for (Thread *thread : members) {
    if (thread->known.get() != last) {
      last = thread->known.get();
      known = join(known, thread->known, block.index, agents);
    }
    if (thread->acquired && thread->acquired != acquired)
      acquired = join(acquired, thread->acquired, block.index, agents);
  }
  known = writable(known);
  std::vector<std::uint32_t> &home = known->home->at;
  for (Thread *thread : members)
    home[thread->index] = thread->now++;
  if (code.hasMatrix) {
    std::vector<unsigned> present(warpsPerBlock);
    for (Thread *thread : members)
      ++present[thread->index / launch.width];
    const std::uint32_t first = agents - warpsPerBlock;
    for (std::uint32_t warp = 0; warp < warpsPerBlock; ++warp)
      if (present[warp] == launched(warp).count())
        home[first + warp] = block.warpClocks[warp];
  }
  for (Thread *thread : members) {
    thread->known = known;
    thread->acquired = acquired;
  }
}

/// The vote of a block barrier.
static std::uint64_t voted(ir::BarrierVote vote, std::uint64_t yes, std::uint64_t all) {
  switch (vote) {
  case ir::BarrierVote::Count:
    return yes;
  case ir::BarrierVote::And:
    return yes == all;
  default:
    return yes > 0;
  }
}

static std::vector<Lanes> perWarp(const std::vector<Thread *> &members, std::uint32_t warps,
                                  unsigned width) {
  std::vector<Lanes> result(warps);
  for (const Thread *thread : members)
    result[thread->index / width].set(thread->index % width);
  return result;
}

void Machine::releaseBarrier(Block &block, Thread &leader, const std::vector<Thread *> &group) {
  const BarrierInfo &info = code.barriers[code.instructions[leader.pc].a];
  const std::vector<Thread *> members = waiting(group, leader);
  Instance instance;
  instance.block = block.index;
  instance.warps = perWarp(members, warpsPerBlock, launch.width);
  std::optional<std::size_t> recorded = record(block, leader, info.site, std::move(instance),
                                               members, members.size() == threadsPerBlock);
  judgeBarrier(block, members, info, recorded);
  meet(block, members);
  if (info.result) {
    std::uint64_t yes = 0;
    for (const Thread *thread : members) {
      if (tainting && thread->taint[info.predicate])
        undefinedUse(block, *thread, "a branch");
      yes += thread->registers[info.predicate] != 0;
    }
    for (Thread *thread : members)
      thread->registers[info.result] =
          voted(static_cast<ir::BarrierVote>(info.vote), yes, members.size());
  }
  for (Thread *thread : members)
    goOn(*thread);
}

/// All threads of the grid that wait where `leader` does know of each other afterwards.
void Machine::releaseGridBarrier(Block &home, Thread &leader) {
  const BarrierInfo &info = code.barriers[code.instructions[leader.pc].a];
  ClockRef known, acquired;
  std::vector<std::pair<Block *, std::vector<Thread *>>> parts;
  std::size_t total = 0;
  Instance instance;
  instance.block = home.index;
  instance.warps.resize(std::size_t{blocks} * warpsPerBlock);
  for (const auto &block : resident) {
    std::vector<Thread *> members;
    for (Thread &thread : block->threads)
      if (thread.wait == Wait::GridBarrier &&
          relate(code, standing(thread), standing(leader)) == Relation::Same) {
        members.push_back(&thread);
        instance.warps[std::size_t{block->index} * warpsPerBlock + thread.index / launch.width].set(
            laneOf(thread));
      }
    if (members.empty())
      continue;
    meet(*block, members);
    known = join(known, members.front()->known, home.index, agents);
    if (members.front()->acquired)
      acquired = join(acquired, members.front()->acquired, home.index, agents);
    total += members.size();
    parts.emplace_back(block.get(), std::move(members));
  }
  std::vector<Thread *> all;
  for (auto &[block, members] : parts)
    all.insert(all.end(), members.begin(), members.end());
  const std::size_t everybody = std::size_t{blocks} * threadsPerBlock;
  std::optional<std::size_t> recorded =
      record(home, leader, info.site, std::move(instance), all, total == everybody);
  if (total != everybody)
    fault("divergent-barrier",
          code.sites[info.site].name + " is reached by " + std::to_string(total) + " of " +
              std::to_string(everybody) + " threads of the grid",
          leader.pc, home, leader, recorded);
  for (auto &[block, members] : parts) {
    ClockRef own = join(known, known, block->index, agents);
    for (Thread *thread : members) {
      thread->known = own;
      thread->acquired = acquired;
      goOn(*thread);
    }
  }
}

/// A fault for every call at which threads wait in vain.
void Machine::noteIncomplete(const Block &block, const NamedBarrier &barrier) {
  for (std::uint32_t index : barrier.arrived)
    if (const Thread &thread = block.threads[index]; thread.wait == Wait::NamedBarrier)
      fault("divergent-barrier",
            "named barrier: " + std::to_string(barrier.arrived.size()) +
                " threads arrive, and no more come",
            thread.pc, block, thread, std::nullopt);
}

/// True if the thread goes on at once.
bool Machine::arriveNamed(Block &block, Thread &thread, const BarrierInfo &info) {
  NamedBarrier &barrier = block.named[thread.registers[info.id]];
  const std::uint64_t wanted = info.count ? thread.registers[info.count] : 0;
  if (barrier.arrived.empty())
    barrier.wanted = wanted;
  else if (barrier.wanted != wanted) {
    thread.wait = Wait::NamedBarrier;
    barrier.arrived.push_back(thread.index);
    noteIncomplete(block, barrier);
    end(Ending::Deadlock,
        "deadlock: named barrier " + std::to_string(thread.registers[info.id]) + " is used with " +
            std::to_string(barrier.wanted) + " and " + std::to_string(wanted) + " threads at once",
        thread.pc);
    return false;
  }
  barrier.arrived.push_back(thread.index);
  ClockRef clock = writable(thread.known);
  clock->home->at[thread.index] = thread.now++;
  barrier.released = join(barrier.released, clock, block.index, agents);
  if (!info.arrive)
    thread.wait = Wait::NamedBarrier;
  if (barrier.wanted && barrier.arrived.size() >= barrier.wanted)
    releaseNamed(block, barrier, thread);
  if (thread.wait == Wait::None)
    return true;
  return false;
}

/// `last` is in the middle of its arrival: its program counter is its own business.
void Machine::releaseNamed(Block &block, NamedBarrier &barrier, Thread &last) {
  std::vector<Thread *> members;
  for (std::uint32_t index : barrier.arrived)
    members.push_back(&block.threads[index]);
  // The calls may differ: the instance is named by that of the first thread that waits.
  std::ranges::sort(members, {}, &Thread::index);
  auto waits = std::ranges::find(members, Wait::NamedBarrier, &Thread::wait);
  const Thread &leader = waits == members.end() ? last : **waits;
  const BarrierInfo &info = code.barriers[code.instructions[leader.pc].a];
  Instance instance;
  instance.block = block.index;
  instance.warps = perWarp(members, warpsPerBlock, launch.width);
  std::optional<std::size_t> recorded = record(block, leader, info.site, std::move(instance),
                                               members, members.size() == threadsPerBlock);
  if (!barrier.wanted) // for the whole block, like any other
    judgeBarrier(block, members, info, recorded);
  for (Thread *thread : members) {
    if (thread->wait != Wait::NamedBarrier)
      continue; // only arrived, or is `last`
    thread->known = barrier.released;
    if (thread == &last)
      thread->wait = Wait::None;
    else
      goOn(*thread);
  }
  barrier = NamedBarrier();
}

} // namespace warpdrf::interpreter
