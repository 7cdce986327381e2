// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What shared arrays hold: where one thread alone wrote a cell, and where one rule tells it of
// every cell (shared_contents.h).
#include "analysis/contract/executor.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

constexpr std::size_t kMaxWrites = 16; ///< to one object that are kept apart

/// Whether a condition is the same for the whole block wherever it is asked.
bool isSettled(const TermPool &pool, Term condition) {
  if (condition->uniform < Uniform::Block)
    return false;
  bool settled = true;
  std::unordered_map<Term, bool> seen;
  forEachAtom(condition, seen,
              [&](Term atom) { settled &= pool.symbolOf(atom).kind <= SymbolKind::Parameter; });
  return settled;
}

bool hasAll(const std::vector<Term> &terms, Term wanted) {
  return std::ranges::find(terms, wanted) != terms.end();
}

/// Whether every thread that does `old` also does `write`, which runs now: what the whole block
/// agrees on holds now.
bool replaces(const StoredWrite &write, const StoredWrite &old) {
  return write.offset == old.offset && write.size == old.size &&
         std::ranges::all_of(write.path, [&](Term condition) {
           return condition->uniform >= Uniform::Block || hasAll(old.path, condition);
         });
}

void cover(Interval &bytes, Interval more) {
  if (more.lo == more.hi)
    return;
  const bool isEmpty = bytes.lo == bytes.hi;
  bytes.lo = isEmpty ? more.lo : std::min(bytes.lo, more.lo);
  bytes.hi = isEmpty ? more.hi : std::max(bytes.hi, more.hi);
}

/// Where a write goes.
Interval bytesOf(const StoredWrite &write) {
  return {write.offset->range.lo, write.offset->range.hi + write.size};
}

/// Keeps a write that has a rule, or that meets one that has; of others only where they go.
void add(StoredContents &contents, const StoredWrite &write) {
  if (std::ranges::find(contents.writes, write) != contents.writes.end())
    return;
  const bool meets = std::ranges::any_of(
      contents.writes, [&](const StoredWrite &old) { return old.offset == write.offset; });
  if ((write.value || meets) && contents.writes.size() < kMaxWrites)
    contents.writes.push_back(write);
  else
    cover(contents.others, bytesOf(write));
}

void join(StoredContents &contents, const StoredContents &other) {
  for (const StoredWrite &write : other.writes)
    add(contents, write);
  cover(contents.others, other.others);
  contents.fromLoop |= other.fromLoop;
}

bool overlaps(Interval bytes, Term offset, std::int64_t size) {
  return bytes.lo != bytes.hi && bytes.lo < offset->range.hi + size && offset->range.lo < bytes.hi;
}

} // namespace

void Executor::forgetWrites(std::int64_t object) {
  std::erase_if(state.singleWrites, [&](auto &entry) { return entry.first.first == object; });
}

/// Remembers the write if it is the only one of its place; any other makes the place's contents
/// unknown.
void Executor::noteWrite(const Pointee &target, std::int64_t size, Term value) {
  if (target.offset->uniform < Uniform::Block ||
      trace->objects[static_cast<std::size_t>(target.object)].space != ir::MemorySpace::Shared)
    return forgetWrites(target.object);
  bool overlaps = false;
  std::erase_if(state.singleWrites, [&](auto &entry) {
    if (entry.first.first != target.object)
      return false;
    auto distance = constantOf(pool.sub(target.offset, entry.second.offset));
    bool meets = !distance || (*distance < entry.second.size && -*distance < size);
    overlaps |= meets && !entry.second.ready;
    return meets;
  });
  if (!overlaps)
    state.singleWrites[{target.object, target.offset->id}] = {target.offset, size, value,
                                                              state.path, false};
}

/// Ties a value read to the one write it can come from: made before the last barrier, by a thread
/// that the write's path picks; what else the path says holds for the reader too.
void Executor::noteForward(Term read, std::int64_t object, Term offset, std::int64_t size) {
  if (read->op != Op::Atom)
    return;
  auto found = state.singleWrites.find({object, offset->id});
  if (found == state.singleWrites.end() || !found->second.ready || found->second.size != size)
    return;
  for (Term term : found->second.path)
    if (term->uniform >= Uniform::Block &&
        std::find(state.path.begin(), state.path.end(), term) == state.path.end())
      return;
  trace->forwards[static_cast<unsigned>(read->value)] = {found->second.value, found->second.path,
                                                         counterArguments()};
}

StoredContents &Executor::contentsOf(std::int64_t object) {
  auto copy = std::make_shared<StoredContents>();
  if (auto &entry = state.contents[object])
    *copy = *entry;
  state.contents[object] = copy;
  return *copy;
}

/// The rule by which a write fills its cells: its value less the number of the cell, or the value
/// itself where that is a number.
Term Executor::ruleOf(const StoredWrite &write, bool &counts) {
  if (!write.value || write.value->boolean || write.value->op == Op::Pointer)
    return nullptr;
  counts = !constantOf(write.value);
  Term rule = counts ? pool.sub(pool.scale(write.value, write.size), write.offset) : write.value;
  return constantOf(rule) ? rule : nullptr;
}

