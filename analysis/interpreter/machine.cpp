// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/machine.h"

#include "analysis/interpreter/memory.h"
#include "analysis/ir/dialect.h"

#include <algorithm>

namespace warpdrf::interpreter {

Machine::Machine(const Code &code, const Launch &launch)
    : code(code), launch(launch), random(launch.seed ^ 0x5eed) {}

void Machine::end(Ending ending, const std::string &message) {
  if (stopped)
    return;
  stopped = true;
  result.ending = ending;
  result.message = message;
}

void Machine::end(Ending ending, const std::string &message, std::uint32_t pc) {
  if (!stopped)
    result.place = code.place(pc);
  end(ending, message);
}

bool Machine::refuse(const std::string &message, Ending ending) {
  if (!stopped)
    result.place = Place{code.places.front().range, {}};
  end(ending, message);
  return false;
}

/// Time and memory, asked for after every slice of a thread.
bool Machine::overLimit() {
  if (stopped || !checkMemory())
    return true;
  // A slice is short or, without loops and memory accesses, long.
  if ((++timeChecks % 64 == 0 || result.steps - stepsAtCheck > 2'000'000)) {
    stepsAtCheck = result.steps;
    if (std::chrono::steady_clock::now() > deadline)
      end(Ending::TimeLimit, "time limit reached after " + std::to_string(result.steps) + " steps",
          current.thread ? current.thread->pc : 0);
  }
  return stopped;
}

bool Machine::checkMemory() {
  if (memoryUsed + BlockClock::bytesAlive + sets.bytes() <= launch.limits.memory)
    return !stopped;
  const std::string message = "memory limit reached: arrays, threads and race detection need more "
                              "than " +
                              std::to_string(launch.limits.memory >> 20) + " MiB";
  if (current.thread)
    end(Ending::MemoryLimit, message, current.thread->pc);
  else
    refuse(message, Ending::MemoryLimit);
  return false;
}

ThreadId Machine::threadId(std::uint32_t block, std::uint32_t thread) const {
  ThreadId id;
  // Agents beyond the threads: asynchronous copies, then one per warp.
  if (thread >= threadsPerBlock)
    thread = code.hasAsync && thread < 2 * threadsPerBlock
                 ? thread - threadsPerBlock
                 : (thread - (agents - warpsPerBlock)) * launch.width;
  id.blockIndex = block;
  id.threadIndex = thread;
  std::int64_t b = block, t = thread;
  for (int axis = 0; axis < 3; ++axis) {
    id.block[axis] = b % launch.grid[axis];
    b /= launch.grid[axis];
    id.thread[axis] = t % launch.block[axis];
    t /= launch.block[axis];
  }
  id.warp = thread / launch.width;
  id.lane = thread % launch.width;
  return id;
}

static std::string coordinatesText(const std::array<std::int64_t, 3> &value,
                                   const std::array<std::int64_t, 3> &extent) {
  if (extent[1] == 1 && extent[2] == 1)
    return std::to_string(value[0]);
  return "(" + std::to_string(value[0]) + "," + std::to_string(value[1]) + "," +
         std::to_string(value[2]) + ")";
}

std::string Machine::describe(std::uint32_t block, std::uint32_t thread) const {
  const ThreadId id = threadId(block, thread);
  std::string text = "thread " + coordinatesText(id.thread, launch.block);
  if (blocks > 1)
    text += " of block " + coordinatesText(id.block, launch.grid);
  return text;
}

bool Machine::checkLaunch() {
  std::int64_t threads = 1, grid = 1;
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.block[axis] < 1 || launch.grid[axis] < 1)
      return refuse("a launch needs at least one thread and one block in each dimension");
    threads *= std::min<std::int64_t>(launch.block[axis], 1025);
    grid *= std::min<std::int64_t>(launch.grid[axis], 0x80000000);
    if (grid > 0x7fffffff)
      return refuse("a grid has at most 2147483647 blocks");
  }
  if (threads > 1024)
    return refuse("a block has at most 1024 threads");
  if (launch.width < 1 || launch.width > maximalWidth)
    return refuse("a warp has 1 to 128 lanes");
  threadsPerBlock = static_cast<std::uint32_t>(threads);
  blocks = static_cast<std::uint32_t>(grid);
  warpsPerBlock = (threadsPerBlock + launch.width - 1) / launch.width;
  blocksToRun =
      launch.onlyBlocks.empty() ? blocks : static_cast<std::uint32_t>(launch.onlyBlocks.size());
  for (std::uint32_t each : launch.onlyBlocks)
    if (each >= blocks)
      return end(Ending::BadArgument, "the launch has no block " + std::to_string(each)), false;
  if (blocksToRun < blocks && code.hasGridBarrier)
    return end(Ending::BadArgument, "a barrier of the whole grid needs every block"), false;
  agents = threadsPerBlock * (code.hasAsync ? 2 : 1) + warpsPerBlock;
  if (std::uint64_t{agents} * blocks >= 0xfffffffe)
    return refuse("the grid has too many threads");
  return true;
}

