// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses, accesses, atomics and fences. An address is an object and an offset in one number:
// shared objects lie in the lowest 4 GiB, 16 MiB apart, so that their addresses fit into the 32
// bits that PTX gives them; every other object has 1 TiB of its own. Offset 0 is in the middle, so
// that a pointer before an object's start is not one into its neighbour.
#include "analysis/interpreter/memory.h"

#include "analysis/interpreter/machine.h"
#include "analysis/ir/dialect.h"
#include "analysis/report/race_message.h"

namespace warpdrf::interpreter {

std::uint8_t *Machine::resolve(Block &block, Thread &thread, std::uint64_t address,
                               std::uint64_t size, std::uint32_t pc, AccessKind kind, bool narrow) {
  const Location at = locate(address);
  if (at.object >= block.views.size() || at.offset + size > block.views[at.object].size ||
      at.offset > block.views[at.object].size) [[unlikely]] {
    outOfBounds(block, thread, address, size, pc);
    return nullptr;
  }
  const View &view = block.views[at.object];
  if (view.space == Space::Local)
    return thread.local + view.frame + at.offset;
  if (view.shadow) {
    Actor actor = actorOf(block, thread);
    actor.narrow = narrow;
    actor.byWarp = current.byWarp;
    current.bytes = view.base + at.offset;
    if (kind == AccessKind::Write && size <= 8) {
      actor.value = size == 8 ? current.value : current.value & ((1ull << 8 * size) - 1);
      actor.size = static_cast<std::uint8_t>(size);
    }
    watch(block, thread, actor, at.object, at.offset, size, pc, kind);
  } else if (view.readOnly && kind != AccessKind::Read && kind != AccessKind::AtomicLoad) {
    outOfBounds(block, thread, address, size, pc);
    return nullptr;
  }
  return view.base + at.offset;
}

void Machine::watch(Block &block, const Thread &thread, const Actor &actor, std::size_t object,
                    std::uint64_t offset, std::uint64_t size, std::uint32_t pc, AccessKind kind) {
  const View &view = block.views[object];
  current.object = object;
  current.offset = offset;
  current.size = size;
  current.actor = &thread;
  if (!watched.empty()) {
    if (watched[pc])
      view.shadow->access(actor, pc, kind, offset, size, *this);
    if (drawing)
      noteAccess(actor, thread, pc);
    return; // what is not watched leaves no trace: nobody knows what was written
  }
  if (!view.shadow->access(actor, pc, kind, offset, size, *this) && view.space == Space::Shared &&
      kind != AccessKind::Write)
    fault("uninitialized-shared",
          "reads '" + cellName(objectName(object), offset, size) +
              "' before anything has written it",
          pc, block, thread);
  if (drawing)
    noteAccess(actor, thread, pc);
}

void Machine::outOfBounds(const Block &block, const Thread &thread, std::uint64_t address,
                          std::uint64_t size, std::uint32_t pc) {
  const Location at = locate(address);
  std::string what =
      describe(block.index, thread.index) + " accesses " + std::to_string(size) + " bytes at ";
  if (address == 0)
    what += "a null pointer";
  else if (at.object < block.views.size() && block.views[at.object].readOnly &&
           at.offset < block.views[at.object].size)
    what += "byte " + std::to_string(at.offset) + " of '" + objectName(at.object) +
            "', which is read-only";
  else if (at.object < block.views.size())
    what += "byte " + std::to_string(static_cast<std::int64_t>(at.offset)) + " of '" +
            objectName(at.object) + "', which has " + std::to_string(block.views[at.object].size) +
            " bytes";
  else
    what += "an address that is not of any object";
  end(Ending::OutOfBounds, "out of bounds: " + what, pc);
}

std::string Machine::objectName(std::size_t object) const {
  return object < code.objects.size() ? code.objects[object].name : arrays[arrayOf[object]].name;
}

std::uint8_t *Machine::localTaint(Block &block, const Thread &thread, std::uint64_t address) {
  const Location at = locate(address);
  if (at.object >= block.views.size() || block.views[at.object].space != Space::Local)
    return nullptr;
  return block.localTaint.data() + thread.index * code.localBytes + block.views[at.object].frame +
         at.offset;
}

std::uint8_t Machine::localTaintAt(Block &block, const Thread &thread, std::uint64_t address,
                                   std::uint64_t size) {
  const std::uint8_t *from = localTaint(block, thread, address);
  std::uint8_t any = 0;
  for (std::uint64_t i = 0; from && i < size; ++i)
    any |= from[i];
  return any;
}

bool Machine::setLocalTaint(Block &block, const Thread &thread, std::uint64_t address,
                            std::uint64_t size, std::uint8_t value) {
  std::uint8_t *to = localTaint(block, thread, address);
  if (to)
    std::memset(to, value, size);
  return to;
}

bool Machine::copy(Block &block, Thread &thread, const Instruction &instruction, bool tainted) {
  const std::uint64_t to = thread.registers[instruction.a],
                      size = static_cast<std::uint64_t>(instruction.immediate);
  const auto pc = static_cast<std::uint32_t>(&instruction - code.instructions.data());
  if (size == 0)
    return true;
  current.value = 0;
  if (instruction.op == Op::Fill) {
    std::uint8_t *target = resolve(block, thread, to, size, pc, AccessKind::Write);
    if (target)
      std::memset(target, 0, size);
    if (target && tainted)
      setLocalTaint(block, thread, to, size, 0);
    return target;
  }
  const std::uint64_t from = thread.registers[instruction.b];
  // The agent of an asynchronous copy knows what its thread knows now; its thread learns of the
  // copy when it waits.
  Thread agent;
  Thread *actor = &thread;
  if (instruction.kind) {
    agent.registers = thread.registers;
    agent.local = thread.local;
    agent.index = threadsPerBlock + thread.index;
    agent.now = thread.asyncNow;
    ClockRef known = writable(thread.known);
    known->home->at[thread.index] = thread.now;
    agent.known = known;
    actor = &agent;
    if (instruction.dst) // a time of its own, as it completes on its own
      thread.boundCopies[thread.registers[instruction.dst]] = thread.asyncNow++;
    else
      thread.freeCopy = thread.asyncNow;
  }
  for (std::uint64_t address : {from, to}) // objects themselves are aligned
    if (const Location at = locate(address); instruction.c && at.object < block.views.size() &&
                                             at.offset % instruction.c != 0) [[unlikely]] {
      end(Ending::OutOfBounds,
          "misaligned: " + describe(block.index, thread.index) + " accesses " +
              std::to_string(size) + " bytes at byte " +
              std::to_string(static_cast<std::int64_t>(at.offset)) + " of '" +
              objectName(at.object) + "', which is no multiple of " + std::to_string(instruction.c),
          pc);
      return false;
    }
  const std::uint8_t *source = resolve(block, *actor, from, size, pc, AccessKind::Read);
  std::uint8_t *target = source ? resolve(block, *actor, to, size, pc, AccessKind::Write) : nullptr;
  if (!target)
    return false;
  std::memmove(target, source, size);
  if (tainted) {
    const std::uint8_t any = localTaintAt(block, thread, from, size);
    if (!setLocalTaint(block, thread, to, size, any) && any) {
      thread.pc = pc;
      undefinedUse(block, thread, "a store");
    }
  }
  return true;
}

static std::uint64_t updated(const AtomicInfo &info, std::uint64_t old, std::uint64_t value,
                             std::uint64_t compare) {
  const auto kind = static_cast<ir::AtomicKind>(info.kind);
  const auto integers = [&](Op op) { return integerArithmetic(op, old, value, info.bits); };
  if (info.isFloat && kind != ir::AtomicKind::Exch && kind != ir::AtomicKind::Cas) {
    switch (kind) {
    case ir::AtomicKind::Add:
      return floatArithmetic(Op::FAdd, info.floatKind, old, value);
    case ir::AtomicKind::Sub:
      return floatArithmetic(Op::FSub, info.floatKind, old, value);
    case ir::AtomicKind::Min:
      return floatArithmetic(Op::FMinNum, info.floatKind, old, value);
    case ir::AtomicKind::Max:
      return floatArithmetic(Op::FMaxNum, info.floatKind, old, value);
    default:
      return value;
    }
  }
  switch (kind) {
  case ir::AtomicKind::Add:
    return truncated(old + value, info.bits);
  case ir::AtomicKind::Sub:
    return truncated(old - value, info.bits);
  case ir::AtomicKind::Cas:
    return old == compare ? value : old;
  case ir::AtomicKind::Min:
    return integers(Op::MinS);
  case ir::AtomicKind::Max:
    return integers(Op::MaxS);
  case ir::AtomicKind::Inc:
    return old >= value ? 0 : old + 1;
  case ir::AtomicKind::Dec:
    return old == 0 || old > value ? value : old - 1;
  case ir::AtomicKind::And:
    return old & value;
  case ir::AtomicKind::Or:
    return old | value;
  case ir::AtomicKind::Xor:
    return old ^ value;
  case ir::AtomicKind::Load:
    return old;
  default:
    return value; // exch, store
  }
}

std::uint64_t Machine::atomic(Block &block, Thread &thread, const Instruction &instruction) {
  const AtomicInfo &info = code.atomics[instruction.c];
  const std::uint64_t address = thread.registers[instruction.a];
  const auto kind = static_cast<ir::AtomicKind>(info.kind);
  const bool loads = kind == ir::AtomicKind::Load;
  const bool narrow = info.scope < static_cast<std::uint8_t>(ir::SyncScope::Grid);
  std::uint8_t *at = resolve(block, thread, address, info.bits / 8, thread.pc,
                             loads ? AccessKind::AtomicLoad : AccessKind::Atomic, narrow);
  if (!at)
    return 0;
  std::uint64_t old = 0;
  std::memcpy(&old, at, info.bits / 8);
  const std::uint64_t next = updated(info, old, info.value ? thread.registers[info.value] : 0,
                                     info.compare ? thread.registers[info.compare] : 0);
  std::memcpy(at, &next, info.bits / 8);
  const auto order = static_cast<ir::MemoryOrder>(info.order);
  const bool strongest = order >= ir::MemoryOrder::AcqRel;
  AtomicState &state = atomicState(block, address);
  if (kind != ir::AtomicKind::Store)
    acquire(block, thread, state, strongest || order == ir::MemoryOrder::Acquire);
  const bool failed = kind == ir::AtomicKind::Cas && old != thread.registers[info.compare];
  if (!loads && !failed)
    release(block, thread, state, strongest || order == ir::MemoryOrder::Release, narrow,
            kind != ir::AtomicKind::Store);
  if (launch.hashReads)
    thread.reads = mix(thread.reads, old);
  return old;
}

AtomicState &Machine::atomicState(const Block &block, std::uint64_t address) {
  // Every block has its own shared objects under the same addresses.
  const bool shared = address >> 32 == 0;
  const auto [at, isNew] =
      atomicStates.try_emplace(shared ? address | (std::uint64_t{block.index} + 1) << 32 : address);
  if (isNew)
    charge(sizeof(*at) + 2 * sizeof(void *));
  return at->second;
}

/// The thread read what others released at `state`. It knows it at its next fence, or at once if
/// the read is an acquire.
void Machine::acquire(Block &block, Thread &thread, AtomicState &state, bool strong) {
  for (const ClockRef &clock : {state.grid, state.block}) {
    if (!clock || (clock == state.block && state.blockIndex != block.index))
      continue;
    ClockRef &into = strong ? thread.known : thread.acquired;
    into = join(into, clock, block.index, agents);
  }
}

void Machine::release(Block &block, Thread &thread, AtomicState &state, bool strong, bool narrow,
                      bool keeps) {
  ClockRef clock = narrow ? thread.fencedBlock : thread.fencedGrid;
  if (strong) {
    clock = writable(thread.known);
    clock->home->at[thread.index] = thread.now++;
  }
  ClockRef &into = narrow ? state.block : state.grid;
  if (!keeps || (narrow && state.blockIndex != block.index))
    into.reset(); // a plain atomic store starts anew; an update goes on with what was released
  if (narrow)
    state.blockIndex = block.index;
  if (clock)
    into = into ? join(into, clock, into->home->block, agents) : clock;
}

/// Scope `thread`: the thread closes a group of asynchronous copies, or learns of those it waits
/// for.
void Machine::fenceCopies(Thread &thread, const Instruction &fence) {
  auto &groups = thread.copyGroups;
  if (fence.kind2 == CopyFence::Close) {
    groups.push_back(thread.asyncNow++);
    return;
  }
  std::uint32_t until = 0;
  if (fence.kind2 == CopyFence::WaitForAll) {
    until = thread.asyncNow++;
  } else if (fence.kind2 == CopyFence::Keep) {
    const auto keep = static_cast<std::size_t>(fence.immediate);
    until = keep < groups.size() ? groups[groups.size() - 1 - keep] : 0;
  } else if (thread.groupsWaitedFor < groups.size()) {
    until = groups[thread.groupsWaitedFor++];
  }
  thread.known = writable(thread.known);
  std::uint32_t &known = thread.known->home->at[threadsPerBlock + thread.index];
  known = std::max(known, until);
}

void Machine::fence(Block &block, Thread &thread, const Instruction &instruction) {
  const unsigned scope = instruction.kind;
  if (scope == static_cast<unsigned>(ir::SyncScope::Thread)) {
    if (code.hasAsync)
      fenceCopies(thread, instruction);
    return;
  }
  if (thread.acquired) {
    thread.known = join(thread.known, thread.acquired, block.index, agents);
    thread.acquired.reset();
  }
  thread.fencedBlock = writable(thread.known);
  thread.fencedBlock->home->at[thread.index] = thread.now++;
  if (scope >= static_cast<unsigned>(ir::SyncScope::Grid))
    thread.fencedGrid = thread.fencedBlock;
}

} // namespace warpdrf::interpreter