/// Remembers a write of shared memory; a null value is one that is not known.
void Executor::noteStored(const Event &event, Term value) {
  constexpr std::int64_t kWord = 4; // narrower values may wrap around
  if (trace->objects[static_cast<std::size_t>(event.object)].space != ir::MemorySpace::Shared)
    return;
  StoredWrite write{event.offset, event.size, value, event.path, false};
  bool counts = false;
  if (value && (event.size < kWord || !ruleOf(write, counts)))
    write.value = nullptr;
  StoredContents &contents = contentsOf(event.object);
  const bool known = std::erase_if(contents.writes, [&](const StoredWrite &old) {
                       return replaces(write, old);
                     }) != 0;
  if (known)
    contents.writes.push_back(write);
  else
    add(contents, write);
}

/// All threads of the block have come to a barrier.
void Executor::publishContents() {
  const auto isOpen = [](const StoredWrite &write) { return !write.ready; };
  for (auto &[object, contents] : state.contents)
    if (std::ranges::any_of(contents->writes, isOpen))
      for (StoredWrite &write : contentsOf(object).writes)
        write.ready = true;
}

/// What threads that return alone have written stays.
void Executor::noteLeaving() {
  if (std::ranges::all_of(state.path, [](Term term) { return term->uniform >= Uniform::Block; }))
    return;
  for (auto &[object, contents] : state.contents) {
    auto all = std::make_shared<StoredContents>(*contents);
    if (auto &before = left[object])
      join(*all, *before);
    left[object] = all;
  }
}

/// What a read gives by the one rule that all writes it may see follow; null if there is none.
Term Executor::storedValue(std::int64_t object, Term offset, std::int64_t size) {
  auto found = state.contents.find(object);
  if (found == state.contents.end())
    return nullptr;
  StoredContents contents = *found->second;
  if (auto gone = left.find(object); gone != left.end())
    join(contents, *gone->second);
  if (contents.fromLoop || overlaps(contents.others, offset, size))
    return nullptr;
  Term common = nullptr;
  bool counting = false;
  Interval written{0, 0};
  for (const StoredWrite &write : contents.writes) {
    if (!overlaps(bytesOf(write), offset, size))
      continue;
    if (!write.ready)
      return nullptr; // other threads may not have come there
    cover(written, bytesOf(write));
    bool counts = false;
    Term rule = write.size == size ? ruleOf(write, counts) : nullptr;
    if (!rule || (common && (rule != common || counts != counting)))
      return nullptr;
    common = rule;
    counting = counts;
  }
  if (offset->range.lo < written.lo || offset->range.hi + size > written.hi)
    return nullptr; // or what nobody has written
  if (!common || !counting)
    return common;
  return pool.div(pool.add(offset, common), pool.integer(size));
}

/// Inside of a loop nothing is known of what earlier iterations have written.
void Executor::enterLoopContents(std::int64_t object) {
  if (trace->objects[static_cast<std::size_t>(object)].space == ir::MemorySpace::Shared)
    contentsOf(object).fromLoop = true;
}

/// Behind a loop an object may hold what it held before and what any iteration has written.
void Executor::leaveLoopContents(State &after, const State &before, const Iteration &iteration,
                                 std::int64_t object) {
  auto merged = std::make_shared<StoredContents>();
  if (auto found = before.contents.find(object); found != before.contents.end())
    *merged = *found->second;
  const bool wasFromLoop = merged->fromLoop;
  const auto include = [&](const State &end) {
    if (auto found = end.contents.find(object); found != end.contents.end())
      join(*merged, *found->second);
  };
  include(iteration.end);
  for (const State &end : iteration.breaks)
    include(end);
  merged->fromLoop = wasFromLoop;
  after.contents[object] = merged;
}

/// Drops writes that cannot have happened on the way to a state: only under a condition that the
/// whole block agrees on, and that does not hold there.
void Executor::dropImpossible(StoredContents &contents, std::span<const Term> holds) {
  std::erase_if(contents.writes, [&](const StoredWrite &write) {
    return std::ranges::any_of(write.path, [&](Term condition) {
      return isSettled(pool, condition) &&
             std::ranges::find(holds, pool.negate(condition)) != holds.end();
    });
  });
}

/// Behind a branch there may be what either arm has left.
void Executor::mergeContents(State &result, std::span<const Term> mine, const State &other,
                             std::span<const Term> theirs) {
  for (auto &[object, contents] : other.contents) {
    std::shared_ptr<const StoredContents> &entry = result.contents[object];
    if (entry == contents)
      continue;
    auto merged = std::make_shared<StoredContents>();
    if (entry)
      *merged = *entry;
    dropImpossible(*merged, mine);
    StoredContents arm = *contents;
    dropImpossible(arm, theirs);
    join(*merged, arm);
    entry = merged;
  }
}

} // namespace warpdrf::contract