bool Machine::prepare() {
  stepsLeft = launch.limits.steps;
  drawing = !launch.timeline.empty() || !launch.follow.empty();
  deadline = std::chrono::steady_clock::now() +
             std::chrono::milliseconds(static_cast<std::int64_t>(launch.limits.seconds * 1000));
  if (!checkLaunch())
    return false;
  image.assign(code.registers, 0);
  for (const auto &[at, bits] : code.constants)
    image[at] = bits;
  arrayOf.assign(code.objects.size(), -1);
  if (!bindArguments())
    return false;
  const std::int64_t uniform[] = {launch.block[0], launch.block[1], launch.block[2], launch.grid[0],
                                  launch.grid[1],  launch.grid[2],  launch.width};
  for (unsigned i = 0; i < std::size(uniform); ++i)
    if (Register at = code.specials[static_cast<unsigned>(ir::SpecialValue::BDimX) + i])
      image[at] = static_cast<std::uint64_t>(uniform[i]);
  for (std::size_t i = 0; i < arrayOf.size(); ++i) {
    View view;
    const bool isArray = arrayOf[i] >= 0;
    const ObjectInfo *info = i < code.objects.size() ? &code.objects[i] : nullptr;
    view.space = info ? info->space : Space::Global;
    view.readOnly = view.space == Space::Param || view.space == Space::Constant;
    if (info) {
      view.size = info->size;
      view.frame = info->frameOffset;
      if (view.space == Space::Shared && view.size == 0)
        view.size = launch.sharedBytes;
      const int aliased = info->parameter >= 0 ? aliasOf[info->parameter] : -1;
      if (aliased < 0)
        image[info->address] = addressFor(i, view.space == Space::Shared);
    }
    if (isArray) {
      GlobalArray &array = arrays[arrayOf[i]];
      view.base = array.bytes.data();
      view.size = array.bytes.size();
      // An array that another one's name also means is watched if either may be written.
      const bool written = !info || info->written || array.aliasWritten;
      if (launch.detectRaces && written && !view.readOnly) {
        charge(view.size / 4 * sizeof(Cell));
        if (stopped)
          return false;
        array.shadow = std::make_unique<Shadow>(view.size, sets, agents, !launch.focus.empty());
        view.shadow = array.shadow.get();
      }
    }
    commonViews.push_back(view);
  }
  bindAliases();
  if (!launch.focus.empty())
    for (std::uint32_t pc = 0; pc < code.instructions.size(); ++pc)
      watched.push_back(
          std::ranges::any_of(launch.focus, [range = code.place(pc).range](const Range &wanted) {
            return range.file == wanted.file && wanted.begin <= range.begin &&
                   range.begin < wanted.end;
          }));
  result.sites = code.sites;
  return !stopped;
}

