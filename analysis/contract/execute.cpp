// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow without loops: blocks, branches, switches, calls, returns, and how states meet
// again.
#include "analysis/contract/executor.h"
#include "analysis/contract/lockstep.h"
#include "analysis/contract/planted.h"
#include "analysis/ir/attributes.h"

namespace warpdrf::contract {

namespace {

/// Ops executed in one run before it is given up as too large.
constexpr std::size_t kStepLimit = 3'000'000;

} // namespace

Range rangeOf(mlir::Location location) {
  auto range = location->findInstanceOf<mlir::FileLineColRange>();
  if (!range)
    return {};
  return {range.getFilename().str(),
          {range.getStartLine(), range.getStartColumn()},
          {range.getEndLine(), range.getEndColumn()}};
}

Range rangeOf(mlir::Operation *op) {
  return rangeOf(op->getLoc());
}

DimensionsRead dimensionsRead(ir::FuncOp kernel) {
  DimensionsRead read;
  std::set<mlir::Operation *> seen;
  std::function<void(mlir::Operation *)> visit = [&](mlir::Operation *function) {
    if (!function || !seen.insert(function).second)
      return;
    function->walk([&](mlir::Operation *op) {
      if (auto call = llvm::dyn_cast<ir::CallOp>(op))
        visit(mlir::SymbolTable::lookupNearestSymbolFrom(op, call.getCalleeAttr()));
      if (auto special = llvm::dyn_cast<ir::SpecialOp>(op)) {
        auto which = static_cast<unsigned>(special.getWhich());
        if (which < 12) // tid, bid, bdim, gdim by x, y, z
          ((which / 3) % 2 == 0 ? read.block : read.grid)[which % 3] = true;
      }
    });
  };
  visit(kernel);
  return read;
}

std::unique_ptr<Trace> execute(const Execution &execution) {
  std::unique_ptr<Trace> first = Executor(execution, {}).run();
  Executor::Known known{{first->objects.begin(), first->objects.end()}, {}};
  if (!execution.options.assumptionsOff.contains("extents"))
    for (Term extent : first->extents)
      known.extents.insert(execution.pool.symbolOf(extent).name);
  return Executor(execution, known).run();
}

Executor::Executor(const Execution &execution, const Known &known)
    : execution(execution), kernel(execution.kernel), pool(execution.pool),
      trace(std::make_unique<Trace>()), known(known) {}

std::unique_ptr<Trace> Executor::run() {
  Frame frame;
  frame.isKernel = true;
  frames.push_back(&frame);
  sequence = &trace->body;
  callStack.push_back(kernel);
  bindParameters();
  if (!kernel.isDeclaration()) {
    addAssumptions();
    runBlock(kernel.getBody().front());
  }
  noteDividedArrivals();
  shareLockstepValues(pool, *trace);
  return std::move(trace);
}

bool Executor::outOfBudget() {
  if (++steps % 256 == 0 && (execution.cancelled() || execution.budget.spent()))
    trace->incomplete = true;
  if (steps > kStepLimit)
    trace->incomplete = true;
  return trace->incomplete;
}

void Executor::runBlock(mlir::Block &block) {
  for (mlir::Operation &op : block) {
    if (state.dead || outOfBudget())
      return;
    runOp(&op);
  }
}

void Executor::runOp(mlir::Operation *op) {
  if (runArithmetic(op))
    return;
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<ir::IfOp>([&](auto o) { runIf(o); })
      .Case<ir::LoopOp>([&](auto o) { runLoop(o); })
      .Case<ir::SwitchOp>([&](auto o) { runSwitch(o); })
      .Case<ir::CallOp>([&](auto o) { runCall(o); })
      .Case<ir::ReturnOp>([&](auto o) { runReturn(o); })
      .Case<ir::BreakOp>([&](auto) {
        targets.back()->breaks.push_back(state);
        state.dead = true;
      })
      .Case<ir::ContinueOp>([&](auto) {
        for (auto it = targets.rbegin(); it != targets.rend(); ++it)
          if ((*it)->isLoop) {
            (planted(Bug::continueBreaks) ? (*it)->breaks : (*it)->continues).push_back(state);
            break;
          }
        state.dead = true;
      })
      .Case<ir::VarOp>([&](auto o) { state.slots.erase(o.getSlot().getAsOpaquePointer()); })
      .Case<ir::SetOp>(
          [&](auto o) { state.slots[o.getSlot().getAsOpaquePointer()] = value(o.getValue()); })
      .Case<ir::GetOp>([&](auto o) {
        auto found = state.slots.find(o.getSlot().getAsOpaquePointer());
        define(o.getValue(), found != state.slots.end() ? found->second
                                                        : keyedAtom(o.getSlot().getDefiningOp(), 0,
                                                                    {SymbolKind::Unknown,
                                                                     "uninitialised",
                                                                     Uniform::Thread,
                                                                     Uniform::Thread,
                                                                     o.getType().isInteger(1),
                                                                     {-kUnbounded, kUnbounded}}));
      })
      .Case<ir::LocalOp>([&](auto o) {
        std::int64_t object = objectFor(o, static_cast<std::int64_t>(contextHash),
                                        ir::MemorySpace::Local, o.getName().str(), o.getSize());
        state.locals.change(object) = {};
        define(o.getResult(), pool.pointer(object, pool.integer(0)));
      })
      .Case<ir::ReadOp>([&](auto o) {
        mlir::Type type = o.getType();
        define(o.getValue(),
               read(value(o.getAddress()), bytesOf(type), llvm::isa<ir::PtrType>(type),
                    type.isInteger(1), o, o.getOrder()));
      })
      .Case<ir::WriteOp>([&](auto o) {
        write(value(o.getAddress()), value(o.getValue()), bytesOf(o.getValue().getType()), o,
              o.getOrder());
      })
      .Case<ir::CopyOp>([&](auto o) { copy(o); })
      .Case<ir::FillOp>([&](auto o) { fill(o); })
      .Case<ir::AtomicOp>([&](auto o) { atomic(o); })
      .Case<ir::FenceOp>([&](auto o) {
        if (o.getScope() == ir::SyncScope::Thread)
          waitForCopies(o);
        else
          emit(Event::Kind::Fence, o).scope = o.getScope();
      })
      .Case<ir::PrimitiveOp>([&](auto o) { runPrimitive(o); })
      .Case<ir::ActiveMaskOp>([&](auto o) {
        Term mask = keyedAtom(op, 21,
                              {SymbolKind::Unknown,
                               "__activemask()",
                               Uniform::Thread,
                               Uniform::Thread,
                               false,
                               {0, (std::int64_t{1} << 32) - 1}});
        if (o->hasAttr(ir::groupAttribute))
          trace->matches[static_cast<unsigned>(mask->value)] = {nullptr, counterArguments(),
                                                                nullptr, state.path};
        else
          trace->snapshots.emplace_back(static_cast<unsigned>(mask->value), rangeOf(o));
        define(o.getMask(), mask);
      })
      .Case<ir::BarrierOp>([&](auto o) { runBarrier(o); })
      .Case<ir::ArriveOp>([&](auto o) { runArrive(o); })
      .Case<ir::AwaitOp>([&](auto o) { runAwait(o); })
      .Case<ir::AssumeOp>([&](auto o) { assume(value(o.getCondition())); })
      .Case<ir::ConditionOp>([](auto) {}) // read by the loop
      .Case<ir::UnsupportedOp>([&](auto o) { unsupported(o.getConstruct().str(), o); })
      .Default([&](mlir::Operation *o) { unsupported(o->getName().getStringRef().str(), o); });
}

void Executor::assume(Term condition) {
  if (pool.isFalse(condition)) { // the path ends here: a failed assert, a trap
    state.dead = true;
    return;
  }
  if (!pool.isTrue(condition))
    state.path.push_back(condition);
}

Term Executor::suffix(const State &s, std::size_t base) {
  return pool.conj(std::span(s.path).subspan(std::min(base, s.path.size())));
}

/// Where `condition` holds, what `other` has.
void Executor::mergeLocals(LocalMemories &result, const LocalMemories &other, Term condition) {
  if (&result.all() == &other.all())
    return;
  for (auto &[object, memory] : other.all()) {
    const LocalMemory *mine = result.find(object);
    if (mine == memory.get() || (mine && *mine == *memory))
      continue;
    if (!mine) {
      result.set(object, memory);
      continue;
    }
    LocalMemory &changed = result.change(object);
    if (changed.scrambled != memory->scrambled) {
      changed.scrambled = memory->scrambled ? memory->scrambled : changed.scrambled;
      changed.cells.clear();
      continue;
    }
    for (auto &[offset, cell] : memory->cells) {
      Term theirs = readLocal(changed, object, pool.integer(offset), cell.size);
      writeLocal(changed, object, pool.integer(offset), cell.size,
                 theirs ? pool.ite(condition, cell.value, theirs) : cell.value);
    }
  }
}

State Executor::merge(std::vector<State> states, const State &base,
                      std::vector<Arguments> *arguments) {
  std::vector<std::size_t> alive;
  for (std::size_t i = 0; i < states.size(); ++i)
    if (!states[i].dead)
      alive.push_back(i);
  if (alive.empty()) {
    State result = base;
    result.dead = true;
    return result;
  }
  // The last state is what holds otherwise; earlier ones are chosen by their path condition.
  State result = std::move(states[alive.back()]);
  Arguments merged = arguments ? (*arguments)[alive.back()] : Arguments{};
  Term covered = suffix(result, base.path.size());
  const std::vector<Term> lastPath = result.path;
  for (auto it = alive.rbegin() + 1; it != alive.rend(); ++it) {
    State &other = states[*it];
    Term condition = suffix(other, base.path.size());
    covered = pool.disj(covered, condition);
    for (auto &[slot, term] : other.slots) {
      auto [mine, isNew] = result.slots.emplace(slot, term);
      if (!isNew && mine->second != term)
        mine->second = pool.ite(condition, term, mine->second);
    }
    mergeLocals(result.locals, other.locals, condition);
    for (auto &[object, version] : other.versions) {
      unsigned &mine = result.versions[object];
      if (mine != version)
        mine = nextVersion++;
    }
    for (auto &p : other.pending) {
      auto same = std::find_if(result.pending.begin(), result.pending.end(), [&](auto &q) {
        return q.op == p.op && q.offset == p.offset && q.path == p.path;
      });
      if (same == result.pending.end())
        result.pending.push_back(p);
      else
        same->age = std::min(same->age, p.age); // the longest under way
    }
    if (result.openGroups != other.openGroups)
      result.openGroups.reset();
    mergeContents(result, lastPath, other, other.path);
    // What another branch has made unknown is not known behind it.
    std::erase_if(result.singleWrites, [&](auto &entry) {
      return base.singleWrites.contains(entry.first) && !other.singleWrites.contains(entry.first);
    });
    for (auto &[place, write] : other.singleWrites) {
      auto [mine, isNew] = result.singleWrites.emplace(place, write);
      if (!isNew && !(mine->second == write))
        result.singleWrites.erase(mine);
    }
    if (arguments)
      for (std::size_t i = 0; i < merged.size(); ++i)
        merged[i] = pool.ite(condition, (*arguments)[*it][i], merged[i]);
  }
  result.path = base.path;
  if (alive.size() > 1)
    result.within = base.within;
  if (!pool.isTrue(covered)) {
    if (covered->op == Op::And)
      result.path.insert(result.path.end(), covered->children.begin(), covered->children.end());
    else
      result.path.push_back(covered);
  }
  result.dead = false;
  if (arguments)
    *arguments = {merged};
  return result;
}

void Executor::runIf(ir::IfOp op) {
  Term condition = value(op.getCondition());
  auto arm = [&](mlir::Region &region) {
    if (!region.empty())
      runBlock(region.front());
  };
  if (pool.isTrue(condition))
    return arm(op.getThenRegion());
  if (pool.isFalse(condition))
    return arm(op.getElseRegion());
  noteSizes(condition);
  State before = state;
  const std::size_t first = trace->events.size();
  state.path.push_back(condition);
  arm(op.getThenRegion());
  const std::size_t second = trace->events.size();
  State afterThen = std::move(state);
  state = before;
  if (!planted(Bug::elseFacts))
    state.path.push_back(pool.negate(condition));
  arm(op.getElseRegion());
  noteLeftInArm(first, second);
  std::vector<State> states;
  states.push_back(std::move(afterThen));
  states.push_back(std::move(state));
  state = merge(std::move(states), before);
}

/// Whoever takes the arm that has just been run (events from `arm` on) and leaves the kernel there,
/// without having to wait for anybody, is not missing where others meet in the arms before it
/// (events from `first` on).
void Executor::noteLeftInArm(std::size_t first, std::size_t arm) {
  for (std::size_t i = arm; i < trace->events.size(); ++i) {
    const Event &event = trace->events[i];
    if (event.kind == Event::Kind::Primitive || event.kind == Event::Kind::Barrier)
      return;
    if (event.kind == Event::Kind::Exit && event.loops == loops)
      for (std::size_t other = first; other < arm; ++other)
        trace->events[other].exits.push_back(event.left);
  }
}

void Executor::runSwitch(ir::SwitchOp op) {
  Term selector = value(op.getSelector());
  Target target;
  targets.push_back(&target);
  State before = state, falling = state;
  falling.dead = true;
  std::vector<Term> matches;
  Term none = pool.boolean(true);
  for (mlir::Attribute list : op.getValues()) {
    Term match = pool.boolean(false);
    for (std::int64_t v : llvm::cast<mlir::DenseI64ArrayAttr>(list).asArrayRef())
      match = pool.disj(match, pool.eq(selector, pool.integer(v)));
    matches.push_back(match);
    none = pool.conj(none, pool.negate(match));
  }
  auto defaultCase = static_cast<std::int64_t>(op.getDefaultCase());
  const std::size_t first = trace->events.size();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    Term enter = matches[i];
    if (static_cast<std::int64_t>(i) == defaultCase)
      enter = pool.disj(enter, none);
    State entering = before;
    entering.dead = pool.isFalse(enter);
    if (!pool.isTrue(enter))
      entering.path.push_back(enter);
    const bool apart = falling.dead; // nobody comes here from the case before
    std::vector<State> meet;
    meet.push_back(std::move(falling));
    meet.push_back(std::move(entering));
    state = merge(std::move(meet), before);
    const std::size_t arm = trace->events.size();
    mlir::Region &region = op.getCases()[static_cast<unsigned>(i)];
    if (!state.dead && !region.empty())
      runBlock(region.front());
    if (apart)
      noteLeftInArm(first, arm);
    falling = std::move(state);
    if (planted(Bug::fallthrough)) {
      target.breaks.push_back(falling);
      falling.dead = true;
    }
  }
  std::vector<State> leaving = std::move(target.breaks);
  leaving.push_back(std::move(falling));
  if (defaultCase < 0) {
    State skipped = before;
    skipped.dead = pool.isFalse(none);
    if (!pool.isTrue(none))
      skipped.path.push_back(none);
    leaving.push_back(std::move(skipped));
  }
  targets.pop_back();
  state = merge(std::move(leaving), before);
}

