// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory: a thread's own objects are tracked cell by cell; accesses to shared and global objects
// become events, and what a read gives is an uninterpreted function of (object, version, offset).
#include "analysis/contract/executor.h"
#include "analysis/contract/planted.h"
#include "analysis/ir/attributes.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

bool isPrivate(ir::MemorySpace space) {
  return space == ir::MemorySpace::Local;
}

/// Written by no kernel: reads give the same for every thread and time.
bool isReadOnly(ir::MemorySpace space) {
  return space == ir::MemorySpace::Param || space == ir::MemorySpace::Constant;
}

/// Whether the kernel and a launch that is known give the atom's values.
bool isExact(const TermPool &pool, Term atom) {
  const Symbol &symbol = pool.symbolOf(atom);
  switch (symbol.kind) {
  case SymbolKind::Coordinate:
    return !symbol.below || constantOf(symbol.below);
  case SymbolKind::Counter:
    return symbol.range.hi < kUnbounded;
  case SymbolKind::Function: // its arguments count
    return true;
  default:
    return false;
  }
}

bool isDecidedHere(const TermPool &pool, Term term) {
  std::unordered_map<Term, bool> seen;
  bool exact = true;
  forEachAtom(term, seen, [&](Term atom) { exact &= isExact(pool, atom); });
  return exact;
}

} // namespace

std::int64_t Executor::objectFor(void *key, std::int64_t sub, ir::MemorySpace space,
                                 const std::string &name, std::int64_t size) {
  auto [entry, isNew] =
      objectIds.emplace(std::pair(key, sub), static_cast<std::int64_t>(trace->objects.size()));
  if (isNew)
    trace->objects.push_back({space, name, size, false});
  return entry->second;
}

std::vector<Executor::Pointee> Executor::resolve(Term pointer, mlir::Operation *op) {
  std::vector<Pointee> targets;
  std::function<void(Term, Term)> visit = [&](Term term, Term condition) {
    if (pool.isFalse(condition))
      return;
    if (term->op == Op::Ite) {
      visit(term->children[1], pool.conj(condition, term->children[0]));
      if (!planted(Bug::pointerChoice))
        visit(term->children[2], pool.conj(condition, pool.negate(term->children[0])));
    } else if (term->op == Op::Pointer) {
      targets.push_back({condition, term->value, term->children[0]});
    } else {
      std::int64_t object = objectFor(op, static_cast<std::int64_t>(term->id),
                                      ir::MemorySpace::Global, "unknown pointer", 0);
      targets.push_back({condition, object, pool.integer(0)});
    }
  };
  visit(pointer, pool.boolean(true));
  return targets;
}

/// Notes what has to hold of a number of bytes, unless the kernel alone decides it.
void Executor::demand(Term condition, Term bytes) {
  if (!pool.isTrue(condition) && state.within.size() < kMaxDemands && !isDecidedHere(pool, bytes) &&
      std::ranges::find(state.within, condition) == state.within.end())
    state.within.push_back(condition);
}

/// What the subscripts in an address demand, as far as it is computed where it is used.
void Executor::demandBounds(mlir::Value address) {
  while (auto moved = address.getDefiningOp<ir::OffsetOp>()) {
    if (const auto extent = moved.getExtent()) {
      Term bytes = value(moved.getBytes());
      demand(pool.conj(pool.le(pool.integer(0), bytes),
                       pool.lt(bytes, pool.integer(static_cast<std::int64_t>(*extent)))),
             bytes);
    }
    address = moved.getBase();
  }
}

/// The parameters among the factors of a product, if it has other factors, but no launch
/// dimension; else null.
static Term strideOf(TermPool &pool, Term product) {
  Term stride = pool.integer(1);
  bool digits = false;
  for (Term factor : product->children) {
    const bool launch = factor->op == Op::Atom && pool.symbolOf(factor).kind == SymbolKind::Launch;
    const bool counter =
        factor->op == Op::Atom && pool.symbolOf(factor).kind == SymbolKind::Counter;
    if (launch)
      return nullptr;
    if (factor->uniform == Uniform::Grid && !counter)
      stride = pool.mul(stride, factor);
    else
      digits = true;
  }
  return digits && !constantOf(stride) ? stride : nullptr;
}