std::unique_ptr<Block> Machine::makeBlock(std::uint32_t index) {
  std::unique_ptr<Block> block;
  if (!pool.empty()) {
    block = std::move(pool.back());
    pool.pop_back();
  } else {
    block = std::make_unique<Block>();
    charge(std::uint64_t{threadsPerBlock} *
           (code.registers * 8 + code.localBytes + sizeof(Thread)));
    std::uint64_t sharedBytes = 0;
    for (const View &view : commonViews)
      if (view.space == Space::Shared)
        sharedBytes += (view.size + 15) & ~std::uint64_t{15};
    charge(sharedBytes * (1 + sizeof(Cell) / 4));
    if (stopped)
      return block;
    block->registers.resize(std::size_t{threadsPerBlock} * code.registers);
    block->shared.resize(sharedBytes);
    block->views = commonViews;
    std::uint64_t at = 0;
    for (View &view : block->views)
      if (view.space == Space::Shared) {
        view.base = block->shared.data() + at;
        at += (view.size + 15) & ~std::uint64_t{15};
        if (launch.detectRaces) {
          block->shadows.push_back(
              std::make_unique<Shadow>(view.size, sets, agents, !launch.focus.empty()));
          view.shadow = block->shadows.back().get();
        }
      }
  }
  block->index = index;
  block->threads.assign(threadsPerBlock, Thread());
  block->local.assign(threadsPerBlock * code.localBytes, 0);
  std::ranges::fill(block->shared, 0);
  // What nobody has written may be anything, in every block something else.
  if (launch.schedule == Schedule::Random)
    for (std::size_t i = 0; i < block->shared.size(); i += 4)
      block->shared[i] = static_cast<std::uint8_t>(mix(mix(launch.seed, index), i));
  for (const auto &shadow : block->shadows)
    shadow->forget();
  block->named.clear();
  block->phases.clear();
  block->warpClocks.assign(warpsPerBlock, 0);
  block->live = threadsPerBlock;
  if (tainting) {
    block->taint.assign(std::size_t{threadsPerBlock} * code.registers, 0);
    block->localTaint.assign(threadsPerBlock * code.localBytes, 0);
  }
  ClockRef start = llvm::makeIntrusiveRefCnt<Clock>();
  start->home = llvm::makeIntrusiveRefCnt<BlockClock>(index, agents);
  for (std::uint32_t i = 0; i < threadsPerBlock; ++i)
    startThread(*block, i, start);
  return block;
}

void Machine::startThread(Block &block, std::uint32_t index, const ClockRef &known) {
  Thread &thread = block.threads[index];
  thread.index = index;
  thread.known = known;
  thread.registers = block.registers.data() + std::size_t{index} * code.registers;
  thread.local = block.local.data() + index * code.localBytes;
  if (tainting)
    thread.taint = block.taint.data() + std::size_t{index} * code.registers;
  std::ranges::copy(image, thread.registers);
  const ThreadId id = threadId(block.index, index);
  const auto set = [&](ir::SpecialValue which, std::uint64_t value) {
    if (Register at = code.specials[static_cast<unsigned>(which)])
      thread.registers[at] = value & 0xffffffffu;
  };
  using S = ir::SpecialValue;
  for (unsigned axis = 0; axis < 3; ++axis) {
    set(static_cast<S>(static_cast<unsigned>(S::TidX) + axis), id.thread[axis]);
    set(static_cast<S>(static_cast<unsigned>(S::BidX) + axis), id.block[axis]);
  }
  // Masks have 32 bits: lanes beyond have none.
  const std::uint64_t bit = id.lane < 32 ? std::uint64_t{1} << id.lane : 0;
  const std::uint64_t below = id.lane < 32 ? bit - 1 : 0xffffffffu;
  set(S::LaneId, id.lane);
  set(S::LaneMaskEq, bit);
  set(S::LaneMaskLt, below);
  set(S::LaneMaskLe, below | bit);
  set(S::LaneMaskGt, ~(below | bit));
  set(S::LaneMaskGe, ~below);
}

