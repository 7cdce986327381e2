// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Race detection: per cell of an object the last plain write and the reads and atomics since then
// that no later one of the same kind is ordered behind. So every racing cell is found, but not
// every pair: a write hides what came before it. A complete shadow, which costs more, remembers
// writes like reads, and each instruction's accesses for themselves: whatever races with an access
// that is dropped also races with the later one of the same instruction that it was dropped for. A
// cell is 4 bytes until an access that is smaller or not aligned makes the whole object's cells
// smaller.
#pragma once

#include "analysis/interpreter/clock.h"

#include <cstddef>
#include <memory>

namespace warpdrf::interpreter {

enum class AccessKind : std::uint8_t { Read, Write, Atomic, AtomicLoad };

/// Who accesses. `agent` counts within the block.
struct Actor {
  std::uint32_t block = 0, agent = 0;
  std::uint32_t now = 0; ///< the agent's own clock
  const Clock *known = nullptr;
  bool narrow = false; ///< of an atomic: its scope does not reach other blocks
  /// A matrix operation: its earlier instances are no more known to it than to others.
  bool byWarp = false;
  std::uint64_t value = 0; ///< of a write of `size` bytes; none if that is 0
  std::uint8_t size = 0;
};

struct Recorded {
  std::uint32_t agent = 0; ///< global: block * agents per block + agent, plus 1; 0: nobody
  std::uint32_t clock = 0, pc = 0;
  AccessKind kind = AccessKind::Read;
  bool narrow = false;
  /// What a write wrote, which only a complete shadow knows: memory may have something else.
  std::uint8_t size = 0;
  std::uint64_t value = 0;
};

/// Reads and atomics of one cell that did not fit into it.
struct RecordedSet {
  std::vector<Recorded> entries;
  std::uint32_t reads = 0, atomicWrites = 0, narrow = 0;
  std::size_t tidyAt = 64;
};

struct Cell {
  std::uint32_t writer = 0, writerClock = 0, writerPc = 0;
  std::uint32_t reader = 0; ///< one plain reader; `manyReaders`: `readerClock` numbers a set
  std::uint32_t readerClock = 0, readerPc = 0;
  std::uint32_t initialised = 0;
};
constexpr std::uint32_t manyReaders = ~0u;

/// Told of every conflict that nothing orders.
class RaceListener {
public:
  virtual ~RaceListener() = default;
  virtual void conflict(const Recorded &first, const Actor &second, std::uint32_t pc,
                        AccessKind kind) = 0;
};

/// The sets of all cells of a machine, reused.
class SetPool {
public:
  std::uint32_t take();
  void give(std::uint32_t index);
  RecordedSet &operator[](std::uint32_t index) { return *sets[index]; }
  std::size_t size() const { return sets.size(); }
  void grew(std::size_t entries) { entryCount += entries; }
  std::uint64_t bytes() const {
    return sets.size() * (sizeof(RecordedSet) + sizeof(void *)) + entryCount * sizeof(Recorded);
  }

private:
  std::uint64_t entryCount = 0; ///< room for entries in all sets
  std::vector<std::unique_ptr<RecordedSet>> sets;
  std::vector<std::uint32_t> unused;
};

class Shadow {
public:
  Shadow(std::uint64_t bytes, SetPool &pool, std::uint32_t agentsPerBlock, bool complete);
  ~Shadow();
  Shadow(const Shadow &) = delete;

  /// Checks an access against what is recorded and records it. False if a read found bytes that
  /// nothing has written.
  bool access(const Actor &actor, std::uint32_t pc, AccessKind kind, std::uint64_t offset,
              std::uint64_t size, RaceListener &listener) {
    const std::uint64_t grain = std::uint64_t{1} << shift;
    if ((offset | size) & (grain - 1))
      refine(offset | size);
    bool initialised = true;
    const std::uint64_t last = (offset + size - 1) >> shift;
    for (std::uint64_t i = offset >> shift; i <= last; ++i)
      initialised &= one(cells[i], actor, pc, kind, listener);
    return initialised;
  }