/// An access of a vector's type has to be aligned; the objects themselves are. So have those of
/// other threads, whose rows are by one stride further on.
void Executor::demandAlignment(Term offset, std::int64_t bytes) {
  const auto demandMultiple = [&](Term term) {
    demand(pool.eq(pool.mod(term, pool.integer(bytes)), pool.integer(0)), term);
  };
  demandMultiple(offset);
  for (std::size_t i = 0; offset->op == Op::Linear && i < offset->children.size(); ++i)
    if (offset->children[i]->op == Op::Mul)
      if (Term stride = strideOf(pool, offset->children[i]))
        demandMultiple(pool.scale(stride, offset->coefficients[i]));
}

Event &Executor::accessEvent(Event::Kind kind, const Pointee &target, std::int64_t size,
                             mlir::Operation *op) {
  bool conditional = !pool.isTrue(target.condition);
  if (conditional)
    state.path.push_back(target.condition);
  Event &event = emit(kind, op);
  if (conditional)
    state.path.pop_back();
  event.object = target.object;
  event.offset = target.offset;
  if (auto copy = llvm::dyn_cast<ir::CopyOp>(op))
    demandBounds(kind == Event::Kind::Read ? copy.getSource() : copy.getDestination());
  else if (op->getNumOperands() && llvm::isa<ir::PtrType>(op->getOperand(0).getType()))
    demandBounds(op->getOperand(0));
  if (auto alignment = op->getAttrOfType<mlir::IntegerAttr>(ir::alignAttribute))
    demandAlignment(target.offset, alignment.getInt());
  event.within = state.within;
  noteStrides(target.offset);
  event.size = size;
  Object &object = trace->objects[static_cast<std::size_t>(target.object)];
  object.written |= event.writes();
  if (kind != Event::Kind::AsyncWrite)
    for (const State::Pending &copy : state.pending)
      if (copy.object == target.object)
        trace->ownCopies.push_back(
            {event.index, copy.offset, copy.size, copy.path, rangeOf(copy.op)});
  return event;
}

/// `fresh` (a volatile read's op) makes the value its own at each execution.
Term Executor::readShared(std::int64_t object, Term offset, std::int64_t size, unsigned version,
                          mlir::Operation *fresh) {
  if (auto known = reciprocals.find(object);
      known != reciprocals.end() && size == 4 && constantOf(offset) == known->second.divisor)
    return known->second.value;
  auto index = static_cast<std::size_t>(object);
  const Object &o = trace->objects[index];
  bool written = index < known.objects.size() ? known.objects[index].written : false;
  bool constant = isReadOnly(o.space) || (o.space == ir::MemorySpace::Global && !written);
  std::string name = o.name + "[]";
  Interval any{-kUnbounded, kUnbounded};
  if (constant) { // one version, for every thread and time; no counters among the arguments
    auto [entry, isNew] =
        keyedSymbols.emplace(std::tuple(nullptr, static_cast<std::uint64_t>(object),
                                        static_cast<std::uint64_t>(size), 0, 0, 0, 0),
                             0);
    if (isNew)
      entry->second =
          pool.addSymbol({SymbolKind::Input, name, Uniform::Grid, Uniform::Grid, false, any});
    Term argument[] = {offset};
    return pool.atom(entry->second, argument);
  }
  // Equal offsets in one barrier interval give equal values: where somebody may write in between,
  // atomically or not, there is a race to report, and no need to report what follows from it.
  Uniform uniform = fresh                            ? Uniform::Thread
                    : gridVersions.contains(version) ? Uniform::Grid
                                                     : Uniform::Block;
  std::uint64_t tag = mixHash(static_cast<std::uint64_t>(object), version);
  Symbol symbol{SymbolKind::Memory, name, uniform, uniform, false, any};
  Term extra[] = {offset};
  return keyedAtom(fresh ? fresh : kernel.getOperation(), mixHash(tag, size), symbol, extra);
}

