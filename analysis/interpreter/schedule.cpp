// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs next, and which instance is released. The reference schedule takes threads in turn; a
// random one takes blocks, warps, threads and releasable instances in any order and switches at
// memory accesses. Participants do not depend on the schedule: an instance is released only when
// nobody else can reach it.
#include "analysis/interpreter/machine.h"

#include <algorithm>

namespace warpdrf::interpreter {

/// Loop iterations and memory accesses after which a thread that spins lets others run.
static constexpr std::uint64_t referenceSlice = 65536;
/// Blocks that a random schedule interleaves.
static constexpr std::size_t interleaved = 8;

std::uint64_t Machine::slice() {
  if (launch.schedule == Schedule::Reference)
    return referenceSlice;
  return random() % 8 ? 1 + random() % 8 : 1 + random() % 512;
}

/// Whether the whole group waits at one instance, as it mostly does.
bool Machine::isTogether(const std::vector<Thread *> &group, Wait wait) const {
  const Thread &first = *group.front();
  return std::ranges::all_of(group, [&](const Thread *thread) {
    return thread->wait == wait && thread->pc == first.pc &&
           haveSameCounts(code, first.pc, thread->registers, first.registers);
  });
}

std::vector<Thread *> Machine::waiting(const std::vector<Thread *> &group,
                                       const Thread &leader) const {
  if (isTogether(group, leader.wait))
    return group;
  std::vector<Thread *> result;
  for (Thread *thread : group)
    if (thread == &leader || (thread->wait == leader.wait && thread->pc == leader.pc &&
                              relate(code, standing(*thread), standing(leader)) == Relation::Same))
      result.push_back(thread);
  return result;
}

bool Machine::mayRelease(const Thread &leader, const std::vector<Thread *> &group) const {
  for (const Thread *other : group) {
    const Relation relation = relate(code, standing(*other), standing(leader));
    // Whoever was interrupted right before the primitive is about to arrive.
    if (relation == Relation::MayReach || (relation == Relation::Same && other->wait == Wait::None))
      return false;
  }
  return true;
}

/// A thread of the group whose instance nobody else can reach any more; null if there is none. The
/// group holds the threads that have not left.
Thread *Machine::releasable(const std::vector<Thread *> &group, Wait wait) {
  if (!group.empty() && isTogether(group, wait))
    return group.front();
  std::vector<Thread *> candidates;
  for (Thread *thread : group)
    if (thread->wait == wait)
      candidates.push_back(thread);
  if (candidates.empty())
    return nullptr;
  if (launch.schedule == Schedule::Random)
    std::shuffle(candidates.begin(), candidates.end(), random);
  // Usually whoever is first in program order.
  Thread *first = candidates.front();
  if (launch.schedule == Schedule::Reference)
    for (Thread *thread : candidates)
      if (relate(code, standing(*thread), standing(*first)) == Relation::MayReach)
        first = thread;
  if (mayRelease(*first, group))
    return first;
  for (Thread *thread : candidates)
    if (thread != first && mayRelease(*thread, group))
      return thread;
  return nullptr;
}

/// Runs the threads of a warp and releases its primitives until it waits for others, or a thread
/// has used up its slice. True if anything happened.
bool Machine::runWarp(Block &block, std::uint32_t warp) {
  const std::uint32_t first = warp * launch.width,
                      last = std::min(first + launch.width, threadsPerBlock);
  std::vector<Thread *> group;
  bool progress = false;
  for (;;) {
    group.clear();
    for (std::uint32_t i = first; i < last; ++i)
      group.push_back(&block.threads[i]);
    if (launch.schedule == Schedule::Random)
      std::shuffle(group.begin(), group.end(), random);
    bool ready = false;
    for (Thread *thread : group) {
      if (thread->wait != Wait::None)
        continue;
      runThread(block, *thread);
      progress = true;
      if (stopped || overLimit())
        return false;
      ready |= thread->wait == Wait::None;
    }
    std::erase_if(group, [](const Thread *thread) { return thread->wait == Wait::Exited; });
    if (launch.schedule == Schedule::Random)
      std::ranges::sort(group, {}, &Thread::index);
    Thread *leader = releasable(group, Wait::Primitive);
    if (!leader)
      return progress;
    releasePrimitive(block, warp, *leader, group);
    progress = true;
    if (stopped)
      return false;
    if (ready || launch.schedule == Schedule::Random)
      return true;
  }
}

/// All warps wait: a barrier that nobody else of the block can reach.
bool Machine::releaseBlock(Block &block) {
  std::vector<Thread *> group;
  for (Thread &thread : block.threads)
    if (thread.wait != Wait::Exited)
      group.push_back(&thread);
  if (Thread *leader = releasable(group, Wait::Barrier)) {
    releaseBarrier(block, *leader, group);
    return true;
  }
  // A named barrier without a count is for every thread of the block.
  for (auto &[id, barrier] : block.named)
    if (!barrier.arrived.empty() && !barrier.wanted && barrier.arrived.size() >= group.size()) {
      Thread &last = block.threads[barrier.arrived.back()];
      const bool waits = last.wait == Wait::NamedBarrier;
      releaseNamed(block, barrier, last);
      if (waits)
        goOn(last);
      return true;
    }
  return false;
}

/// One round over the warps, or with the reference schedule as many as it takes. True if anything
/// happened.
bool Machine::runBlock(Block &block) {
  bool progress = false;
  std::vector<std::uint32_t> order(warpsPerBlock);
  for (std::uint32_t warp = 0; warp < warpsPerBlock; ++warp)
    order[warp] = warp;
  for (;;) {
    if (launch.schedule == Schedule::Random)
      std::shuffle(order.begin(), order.end(), random);
    bool happened = false;
    for (std::uint32_t warp : order) {
      happened |= runWarp(block, warp);
      if (stopped)
        return false;
    }
    progress |= happened;
    if (block.finished())
      return true;
    const bool spinning = std::ranges::any_of(
        block.threads, [](const Thread &thread) { return thread.wait == Wait::None; });
    if (spinning || launch.schedule == Schedule::Random) {
      if (happened)
        return true;
    }
    if (!releaseBlock(block))
      return progress;
    progress = true;
    if (stopped || overLimit())
      return false;
  }
}

/// Every block waits: a grid barrier, once all blocks have started.
bool Machine::releaseGrid() {
  Thread *leader = nullptr;
  Block *home = nullptr;
  std::vector<Thread *> group;
  for (const auto &block : resident)
    for (Thread &thread : block->threads)
      if (thread.wait != Wait::Exited)
        group.push_back(&thread);
  leader = releasable(group, Wait::GridBarrier);
  if (!leader)
    return false;
  for (const auto &block : resident)
    if (leader >= block->threads.data() && leader < block->threads.data() + threadsPerBlock)
      home = block.get();
  releaseGridBarrier(*home, *leader);
  return true;
}

void Machine::reportDeadlock() {
  std::map<std::pair<std::uint32_t, int>, std::pair<std::size_t, std::string>> places;
  std::uint32_t pc = 0;
  for (const auto &block : resident)
    for (const Thread &thread : block->threads)
      if (thread.wait != Wait::Exited) {
        auto &[count, example] = places[{thread.pc, static_cast<int>(thread.wait)}];
        if (count++ == 0)
          example = describe(block->index, thread.index);
        pc = thread.pc;
      }
  std::string message = "deadlock:";
  for (const auto &[at, who] : places) {
    const Range range = code.place(at.first).range;
    message += " " + std::to_string(who.first) + " threads (" + who.second + ") wait at line " +
               std::to_string(range.begin.line) + ",";
  }
  message.back() = '.';
  for (const auto &block : resident) {
    for (const auto &[id, barrier] : block->named)
      noteIncomplete(*block, barrier);
    noteIncompletePhases(*block);
  }
  end(Ending::Deadlock, message, pc);
}

void Machine::startBlock() {
  const std::uint32_t index = nextBlock++;
  resident.push_back(makeBlock(launch.onlyBlocks.empty() ? index : launch.onlyBlocks[index]));
}

void Machine::runGrid() {
  const bool isRandom = launch.schedule == Schedule::Random;
  while (!stopped && !overLimit()) {
    // A block that has finished makes room; one that waits for others stays.
    bool progress = false;
    while (nextBlock < blocksToRun && !stopped) {
      if (isRandom && resident.size() >= interleaved && !code.hasGridBarrier)
        break;
      startBlock();
      if (stopped)
        return;
      progress = true;
      if (isRandom)
        continue;
      runBlock(*resident.back());
      if (stopped)
        return;
      if (resident.back()->finished()) {
        retire(std::move(resident.back()));
        resident.pop_back();
      }
    }
    if (resident.empty())
      return;
    if (isRandom)
      std::shuffle(resident.begin(), resident.end(), random);
    for (auto &block : resident) {
      progress |= runBlock(*block);
      if (stopped)
        return;
    }
    for (auto &block : resident)
      if (block->finished())
        retire(std::move(block));
    std::erase(resident, nullptr);
    if (!progress && !resident.empty() && !releaseGrid()) {
      if (nextBlock >= blocksToRun)
        return reportDeadlock();
      startBlock(); // they may wait for one that has not started
    }
  }
}

} // namespace warpdrf::interpreter