void Executor::runCall(ir::CallOp op) {
  auto callee = llvm::dyn_cast_or_null<ir::FuncOp>(symbolFor(op, op.getCalleeAttr()));
  bool recursive =
      std::find(callStack.begin(), callStack.end(), callee.getOperation()) != callStack.end();
  if (!callee || callee.isDeclaration() || recursive) {
    unsupported(recursive ? "recursion" : "call of '" + op.getCallee().str() + "' without a body",
                op);
    return;
  }
  for (auto [parameter, argument] : llvm::zip(callee.getBody().getArguments(), op.getArguments()))
    define(parameter, value(argument));
  Frame frame;
  State before = state;
  std::uint64_t outerHash = contextHash;
  contextHash = mixHash(contextHash, reinterpret_cast<std::uintptr_t>(op.getOperation()));
  std::vector<Target *> outerTargets = std::move(targets);
  targets.clear();
  frames.push_back(&frame);
  calls.push_back(rangeOf(op));
  callStack.push_back(callee);
  runBlock(callee.getBody().front());
  callStack.pop_back();
  calls.pop_back();
  frames.pop_back();
  targets = std::move(outerTargets);
  contextHash = outerHash;
  Arguments results = finishCall(std::move(frame), std::move(before), op.getNumResults());
  for (auto [result, term] : llvm::zip(op.getResults(), results))
    define(result, term);
}