/// One of a thread's own pointers, all of which are known: the choice is by where it stands.
Term Executor::readTable(const LocalMemory &memory, Term offset, std::int64_t size) {
  constexpr std::size_t kMaxTable = 16;
  if (memory.scrambled || !memory.copies.empty() || memory.cells.size() > kMaxTable)
    return nullptr;
  Term chosen = nullptr;
  for (auto &[at, cell] : memory.cells) {
    if (cell.size != size || !isPointer(cell.value))
      return nullptr;
    chosen = chosen ? pool.ite(pool.eq(offset, pool.integer(at)), cell.value, chosen) : cell.value;
  }
  return chosen;
}

Term Executor::readLocal(const LocalMemory &memory, std::int64_t object, Term offset,
                         std::int64_t size) {
  auto at = constantOf(offset);
  if (at) // a cell written since the last write at an unknown offset is known
    if (auto exact = memory.cells.find(*at);
        exact != memory.cells.end() && exact->second.size == size)
      return exact->second.value;
  if (Term chosen = at ? nullptr : readTable(memory, offset, size))
    return chosen;
  if (!at || memory.scrambled) {
    Uniform uniform = memory.scrambled ? Uniform::Thread : Uniform::Grid;
    Uniform givenLane = uniform;
    std::uint64_t contents = memory.scrambled ? memory.scrambled->id : 1;
    for (auto &[cellOffset, cell] : memory.cells) {
      uniform = std::min(uniform, cell.value->uniform);
      givenLane = std::min(givenLane, cell.value->uniformGivenLane);
      contents = mixHash(contents, mixHash(static_cast<std::uint64_t>(cellOffset), cell.value->id));
    }
    Term extra[] = {offset};
    return keyedAtom(kernel.getOperation(), mixHash(mixHash(contents, object), size),
                     {SymbolKind::Unknown,
                      trace->objects[static_cast<std::size_t>(object)].name,
                      uniform,
                      givenLane,
                      false,
                      {-kUnbounded, kUnbounded}},
                     extra);
  }
  bool overlapsCell = false;
  for (auto it = memory.cells.lower_bound(*at - 64);
       it != memory.cells.end() && it->first < *at + size; ++it)
    overlapsCell |= it->first + it->second.size > *at;
  if (!overlapsCell)
    for (auto it = memory.copies.rbegin(); it != memory.copies.rend(); ++it)
      if (it->offset <= *at && *at + size <= it->offset + it->size)
        return readShared(it->object, pool.addConstant(it->source, *at - it->offset), size,
                          it->version, nullptr);
  // A view of another width: a pure function of the cells below it.
  std::string layout = "bytes" + std::to_string(size);
  std::vector<Term> parts;
  for (auto it = memory.cells.lower_bound(*at - 64); it != memory.cells.end(); ++it) {
    if (it->first >= *at + size)
      break;
    if (it->first + it->second.size <= *at || it->second.value->op == Op::Pointer)
      continue;
    layout += ":" + std::to_string(it->first - *at) + "/" + std::to_string(it->second.size);
    parts.push_back(it->second.value);
  }
  if (parts.empty())
    return memory.zero ? pool.integer(0) : nullptr;
  return pool.apply(layout, parts, false);
}

void Executor::writeLocal(LocalMemory &memory, std::int64_t object, Term offset, std::int64_t size,
                          Term value) {
  auto at = constantOf(offset);
  if (!at) {
    Term extra[] = {offset};
    memory.scrambled = keyedAtom(kernel.getOperation(),
                                 mixHash(mixHash(static_cast<std::uint64_t>(object), value->id),
                                         memory.scrambled ? memory.scrambled->id : 0),
                                 {SymbolKind::Unknown,
                                  "a thread's own array",
                                  Uniform::Thread,
                                  Uniform::Thread,
                                  false,
                                  {-kUnbounded, kUnbounded}},
                                 extra);
    memory.cells.clear();
    memory.copies.clear();
    memory.zero = false;
    return;
  }
  eraseCells(memory, *at, size);
  memory.cells[*at] = {size, value};
}

