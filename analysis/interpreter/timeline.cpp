// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events for the timeline. A row is a place in program order with its loop counts, so that lanes
// that did the same thing stand side by side, whenever each of them did it.
#include "analysis/interpreter/machine.h"

#include <algorithm>

namespace warpdrf::interpreter {

static constexpr std::size_t maximalEvents = 200'000;

void Machine::note(TimelineEvent event, const Thread &thread, std::uint32_t pc) {
  if (pending.size() >= maximalEvents)
    return;
  pending.push_back({std::move(event), pc, coordinates(code, {pc, thread.registers})});
}

void Machine::entered(const Block &block, const Thread &thread, std::uint32_t pc) {
  TimelineEvent event;
  event.block = block.index;
  event.thread = thread.index;
  const Instruction &at = code.instructions[pc];
  if (at.op == Op::Exit)
    event.kind = TimelineEvent::Kind::Exit;
  else if (at.op == Op::LoopBack)
    event.label = "iteration " + std::to_string(thread.registers[at.dst]);
  else
    event.label = code.texts[at.a];
  note(std::move(event), thread, pc);
}

void Machine::noteInstance(const Block &block, const Thread &thread, std::size_t instance) {
  TimelineEvent event;
  event.kind = TimelineEvent::Kind::Instance;
  event.block = block.index;
  event.thread = thread.index;
  event.index = static_cast<std::uint32_t>(instance);
  note(std::move(event), thread, thread.pc);
}

void Machine::noteRace(const Recorded &first, const Actor &second, std::uint32_t pc,
                       std::size_t race) {
  const auto add = [&](TimelineEvent::Kind kind, std::uint32_t blockIndex, std::uint32_t agent,
                       std::uint32_t at) {
    TimelineEvent event;
    event.kind = kind;
    const ThreadId id = threadId(blockIndex, agent);
    event.block = blockIndex;
    event.thread = id.threadIndex;
    event.index = static_cast<std::uint32_t>(race);
    for (const auto &block : resident)
      if (block->index == blockIndex)
        note(event, block->threads[id.threadIndex], at);
  };
  add(TimelineEvent::Kind::RaceFirst, (first.agent - 1) / agents, (first.agent - 1) % agents,
      first.pc);
  add(TimelineEvent::Kind::RaceSecond, second.block, second.agent, pc);
}

void Machine::sortTimeline() {
  const auto earlier = [&](const Pending &a, const Pending &b) {
    return precedes(code, a.pc, a.counts, b.pc, b.counts);
  };
  std::stable_sort(pending.begin(), pending.end(), earlier);
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    if (i && earlier(pending[i - 1], pending[i]))
      ++row;
    pending[i].event.row = row;
    result.timeline.push_back(std::move(pending[i].event));
  }
}

} // namespace warpdrf::interpreter