/// Forgets what a function that has returned kept in variables of its own: else each branch that
/// follows would carry it along.
static void forgetInner(State &after, const State &before) {
  std::erase_if(after.slots, [&](const auto &slot) { return !before.slots.contains(slot.first); });
  after.locals.keep([&](std::int64_t object) { return before.locals.find(object) != nullptr; });
}

Executor::Arguments Executor::finishCall(Frame frame, State before, unsigned results) {
  std::vector<State> states;
  std::vector<Arguments> returned;
  for (auto &[s, arguments] : frame.returns) {
    states.push_back(std::move(s));
    returned.push_back(std::move(arguments));
  }
  if (!state.dead) { // fell off the end: the results, if any, are undefined
    Arguments nothing;
    for (unsigned i = 0; i < results; ++i)
      nothing.push_back(keyedAtom(callStack.back(), 1000 + i,
                                  {SymbolKind::Unknown,
                                   "undefined",
                                   Uniform::Thread,
                                   Uniform::Thread,
                                   false,
                                   {-kUnbounded, kUnbounded}}));
    states.push_back(std::move(state));
    returned.push_back(std::move(nothing));
  }
  for (State &each : states)
    forgetInner(each, before);
  state = merge(std::move(states), before, &returned);
  return returned.empty() ? Arguments(results, pool.integer(0)) : returned.front();
}