  void forget(); ///< as if nothing had been accessed
  std::uint64_t bytes() const { return count * sizeof(Cell); }

private:
  bool one(Cell &cell, const Actor &actor, std::uint32_t pc, AccessKind kind,
           RaceListener &listener) {
    if (complete)
      return remember(cell, actor, pc, kind, listener);
    const std::uint32_t me = actor.block * agents + actor.agent + 1;
    const std::uint32_t same = actor.byWarp ? 0 : me; // whose accesses need no comparing
    if (kind == AccessKind::Read) {
      if (cell.reader == me && cell.readerClock == actor.now && cell.writer == 0)
        return cell.initialised;
      if (cell.writer && cell.writer != same && !ordered(cell.writer, cell.writerClock, actor))
        conflict({cell.writer, cell.writerClock, cell.writerPc, AccessKind::Write, false}, actor,
                 pc, kind, listener);
      if (cell.reader == manyReaders ||
          (cell.reader && cell.reader != same && !ordered(cell.reader, cell.readerClock, actor))) {
        readMany(cell, actor, pc, listener);
      } else {
        cell.reader = me;
        cell.readerClock = actor.now;
        cell.readerPc = pc;
      }
      return cell.initialised;
    }
    if (kind == AccessKind::Write) {
      if (cell.writer && cell.writer != same && !ordered(cell.writer, cell.writerClock, actor))
        conflict({cell.writer, cell.writerClock, cell.writerPc, AccessKind::Write, false}, actor,
                 pc, kind, listener);
      if (cell.reader) {
        if (cell.reader == manyReaders)
          writeMany(cell, actor, pc, listener);
        else if (cell.reader != same && !ordered(cell.reader, cell.readerClock, actor))
          conflict({cell.reader, cell.readerClock, cell.readerPc, AccessKind::Read, false}, actor,
                   pc, kind, listener);
        cell.reader = 0;
      }
      cell.writer = me;
      cell.writerClock = actor.now;
      cell.writerPc = pc;
      cell.initialised = 1;
      return true;
    }
    return atomic(cell, actor, pc, kind, listener);
  }

  /// Whether what the agent (global, plus 1) did at its clock is known to the actor.
  bool ordered(std::uint32_t other, std::uint32_t clock, const Actor &actor) const {
    const std::uint32_t local = other - 1 - actor.block * agents;
    if (local < agents)
      return (local == actor.agent && (!actor.byWarp || clock == actor.now)) ||
             actor.known->home->at[local] >= clock;
    return actor.known->of((other - 1) / agents, (other - 1) % agents) >= clock;
  }

  void conflict(const Recorded &first, const Actor &actor, std::uint32_t pc, AccessKind kind,
                RaceListener &listener) const {
    listener.conflict(first, actor, pc, kind);
  }
  void readMany(Cell &cell, const Actor &actor, std::uint32_t pc, RaceListener &listener);
  void writeMany(Cell &cell, const Actor &actor, std::uint32_t pc, RaceListener &listener);
  bool atomic(Cell &cell, const Actor &actor, std::uint32_t pc, AccessKind kind,
              RaceListener &listener);
  bool remember(Cell &cell, const Actor &actor, std::uint32_t pc, AccessKind kind,
                RaceListener &listener);
  bool alike(const Recorded &a, const Recorded &b) const {
    return a.kind == b.kind && a.narrow == b.narrow && (!complete || a.pc == b.pc);
  }
  RecordedSet &spill(Cell &cell);
  void add(RecordedSet &set, const Recorded &entry, const Actor &actor);
  void refine(std::uint64_t misalignment);

  Cell *cells = nullptr;
  std::uint64_t count = 0, size;
  unsigned shift = 2;
  SetPool &pool;
  std::uint32_t agents;
  bool complete;
};

} // namespace warpdrf::interpreter
