// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of warp collectives, the one access of a matrix operation, and undefined values: what
// a shuffle gives that reads a lane nobody took part with.
#include "analysis/interpreter/machine.h"
#include "analysis/interpreter/memory.h"
#include "analysis/ir/dialect.h"

namespace warpdrf::interpreter {

void Machine::startTaint() {
  if (tainting)
    return;
  tainting = true;
  for (const auto &block : resident) {
    block->taint.assign(std::size_t{threadsPerBlock} * code.registers, 0);
    block->localTaint.assign(threadsPerBlock * code.localBytes, 0);
    for (Thread &thread : block->threads)
      thread.taint = block->taint.data() + std::size_t{thread.index} * code.registers;
  }
}

void Machine::undefinedUse(const Block &block, const Thread &thread, const char *what) {
  fault("undefined-lane-value",
        std::string("a value shuffled from a lane that does not take part reaches ") + what,
        thread.pc, block, thread);
}

void Machine::setResult(Thread &thread, const PrimitiveInfo &info, unsigned index,
                        std::uint64_t value, bool undefined) {
  const Register target = info.results[index];
  if (!target)
    return;
  if (undefined)
    startTaint();
  thread.registers[target] = value;
  if (tainting)
    thread.taint[target] = undefined;
}

static std::uint32_t low(const Lanes &lanes) {
  return static_cast<std::uint32_t>((lanes & Lanes(0xffffffffu)).to_ullong());
}

/// The lane a shuffle reads: its own where the segment ends.
static std::int64_t sourceLane(ir::PrimitiveKind kind, std::int64_t lane, std::int64_t other,
                               std::int64_t width, unsigned warpWidth) {
  if (width <= 0 || width > warpWidth)
    width = warpWidth;
  const std::int64_t first = lane - lane % width, last = first + width - 1;
  switch (kind) {
  case ir::PrimitiveKind::ShflIdx:
    return first + ((other % width) + width) % width;
  case ir::PrimitiveKind::ShflUp:
    return lane - other < first ? lane : lane - other;
  case ir::PrimitiveKind::ShflDown:
    return lane + other > last ? lane : lane + other;
  default:
    return (lane ^ other) > last || (lane ^ other) < 0 ? lane : lane ^ other;
  }
}

void Machine::shuffle(const std::vector<Thread *> &members, const PrimitiveInfo &info) {
  std::array<std::uint64_t, maximalWidth> values;
  std::array<bool, maximalWidth> undefined{};
  const Lanes here = lanesOf(members);
  for (const Thread *thread : members) {
    values[laneOf(*thread)] = thread->registers[info.arguments[0]];
    undefined[laneOf(*thread)] = tainting && thread->taint[info.arguments[0]];
  }
  for (Thread *thread : members) {
    const std::int64_t lane = laneOf(*thread);
    const std::int64_t from =
        sourceLane(static_cast<ir::PrimitiveKind>(info.kind), lane,
                   signedOf(thread->registers[info.arguments[1]], 32),
                   signedOf(thread->registers[info.arguments[2]], 32), launch.width);
    const bool missing = from < 0 || from >= launch.width || !here[from];
    const bool tainted = tainting && thread->taint[info.arguments[1]];
    setResult(*thread, info, 0, missing ? values[lane] : values[from],
              missing || tainted || (!missing && undefined[from]));
  }
}

void Machine::vote(const std::vector<Thread *> &members, const PrimitiveInfo &info) {
  Lanes yes;
  bool undefined = false;
  for (const Thread *thread : members) {
    yes[laneOf(*thread)] = thread->registers[info.arguments[0]] != 0;
    undefined |= tainting && thread->taint[info.arguments[0]];
  }
  const auto kind = static_cast<ir::PrimitiveKind>(info.kind);
  const std::uint64_t value = kind == ir::PrimitiveKind::Ballot ? low(yes)
                              : kind == ir::PrimitiveKind::Any  ? yes.any()
                                                                : yes.count() == members.size();
  for (Thread *thread : members)
    setResult(*thread, info, 0, value, undefined);
}

void Machine::match(const std::vector<Thread *> &members, const PrimitiveInfo &info) {
  const bool all = static_cast<ir::PrimitiveKind>(info.kind) == ir::PrimitiveKind::MatchAll;
  const auto value = [&](const Thread *thread) { return thread->registers[info.arguments[0]]; };
  bool undefined = false;
  for (const Thread *thread : members)
    undefined |= tainting && thread->taint[info.arguments[0]];
  for (Thread *thread : members) {
    Lanes same;
    for (const Thread *other : members)
      same[laneOf(*other)] = value(other) == value(thread);
    const bool everybody = same.count() == members.size();
    setResult(*thread, info, 0, all && !everybody ? 0 : low(same), undefined);
    if (all)
      setResult(*thread, info, 1, everybody, undefined);
  }
}

void Machine::reduce(const std::vector<Thread *> &members, const PrimitiveInfo &info) {
  const auto kind = static_cast<ir::PrimitiveKind>(info.kind);
  std::uint64_t value = members.front()->registers[info.arguments[0]];
  bool undefined = tainting && members.front()->taint[info.arguments[0]];
  for (std::size_t i = 1; i < members.size(); ++i) {
    const std::uint64_t next = members[i]->registers[info.arguments[0]];
    undefined |= tainting && members[i]->taint[info.arguments[0]];
    const bool least = kind == ir::PrimitiveKind::ReduceMin,
               most = kind == ir::PrimitiveKind::ReduceMax;
    if (info.isFloat)
      value = floatArithmetic(least  ? Op::FMinNum
                              : most ? Op::FMaxNum
                                     : Op::FAdd,
                              info.floatKind, value, next);
    else if (least || most)
      value = integerArithmetic(least ? Op::MinS : Op::MaxS, value, next, info.bits);
    else if (kind == ir::PrimitiveKind::ReduceAdd)
      value = truncated(value + next, info.bits);
    else
      value = kind == ir::PrimitiveKind::ReduceAnd  ? value & next
              : kind == ir::PrimitiveKind::ReduceOr ? value | next
                                                    : value ^ next;
  }
  for (Thread *thread : members)
    setResult(*thread, info, 0, value, undefined);
}

void Machine::compute(Block &block, const std::vector<Thread *> &members,
                      const PrimitiveInfo &info) {
  using K = ir::PrimitiveKind;
  switch (static_cast<K>(info.kind)) {
  case K::ShflIdx:
  case K::ShflUp:
  case K::ShflDown:
  case K::ShflXor:
    return shuffle(members, info);
  case K::Ballot:
  case K::Any:
  case K::All:
    return vote(members, info);
  case K::MatchAny:
  case K::MatchAll:
    return match(members, info);
  case K::ReduceAdd:
  case K::ReduceMin:
  case K::ReduceMax:
  case K::ReduceAnd:
  case K::ReduceOr:
  case K::ReduceXor:
    return reduce(members, info);
  default:
    return; // barriers and matrix operations have no value
  }
}

/// One access per row by an agent of its own: no lane of the warp knows of it before a barrier that
/// the whole warp takes part in, and it knows only what every lane knows. Fragments are opaque:
/// what a store writes is a hash of where and when.
void Machine::matrixAccess(Block &block, const std::vector<Thread *> &members,
                           const PrimitiveInfo &info) {
  Thread &leader = *members.front();
  const std::uint32_t warp = leader.index / launch.width, pc = leader.pc;
  const bool stores = static_cast<ir::PrimitiveKind>(info.kind) == ir::PrimitiveKind::MatrixStore;
  // What every lane knows: the minimum of their clocks. A lane's own latest is known to nobody.
  ClockRef common = writable(leader.known);
  for (const Thread *thread : members)
    for (std::size_t i = 0; i < common->home->at.size() && thread->known != leader.known; ++i)
      common->home->at[i] = std::min(common->home->at[i], thread->known->home->at[i]);
  Thread agent;
  agent.registers = leader.registers;
  agent.local = leader.local;
  agent.index = agents - warpsPerBlock + warp;
  agent.now = ++block.warpClocks[warp];
  agent.known = common;
  current.byWarp = true;
  const std::uint64_t base = leader.registers[info.address];
  for (std::uint64_t row = 0; row < info.rows && !stopped; ++row) {
    std::uint8_t *at = resolve(block, agent, base + row * leader.registers[info.stride],
                               info.rowBytes, pc, stores ? AccessKind::Write : AccessKind::Read);
    if (!at || !stores)
      continue;
    for (std::uint64_t i = 0; i < info.rowBytes; ++i)
      at[i] = static_cast<std::uint8_t>(mix(mix(pc, row), i) & 0x3f);
  }
  current.byWarp = false;
}

} // namespace warpdrf::interpreter