void Executor::runReturn(ir::ReturnOp op) {
  Frame &frame = *frames.back();
  if (frame.isKernel) {
    Event &event = emit(Event::Kind::Exit, op);
    event.left = static_cast<unsigned>(trace->exits.size());
    exits.push_back(event.left);
    trace->exits.push_back({pool.conj(state.path), rangeOf(op)});
    noteLeaving();
  }
  frame.returns.emplace_back(state, values(op.getArguments()));
  state.dead = !(frame.isKernel && planted(Bug::returnGoesOn));
}

Event &Executor::emit(Event::Kind kind, mlir::Operation *op) {
  Event &event = trace->events.emplace_back();
  event.kind = kind;
  event.index = static_cast<unsigned>(trace->events.size() - 1);
  event.op = op;
  for (Term term : state.path) {
    if (term->op == Op::And)
      event.path.insert(event.path.end(), term->children.begin(), term->children.end());
    else
      event.path.push_back(term);
  }
  event.loops = loops;
  event.range = rangeOf(op);
  event.calls = calls;
  event.exits = exits;
  sequence->push_back({&event, nullptr});
  return event;
}

std::vector<Term> Executor::counterArguments() const {
  std::vector<Term> arguments;
  for (const Loop *loop : loops)
    arguments.push_back(loop->counter);
  return arguments;
}