void Machine::retire(std::unique_ptr<Block> block) {
  if (launch.hashReads)
    for (const Thread &thread : block->threads) {
      const std::uint64_t id = (std::uint64_t{block->index} << 32) | thread.index;
      result.readsHash += mix(id, thread.reads); // a sum: blocks may end in any order
    }
  for (Thread &thread : block->threads)
    thread.known = thread.acquired = thread.fencedBlock = thread.fencedGrid = nullptr;
  pool.push_back(std::move(block));
}

void Machine::finish() {
  if (drawing)
    sortTimeline();
  if (!launch.memory)
    return;
  for (GlobalArray &array : arrays)
    if (array.space == Space::Global)
      result.memory.push_back({array.name, array.space, std::move(array.bytes), array.element});
}

Execution Machine::run() {
  if (prepare())
    runGrid();
  finish();
  return std::move(result);
}

Execution Program::run(const Launch &launch) const {
  return Machine(*code, launch).run();
}

//===--- conflicts
//----------------------------------------------------------------------------------===//

static Access::Kind shownKind(AccessKind kind) {
  return kind == AccessKind::Read    ? Access::Kind::Read
         : kind == AccessKind::Write ? Access::Kind::Write
                                     : Access::Kind::Atomic;
}

Access Machine::accessAt(std::uint32_t block, std::uint32_t agent, std::uint32_t pc,
                         AccessKind kind) const {
  Access access;
  access.kind = shownKind(kind);
  access.place = code.place(pc);
  access.thread = threadId(block, agent);
  access.byWarp = agent >= agents - warpsPerBlock;
  access.asynchronous = code.hasAsync && agent >= threadsPerBlock && !access.byWarp;
  return access;
}

void Machine::conflict(const Recorded &first, const Actor &second, std::uint32_t pc,
                       AccessKind kind) {
  const std::uint32_t block = (first.agent - 1) / agents, agent = (first.agent - 1) % agents;
  Access one = accessAt(block, agent, first.pc, first.kind);
  Access two = accessAt(second.block, second.agent, pc, kind);
  const Scope scope = block != second.block                ? Scope::Grid
                      : one.thread.warp != two.thread.warp ? Scope::Block
                                                           : Scope::Warp;
  const bool known = current.thread && current.thread->acquired &&
                     current.thread->acquired->of(block, agent) >= first.clock;
  const bool bothStore = first.kind == AccessKind::Write && kind == AccessKind::Write;
  const bool same = !bothStore ? false
                    : first.size
                        ? first.size == second.size && first.value == second.value
                        : current.size <= 8 && current.bytes &&
                              std::memcmp(current.bytes, &current.value, current.size) == 0;
  const std::uint64_t key = mix(mix(mix(first.pc, pc), static_cast<std::uint64_t>(scope)), known);
  auto [at, isNew] = knownRaces.try_emplace(key, result.races.size());
  if (!isNew) {
    Race &race = result.races[at->second];
    ++race.count;
    race.sameValue &= same;
    return;
  }
  Race race;
  race.first = std::move(one);
  race.second = std::move(two);
  race.object = objectName(current.object);
  race.space = commonViews[current.object].space;
  race.offset = static_cast<std::int64_t>(current.offset);
  race.size = static_cast<unsigned>(current.size);
  race.scope = scope;
  race.sameValue = same;
  race.onlyConsumerFence = known;
  result.races.push_back(std::move(race));
  if (drawing)
    noteRace(first, second, pc, result.races.size() - 1);
}

bool Execution::hasRace() const {
  return std::ranges::any_of(races, [](const Race &race) { return !race.onlyConsumerFence; });
}

bool Execution::hasFault(const std::string &rule) const {
  return std::ranges::any_of(faults, [&](const Fault &fault) { return fault.rule == rule; });
}

bool Execution::hasParticipationError() const {
  return hasFault("divergent-primitive") || hasFault("mask-mismatch") ||
         hasFault("divergent-barrier") || hasFault("undefined-lane-value");
}

} // namespace warpdrf::interpreter
