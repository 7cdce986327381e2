// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events for the timeline. A row is a place in program order with its loop counts, so that lanes
// that did the same thing stand side by side, whenever each of them did it.
#include "analysis/interpreter/machine.h"

#include <algorithm>

namespace warpdrf::interpreter {

/// Of one thread; nobody looks at more rows than that.
static constexpr std::uint32_t maximalEvents = 600;
/// Of all threads that are drawn.
static constexpr std::size_t maximalAccesses = 1'000'000;

/// Whether a thread's events are wanted.
bool Machine::drawn(std::uint32_t block, std::uint32_t thread) const {
  if (!launch.follow.empty())
    return std::ranges::find(launch.follow, std::pair(block, thread)) != launch.follow.end();
  return thread < launch.timelineThreads &&
         std::ranges::find(launch.timeline, block) != launch.timeline.end();
}

void Machine::note(TimelineEvent event, const Moment &at) {
  pending.push_back({std::move(event), at});
}

Machine::Moment Machine::momentOf(const Thread &thread, std::uint32_t pc) const {
  return {pc, coordinates(code, {pc, thread.registers})};
}

/// A thread enters an arm, begins an iteration, or leaves the kernel.
void Machine::entered(const Block &block, const Thread &thread, std::uint32_t pc) {
  if (!drawn(block.index, thread.index))
    return;
  TimelineEvent event;
  event.block = block.index;
  event.thread = thread.index;
  const Instruction &at = code.instructions[pc];
  std::uint32_t row = pc;
  auto &[count, last] = noted[{block.index, thread.index}];
  if (at.op == Op::Exit) {
    event.kind = TimelineEvent::Kind::Exit;
  } else if (at.op == Op::LoopBack || at.op == Op::LoopEnter) {
    event.kind = TimelineEvent::Kind::Iteration;
    event.label = "iteration " + std::to_string(thread.registers[at.dst]);
    row = at.op == Op::LoopBack ? at.c : pc + 1;
    // Nothing happened in the iteration before.
    if (last < pending.size() && pending[last].at.pc == row &&
        pending[last].event.kind == TimelineEvent::Kind::Iteration) {
      pending[last] = {std::move(event), momentOf(thread, row)};
      return;
    }
  } else {
    event.label = code.texts[at.a];
  }
  if (++count > maximalEvents)
    return;
  last = pending.size();
  note(std::move(event), momentOf(thread, row));
}

void Machine::noteInstance(const Block &block, const Thread &thread, std::size_t instance) {
  if (!drawn(block.index, thread.index))
    return;
  auto &[count, last] = noted[{block.index, thread.index}];
  if (++count > maximalEvents)
    return;
  last = pending.size();
  TimelineEvent event;
  event.kind = TimelineEvent::Kind::Instance;
  event.block = block.index;
  event.thread = thread.index;
  event.index = static_cast<std::uint32_t>(instance);
  note(std::move(event), momentOf(thread, thread.pc));
}

static std::uint64_t accessKey(std::uint32_t agent, std::size_t object, std::uint64_t word) {
  return mix(mix(agent, object), word);
}

/// Remembers where a thread was when it last accessed some words: who races with it later needs to
/// know, and the thread will have moved on.
void Machine::noteAccess(const Actor &actor, const Thread &thread, std::uint32_t pc) {
  if (!drawn(actor.block, threadId(actor.block, actor.agent).threadIndex) ||
      accessMoments.size() >= maximalAccesses)
    return;
  const Moment at = momentOf(thread, pc);
  for (std::uint64_t word = current.offset / 4; word * 4 < current.offset + current.size; ++word)
    accessMoments[accessKey(actor.block * agents + actor.agent + 1, current.object, word)] = at;
}

void Machine::noteRace(const Recorded &first, const Actor &second, std::uint32_t pc,
                       std::size_t race) {
  const std::uint32_t block = (first.agent - 1) / agents, agent = (first.agent - 1) % agents;
  const ThreadId one = threadId(block, agent), two = threadId(second.block, second.agent);
  if (!drawn(one.blockIndex, one.threadIndex) || !drawn(two.blockIndex, two.threadIndex))
    return;
  std::optional<Moment> at;
  for (std::uint64_t word = current.offset / 4; word * 4 < current.offset + current.size; ++word)
    if (auto known = accessMoments.find(accessKey(first.agent, current.object, word));
        known != accessMoments.end() && known->second.pc == first.pc)
      at = known->second;
  if (!at)
    return;
  TimelineEvent event;
  event.kind = TimelineEvent::Kind::RaceFirst;
  event.block = one.blockIndex;
  event.thread = one.threadIndex;
  event.index = static_cast<std::uint32_t>(race);
  note(event, *at);
  event.kind = TimelineEvent::Kind::RaceSecond;
  event.block = two.blockIndex;
  event.thread = two.threadIndex;
  note(std::move(event), momentOf(*current.actor, pc));
}

/// Whether `later` is in the iteration that `iteration` begins.
bool Machine::isWithin(const Moment &later, const Moment &iteration) const {
  const std::vector<PathStep> &inner = code.scopes[code.scopeOf[later.pc]].path;
  const std::vector<PathStep> &loop = code.scopes[code.scopeOf[iteration.pc]].path;
  if (inner.size() < loop.size() || later.counts.size() < iteration.counts.size())
    return false;
  for (std::size_t i = 0; i < loop.size(); ++i)
    if (inner[i].construct != loop[i].construct || inner[i].arm != loop[i].arm)
      return false;
  return std::equal(iteration.counts.begin(), iteration.counts.end(), later.counts.begin());
}

/// Iterations in which their thread does nothing that is drawn, such as the last test of a loop.
void Machine::dropSilentIterations() {
  using Kind = TimelineEvent::Kind;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> byThread;
  for (std::size_t i = 0; i < pending.size(); ++i)
    if (const Kind kind = pending[i].event.kind;
        kind != Kind::RaceFirst && kind != Kind::RaceSecond)
      byThread[{pending[i].event.block, pending[i].event.thread}].push_back(i);
  std::vector<bool> silent(pending.size());
  for (const auto &[thread, events] : byThread)
    for (std::size_t k = 0; k < events.size(); ++k) {
      const Pending &each = pending[events[k]];
      if (each.event.kind != Kind::Iteration)
        continue;
      std::size_t next = k + 1; // a thread's events are in program order
      while (next < events.size() && pending[events[next]].event.kind == Kind::Iteration &&
             isWithin(pending[events[next]].at, each.at))
        ++next;
      silent[events[k]] = next == events.size() || !isWithin(pending[events[next]].at, each.at);
    }
  std::size_t i = 0;
  std::erase_if(pending, [&](const Pending &) { return silent[i++]; });
}

void Machine::sortTimeline() {
  dropSilentIterations();
  const auto earlier = [&](const Pending &a, const Pending &b) {
    if (precedes(code, a.at.pc, a.at.counts, b.at.pc, b.at.counts))
      return true;
    return a.at.pc == b.at.pc && a.event.kind == TimelineEvent::Kind::Iteration &&
           b.event.kind != TimelineEvent::Kind::Iteration &&
           !precedes(code, b.at.pc, b.at.counts, a.at.pc, a.at.counts);
  };
  std::stable_sort(pending.begin(), pending.end(), earlier);
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (i && earlier(pending[i - 1], pending[i]))
      ++row;
    TimelineEvent &event = pending[i].event;
    event.row = row;
    event.range = code.place(pending[i].at.pc).range;
    result.timeline.push_back(std::move(event));
  }
}

} // namespace warpdrf::interpreter