Term Executor::read(Term pointer, std::int64_t size, bool isPointer, bool isBool,
                    mlir::Operation *op, ir::MemoryOrder order) {
  Term result = nullptr;
  for (const Pointee &target : resolve(pointer, op)) {
    Object &object = trace->objects[static_cast<std::size_t>(target.object)];
    Term got = nullptr;
    if (isPrivate(object.space)) {
      got = readLocal(state.locals.of(target.object), target.object, target.offset, size);
      if (!got)
        got = keyedAtom(op, 11,
                        {SymbolKind::Unknown,
                         "uninitialised " + object.name,
                         Uniform::Thread,
                         Uniform::Thread,
                         isBool,
                         {-kUnbounded, kUnbounded}});
    } else {
      bool isVolatile = order != ir::MemoryOrder::Plain;
      if (!isReadOnly(object.space))
        accessEvent(Event::Kind::Read, target, size, op);
      got = readShared(target.object, target.offset, size, state.versions[target.object],
                       isVolatile ? op : nullptr);
      noteForward(got, target.object, target.offset, size);
      if (Term stored = isVolatile ? nullptr : storedValue(target.object, target.offset, size))
        got = stored;
    }
    if (isPointer && got->op != Op::Pointer && got->op != Op::Ite) {
      // "The object loaded from there": one object for each place a pointer is loaded from.
      Object &from = trace->objects[static_cast<std::size_t>(target.object)];
      std::string name = "*" + from.name;
      const std::int64_t object =
          objectFor(reinterpret_cast<void *>(std::uintptr_t{1}), static_cast<std::int64_t>(got->id),
                    ir::MemorySpace::Global, name, 0);
      present.emplace(object, pool.apply("pointer!=0", std::initializer_list<Term>{got}, true));
      got = pool.pointer(object, pool.integer(0));
    }
    if (isBool && !got->boolean)
      got = pool.negate(pool.eq(got, pool.integer(0)));
    result = result ? pool.ite(target.condition, got, result) : got;
  }
  return result ? result : pool.integer(0);
}

void Executor::write(Term pointer, Term value, std::int64_t size, mlir::Operation *op,
                     ir::MemoryOrder order) {
  for (const Pointee &target : resolve(pointer, op)) {
    Object &object = trace->objects[static_cast<std::size_t>(target.object)];
    if (isPrivate(object.space)) {
      LocalMemory &memory = state.locals.change(target.object);
      Term stored = value;
      if (!pool.isTrue(target.condition))
        if (Term old = readLocal(memory, target.object, target.offset, size))
          stored = pool.ite(target.condition, value, old);
      writeLocal(memory, target.object, target.offset, size, stored);
      continue;
    }
    Event &event = accessEvent(Event::Kind::Write, target, size, op);
    event.value = value;
    state.versions[target.object] = nextVersion++;
    noteWrite(target, size, value);
    noteStored(event, value);
  }
}

void Executor::eraseCells(LocalMemory &memory, std::int64_t at, std::int64_t size) {
  for (auto it = memory.cells.lower_bound(at - 64);
       it != memory.cells.end() && it->first < at + size;) {
    if (it->first + it->second.size > at)
      it = memory.cells.erase(it);
    else
      ++it;
  }
}

/// The general copy into a thread's own record: word by word, from whatever the source may be.
void Executor::copyWords(const std::vector<Pointee> &from, const Pointee &to, std::int64_t size,
                         mlir::Operation *op) {
  for (std::int64_t at = 0; at < size; at += 4) {
    std::int64_t word = std::min<std::int64_t>(4, size - at);
    Term got = nullptr;
    for (const Pointee &t : from) {
      Term offset = pool.addConstant(t.offset, at);
      bool own = isPrivate(trace->objects[static_cast<std::size_t>(t.object)].space);
      Term part = own ? readLocal(state.locals.of(t.object), t.object, offset, word)
                      : readShared(t.object, offset, word, state.versions[t.object], nullptr);
      if (part)
        got = got ? pool.ite(t.condition, part, got) : part;
    }
    if (got)
      write(pool.pointer(to.object, pool.addConstant(to.offset, at)), got, word, op,
            ir::MemoryOrder::Plain);
  }
}