Term Executor::keyedAtom(const void *key, std::uint64_t tag, Symbol symbol,
                         std::span<const Term> extra) {
  auto [entry, isNew] = keyedSymbols.emplace(
      std::tuple(key, contextHash, tag, static_cast<int>(symbol.uniform),
                 static_cast<int>(symbol.uniformGivenLane), symbol.range.lo, symbol.range.hi),
      0);
  if (isNew)
    entry->second = pool.addSymbol(std::move(symbol));
  std::vector<Term> arguments = counterArguments();
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return pool.atom(entry->second, arguments);
}

void Executor::unsupported(const std::string &construct, mlir::Operation *op) {
  trace->unsupported.emplace_back(construct, rangeOf(op));
  for (mlir::Value result : op->getResults()) {
    Symbol symbol{SymbolKind::Unknown,
                  construct,
                  Uniform::Thread,
                  Uniform::Thread,
                  result.getType().isInteger(1),
                  {-kUnbounded, kUnbounded}};
    Term term = keyedAtom(op, 7, symbol);
    if (llvm::isa<ir::PtrType>(result.getType()))
      term = pool.pointer(objectFor(op, static_cast<std::int64_t>(contextHash),
                                    ir::MemorySpace::Global, construct, 0),
                          pool.integer(0));
    define(result, term);
  }
}

} // namespace warpdrf::contract
