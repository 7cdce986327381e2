// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/shadow.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>

namespace warpdrf::interpreter {

std::uint32_t SetPool::take() {
  if (unused.empty()) {
    sets.push_back(std::make_unique<RecordedSet>());
    return static_cast<std::uint32_t>(sets.size() - 1);
  }
  const std::uint32_t index = unused.back();
  unused.pop_back();
  return index;
}

void SetPool::give(std::uint32_t index) {
  RecordedSet &set = *sets[index];
  set.entries.clear();
  set.reads = set.atomicWrites = set.narrow = 0;
  set.tidyAt = 64;
  unused.push_back(index);
}

/// Zeroed pages come lazily: an object that is hardly touched costs hardly anything.
static Cell *allocate(std::uint64_t count) {
  static_assert(std::is_trivially_copyable_v<Cell>);
  void *memory = std::calloc(std::max<std::uint64_t>(count, 1), sizeof(Cell));
  if (!memory)
    std::abort(); // the machine's memory limit comes first
  return static_cast<Cell *>(memory);
}

Shadow::Shadow(std::uint64_t bytes, SetPool &pool, std::uint32_t agentsPerBlock, bool complete)
    : size(bytes), pool(pool), agents(agentsPerBlock), complete(complete) {
  count = (size + 3) >> shift;
  cells = allocate(count);
}

Shadow::~Shadow() {
  forget();
  std::free(cells);
}

void Shadow::forget() {
  for (std::uint64_t i = 0; i < count; ++i)
    if (cells[i].reader == manyReaders)
      pool.give(cells[i].readerClock);
  std::memset(static_cast<void *>(cells), 0, count * sizeof(Cell));
}

void Shadow::refine(std::uint64_t misalignment) {
  const unsigned fine = misalignment & 1 ? 0 : 1;
  if (fine >= shift)
    return;
  const std::uint64_t parts = std::uint64_t{1} << (shift - fine);
  const std::uint64_t fineCount = count * parts;
  Cell *split = allocate(fineCount);
  for (std::uint64_t i = 0; i < count; ++i)
    for (std::uint64_t k = 0; k < parts; ++k) {
      Cell &to = split[i * parts + k];
      to = cells[i];
      if (to.reader == manyReaders && k) {
        const std::uint32_t copy = pool.take();
        const std::size_t room = pool[copy].entries.capacity();
        pool[copy] = pool[cells[i].readerClock];
        pool.grew(pool[copy].entries.capacity() - room);
        to.readerClock = copy;
      }
    }
  std::free(cells);
  cells = split;
  count = fineCount;
  shift = fine;
}

/// The set of a cell; the one reader moves into it.
RecordedSet &Shadow::spill(Cell &cell) {
  if (cell.reader == manyReaders)
    return pool[cell.readerClock];
  const std::uint32_t index = pool.take();
  RecordedSet &set = pool[index];
  if (cell.reader) {
    const std::size_t room = set.entries.capacity();
    set.entries.push_back({cell.reader, cell.readerClock, cell.readerPc, AccessKind::Read, false});
    pool.grew(set.entries.capacity() - room);
    set.reads = 1;
  }
  cell.reader = manyReaders;
  cell.readerClock = index;
  return set;
}

/// Adds an entry; drops those of its kind that are ordered before it, since whatever is ordered
/// behind the new one is behind them too. They are looked for now and then only.
void Shadow::add(RecordedSet &set, const Recorded &entry, const Actor &actor) {
  if (!set.entries.empty()) {
    Recorded &last = set.entries.back();
    if (last.agent == entry.agent && alike(last, entry)) {
      last = entry;
      return;
    }
    const Recorded &first = set.entries.front();
    const bool stale = alike(first, entry) && ordered(first.agent, first.clock, actor);
    if (stale || set.entries.size() >= set.tidyAt) {
      std::erase_if(set.entries, [&](const Recorded &old) {
        return alike(old, entry) && ordered(old.agent, old.clock, actor);
      });
      if (set.entries.size() >= set.tidyAt) { // one entry per agent and kind is enough: its latest
        std::stable_sort(set.entries.begin(), set.entries.end(),
                         [](const Recorded &a, const Recorded &b) {
                           return std::tie(a.agent, a.kind, a.narrow, a.pc, b.clock) <
                                  std::tie(b.agent, b.kind, b.narrow, b.pc, a.clock);
                         });
        auto same = [&](const Recorded &a, const Recorded &b) {
          return a.agent == b.agent && alike(a, b);
        };
        set.entries.erase(std::unique(set.entries.begin(), set.entries.end(), same),
                          set.entries.end());
        set.tidyAt = std::max<std::size_t>(64, set.entries.size() * 2);
      }
      set.reads = set.atomicWrites = set.narrow = 0;
      for (const Recorded &each : set.entries) {
        set.reads += each.kind == AccessKind::Read;
        set.atomicWrites += each.kind == AccessKind::Atomic;
        set.narrow += each.narrow;
      }
    }
  }
  const std::size_t room = set.entries.capacity();
  set.entries.push_back(entry);
  pool.grew(set.entries.capacity() - room);
  set.reads += entry.kind == AccessKind::Read;
  set.atomicWrites += entry.kind == AccessKind::Atomic;
  set.narrow += entry.narrow;
}

/// An access in a complete shadow, where the set holds everything.
bool Shadow::remember(Cell &cell, const Actor &actor, std::uint32_t pc, AccessKind kind,
                      RaceListener &listener) {
  const std::uint32_t me = actor.block * agents + actor.agent + 1;
  const auto isRead = [](AccessKind k) {
    return k == AccessKind::Read || k == AccessKind::AtomicLoad;
  };
  const auto isAtomic = [](AccessKind k) {
    return k == AccessKind::Atomic || k == AccessKind::AtomicLoad;
  };
  RecordedSet &set = spill(cell);
  for (const Recorded &each : set.entries) {
    const bool same = each.agent == (actor.byWarp ? 0 : me);
    if (same || (isRead(each.kind) && isRead(kind)) || ordered(each.agent, each.clock, actor))
      continue;
    const bool outOfReach =
        (each.narrow || actor.narrow) && (each.agent - 1) / agents != actor.block;
    if (!(isAtomic(each.kind) && isAtomic(kind)) || outOfReach)
      conflict(each, actor, pc, kind, listener);
  }
  add(set, {me, actor.now, pc, kind, actor.narrow && isAtomic(kind), actor.size, actor.value},
      actor);
  return true;
}

void Shadow::readMany(Cell &cell, const Actor &actor, std::uint32_t pc, RaceListener &listener) {
  const std::uint32_t me = actor.block * agents + actor.agent + 1;
  RecordedSet &set = spill(cell);
  if (set.atomicWrites)
    for (const Recorded &each : set.entries)
      if (each.kind == AccessKind::Atomic && each.agent != (actor.byWarp ? 0 : me) &&
          !ordered(each.agent, each.clock, actor))
        conflict(each, actor, pc, AccessKind::Read, listener);
  add(set, {me, actor.now, pc, AccessKind::Read, false}, actor);
}

void Shadow::writeMany(Cell &cell, const Actor &actor, std::uint32_t pc, RaceListener &listener) {
  const std::uint32_t me = actor.block * agents + actor.agent + 1;
  for (const Recorded &each : pool[cell.readerClock].entries)
    if (each.agent != (actor.byWarp ? 0 : me) && !ordered(each.agent, each.clock, actor))
      conflict(each, actor, pc, AccessKind::Write, listener);
  pool.give(cell.readerClock);
}

bool Shadow::atomic(Cell &cell, const Actor &actor, std::uint32_t pc, AccessKind kind,
                    RaceListener &listener) {
  const std::uint32_t me = actor.block * agents + actor.agent + 1;
  const bool initialised = cell.initialised;
  if (cell.writer && cell.writer != me && !ordered(cell.writer, cell.writerClock, actor))
    conflict({cell.writer, cell.writerClock, cell.writerPc, AccessKind::Write, false}, actor, pc,
             kind, listener);
  RecordedSet &set = spill(cell);
  const bool writes = kind == AccessKind::Atomic;
  if ((writes && set.reads) || set.narrow || actor.narrow)
    for (const Recorded &each : set.entries) {
      const bool otherWrites = each.kind == AccessKind::Atomic;
      if (each.agent == me || (!writes && !otherWrites) || ordered(each.agent, each.clock, actor))
        continue;
      const bool outOfReach =
          (each.narrow || actor.narrow) && (each.agent - 1) / agents != actor.block;
      if (each.kind == AccessKind::Read || outOfReach)
        conflict(each, actor, pc, kind, listener);
    }
  add(set, {me, actor.now, pc, kind, actor.narrow}, actor);
  if (writes)
    cell.initialised = 1;
  return initialised;
}

} // namespace warpdrf::interpreter