void Executor::copy(ir::CopyOp op) {
  auto size = static_cast<std::int64_t>(op.getSize());
  auto from = resolve(value(op.getSource()), op), to = resolve(value(op.getDestination()), op);
  bool local = to.size() == 1 && from.size() == 1 &&
               isPrivate(trace->objects[static_cast<std::size_t>(to[0].object)].space) &&
               isPrivate(trace->objects[static_cast<std::size_t>(from[0].object)].space);
  auto fromAt = local ? constantOf(from[0].offset) : std::nullopt;
  auto toAt = local ? constantOf(to[0].offset) : std::nullopt;
  if (fromAt && toAt && !state.locals.of(from[0].object).scrambled) {
    // Cell by cell, so that nothing is lost between two records of one thread.
    LocalMemory source = state.locals.of(from[0].object);
    LocalMemory &target = state.locals.change(to[0].object);
    eraseCells(target, *toAt, size);
    target.zero |= source.zero;
    for (const LocalMemory::Copy &c : source.copies)
      if (c.offset >= *fromAt && c.offset + c.size <= *fromAt + size)
        target.copies.push_back(
            {c.offset - *fromAt + *toAt, c.size, c.object, c.source, c.version});
      else if (c.offset <= *fromAt && *fromAt + size <= c.offset + c.size)
        target.copies.push_back(
            {*toAt, size, c.object, pool.addConstant(c.source, *fromAt - c.offset), c.version});
    for (auto &[offset, cell] : source.cells)
      if (offset >= *fromAt && offset + cell.size <= *fromAt + size)
        target.cells[offset - *fromAt + *toAt] = cell;
    return;
  }
  for (const Pointee &t : from) { // one access of the whole size
    ir::MemorySpace space = trace->objects[static_cast<std::size_t>(t.object)].space;
    if (!isPrivate(space) && !isReadOnly(space))
      accessEvent(Event::Kind::Read, t, size, op);
  }
  bool toPrivate =
      to.size() == 1 && isPrivate(trace->objects[static_cast<std::size_t>(to[0].object)].space);
  auto at = toPrivate ? constantOf(to[0].offset) : std::nullopt;
  bool fromPrivate =
      from.size() != 1 || isPrivate(trace->objects[static_cast<std::size_t>(from[0].object)].space);
  if (at && !fromPrivate) {
    LocalMemory &target = state.locals.change(to[0].object);
    eraseCells(target, *at, size);
    target.copies.push_back(
        {*at, size, from[0].object, from[0].offset, state.versions[from[0].object]});
    return;
  }
  for (const Pointee &t : to) {
    if (isPrivate(trace->objects[static_cast<std::size_t>(t.object)].space)) {
      copyWords(from, t, size, op);
      continue;
    }
    Event &event =
        accessEvent(op.getAsync() ? Event::Kind::AsyncWrite : Event::Kind::Write, t, size, op);
    if (from.size() == 1) // the same contents, where both are known
      event.value =
          isPrivate(trace->objects[static_cast<std::size_t>(from[0].object)].space)
              ? readLocal(state.locals.of(from[0].object), from[0].object, from[0].offset, size)
              : readShared(from[0].object, from[0].offset, size, state.versions[from[0].object],
                           nullptr);
    if (op.getAsync()) {
      State::Pending pending{t.object, size, t.offset, op, event.path};
      if (op.getBarrier())
        if (auto barrier = resolve(value(op.getBarrier()), op); barrier.size() == 1)
          pending.barrier = {barrier[0].object, barrier[0].offset};
      state.pending.push_back(std::move(pending));
    }
    state.versions[t.object] = nextVersion++;
    forgetWrites(t.object);
    noteStored(event, nullptr);
  }
}

void Executor::fill(ir::FillOp op) {
  auto size = static_cast<std::int64_t>(op.getSize());
  for (const Pointee &target : resolve(value(op.getDestination()), op)) {
    Object &object = trace->objects[static_cast<std::size_t>(target.object)];
    if (!isPrivate(object.space)) {
      Event &event = accessEvent(Event::Kind::Write, target, size, op);
      event.value = pool.integer(0);
      forgetWrites(target.object);
      noteStored(event, nullptr);
      state.versions[target.object] = nextVersion++;
      continue;
    }
    auto at = constantOf(target.offset);
    if (at && *at == 0 && size >= object.size) {
      LocalMemory &memory = state.locals.change(target.object);
      memory = {};
      memory.zero = true;
      continue;
    }
    for (std::int64_t i = 0; i < size; i += 4)
      writeLocal(state.locals.change(target.object), target.object,
                 pool.addConstant(target.offset, i), std::min<std::int64_t>(4, size - i),
                 pool.integer(0));
  }
}

void Executor::atomic(ir::AtomicOp op) {
  mlir::Type type = op.getOld().getType();
  std::int64_t size = bytesOf(type);
  auto places = resolve(value(op.getAddress()), op);
  for (const Pointee &target : places) {
    if (isPrivate(trace->objects[static_cast<std::size_t>(target.object)].space)) {
      LocalMemory &memory = state.locals.change(target.object);
      writeLocal(memory, target.object, target.offset, size,
                 keyedAtom(op, 12,
                           {SymbolKind::Unknown,
                            "what an atomic leaves",
                            Uniform::Thread,
                            Uniform::Thread,
                            false,
                            {-kUnbounded, kUnbounded}}));
      continue;
    }
    Event &event = accessEvent(Event::Kind::Atomic, target, size, op);
    event.scope = op.getScope();
    forgetWrites(target.object);
    noteStored(event, nullptr);
    if (!op.getArguments().empty())
      event.value = value(op.getArguments().back());
    state.versions[target.object] = nextVersion++;
  }
  Term old = keyedAtom(op, 13,
                       {SymbolKind::Memory,
                        "what an atomic gives",
                        Uniform::Thread,
                        Uniform::Thread,
                        type.isInteger(1),
                        {-kUnbounded, kUnbounded}});
  bool adds = op.getKind() == ir::AtomicKind::Add || op.getKind() == ir::AtomicKind::Inc;
  if (adds && places.size() == 1 && !op.getArguments().empty()) {
    Term amount =
        op.getKind() == ir::AtomicKind::Inc ? pool.integer(1) : value(op.getArguments()[0]);
    if (amount->range.lo >= 0)
      trace->tickets[static_cast<unsigned>(old->value)] = {places[0].object, places[0].offset,
                                                           amount, counterArguments()};
  }
  define(op.getOld(), old);
}

/// A fence of scope `thread` closes a group of this thread's asynchronous copies, or waits for
/// some: for all but the newest groups, for the oldest group, or for every copy (pipelines.cpp).
void Executor::waitForCopies(ir::FenceOp op) {
  auto complete = [&](unsigned age) {
    std::erase_if(state.pending,
                  [&](const State::Pending &p) { return p.age >= age && !p.barrier; });
  };
  if (op->hasAttr(ir::commitAttribute)) {
    for (State::Pending &p : state.pending)
      ++p.age;
    if (state.openGroups)
      ++*state.openGroups;
  } else if (auto keep = op->getAttrOfType<mlir::IntegerAttr>(ir::keepAttribute)) {
    complete(static_cast<unsigned>(keep.getInt()) + 1);
    if (state.openGroups)
      state.openGroups = std::min(*state.openGroups, static_cast<unsigned>(keep.getInt()));
  } else if (op->hasAttr(ir::oldestAttribute) && state.openGroups && *state.openGroups > 0) {
    complete((*state.openGroups)--);
  } else {
    if (op->hasAttr(ir::oldestAttribute))
      unsupported("a wait for the oldest of a number of copies that is not known", op);
    complete(0);
    state.openGroups = 0;
  }
}

/// A copy that nobody waited for is still in flight behind a barrier.
void Executor::reissuePending() {
  for (const State::Pending &p : state.pending) {
    std::vector<Term> path = state.path;
    state.path.insert(state.path.end(), p.path.begin(), p.path.end());
    Event &event = accessEvent(Event::Kind::AsyncWrite, {pool.boolean(true), p.object, p.offset},
                               p.size, p.op);
    event.arrival = p.arrival;
    noteStored(event, nullptr);
    state.path = std::move(path);
  }
}

void Executor::bumpVersions(bool block, bool grid) {
  for (auto &[place, write] : state.singleWrites)
    write.ready |= block;
  if (block)
    publishContents();
  for (std::size_t i = 0; i < trace->objects.size(); ++i) {
    const Object &object = trace->objects[i];
    bool shared = object.space == ir::MemorySpace::Shared;
    bool global = object.space == ir::MemorySpace::Global && i < known.objects.size() &&
                  known.objects[i].written;
    if (shared || (global && block)) {
      if (global && grid)
        gridVersions.insert(nextVersion);
      state.versions[static_cast<std::int64_t>(i)] = nextVersion++;
    }
  }
}

} // namespace warpdrf::contract
