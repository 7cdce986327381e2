// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops. One iteration is run with every carried place (slot or cell of an own object) as a
// function of the loop's counter k. Where the iteration ends up says what that function is:
// unchanged, `init + k·step`, a toggle, a modular counter, a swap of two, or nothing known but a
// scope. The iteration is run again until the guess holds; what is kept is the last run. Loops with
// a small constant trip count are unrolled instead where that tells more.
#include "analysis/contract/executor.h"
#include "analysis/contract/planted.h"
#include "analysis/ir/attributes.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

constexpr std::int64_t kMaxUnroll = 64;  ///< iterations
constexpr std::size_t kUnrollOps = 4000; ///< ops times iterations
constexpr std::int64_t kSimulate =
    1 << 12;                 ///< iterations tried when looking for a constant trip count
constexpr int kMaxRuns = 16; ///< of an iteration until its recipe must hold

} // namespace

Executor::Iteration Executor::runIteration(ir::LoopOp op, Loop &loop, const State &before,
                                           const LoopRecipe &recipe) {
  Iteration iteration;
  Sequence *outer = sequence;
  std::size_t firstExit = exits.size();
  sequence = &iteration.body;
  loops.push_back(&loop);
  state = before;
  for (auto &[place, r] : recipe.places)
    put(state, place, headValue(place, r, before, loop));
  for (std::int64_t object : recipe.scrambled) {
    LocalMemory &memory = state.locals.change(object);
    memory = {};
    memory.scrambled =
        keyedAtom(op.getOperation(), mixHash(771, static_cast<std::uint64_t>(object)),
                  {SymbolKind::Unknown,
                   "a thread's own array",
                   Uniform::Thread,
                   Uniform::Thread,
                   false,
                   {-kUnbounded, kUnbounded}});
  }
  for (std::int64_t object : recipe.versions) {
    forgetWrites(object);
    enterLoopContents(object);
    state.versions[object] = 1'000'000 + loop.id * 64 + static_cast<unsigned>(object);
  }
  if (recipe.groupsVary)
    state.openGroups.reset();
  iteration.head = state;

  bool postTest = op.getPostTest();
  auto mayHaveLeft = [&]() { // nobody has before the first iteration
    Term isFirst = pool.eq(loop.counter, pool.integer(0));
    if (recipe.exited && !postTest) {
      Term before = atIteration(recipe.exited, loop, pool.addConstant(loop.counter, -1));
      state.path.push_back(pool.disj(isFirst, pool.negate(before)));
      return;
    }
    Symbol active{SymbolKind::Unknown,
                  "when threads leave the loop at line " + std::to_string(loop.range.begin.line),
                  recipe.exit,
                  recipe.exit,
                  true,
                  {0, 1}};
    Term still = keyedAtom(op.getOperation(), 501, active);
    state.path.push_back(pool.disj(still, isFirst));
  };
  if (postTest || (recipe.innerExits && !planted(Bug::stillInLoop)))
    mayHaveLeft();
  auto runTest = [&]() {
    runBlock(op.getCond().front());
    if (state.dead)
      return pool.boolean(false);
    auto condition = llvm::cast<ir::ConditionOp>(op.getCond().front().back());
    Term test = value(condition.getCondition());
    noteExtents(test);
    return test;
  };
  Target target;
  target.isLoop = true;
  targets.push_back(&target);
  Frame loopFrame;
  loopFrame.isKernel = frames.back()->isKernel;
  frames.push_back(&loopFrame);
  if (!postTest) {
    iteration.test = runTest();
    if (!recipe.innerExits && recipe.exit == Uniform::Thread &&
        !onceFalseStaysFalse(iteration.test, loop))
      mayHaveLeft();
    assume(iteration.test);
  }
  loop.path = state.path;
  if (!state.dead && !op.getBody().empty())
    runBlock(op.getBody().front());
  std::vector<State> meet = std::move(target.continues);
  meet.push_back(std::move(state));
  State headPath = before;
  headPath.path = loop.path;
  state = merge(std::move(meet), headPath);
  if (!state.dead && !op.getStep().empty())
    runBlock(op.getStep().front());
  if (postTest)
    iteration.test = runTest();
  frames.pop_back();
  targets.pop_back();
  iteration.end = std::move(state);
  iteration.breaks = std::move(target.breaks);
  iteration.returns = std::move(loopFrame.returns);
  iteration.exits.assign(exits.begin() + static_cast<std::ptrdiff_t>(firstExit), exits.end());
  exits.resize(firstExit);
  loops.pop_back();
  sequence = outer;
  return iteration;
}

/// When a thread that runs the iteration leaves by `break` or `return`.
Term Executor::leavesInside(const Iteration &iteration, const Loop &loop) {
  Term leaves = pool.boolean(false);
  for (const State &s : iteration.breaks)
    leaves = pool.disj(leaves, suffix(s, loop.path.size()));
  for (auto &[s, arguments] : iteration.returns)
    leaves = pool.disj(leaves, suffix(s, loop.path.size()));
  return leaves;
}

/// When a thread leaves inside an iteration, if that is known of all iterations and whoever would
/// leave in one would in every later one; else null.
Term Executor::innerExit(const Iteration &iteration, Loop &loop) {
  Term leaves = leavesInside(iteration, loop);
  bool known = true;
  std::unordered_map<Term, bool> seen;
  forEachAtom(leaves, seen,
              [&](Term atom) { known &= pool.symbolOf(atom).kind <= SymbolKind::Function; });
  bool stays = onceFalseStaysFalse(pool.negate(leaves), loop) &&
               (!iteration.test || onceFalseStaysFalse(iteration.test, loop));
  return known && stays ? leaves : nullptr;
}

/// The test is `x <= 0` for an x that never falls from one iteration to the next.
bool Executor::onceFalseStaysFalse(Term test, Loop &loop) {
  if (test->op == Op::And)
    return std::all_of(test->children.begin(), test->children.end(),
                       [&](Term part) { return onceFalseStaysFalse(part, loop); });
  if (!dependsOn(test, loop))
    return true;
  if (test->op != Op::Le0)
    return false;
  Term next = atIteration(test->children[0], loop, pool.addConstant(loop.counter, 1));
  return pool.sub(next, test->children[0])->range.lo >= 0;
}

/// The trip count, when the test depends on nothing but carried values that start constant and step
/// by themselves: found by running it. None when it does not end soon.
std::optional<std::int64_t> Executor::tripCount(const Iteration &iteration,
                                                const LoopRecipe &recipe, const State &before,
                                                Term counter) {
  if (!iteration.test || recipe.innerExits || iteration.end.dead)
    return std::nullopt;
  std::map<Term, Term> current; // carried atom -> constant
  std::map<Term, Term> next;    // carried atom -> term of the following iteration
  for (auto &[place, r] : recipe.places) {
    Term start = get(iteration.head, place), end = get(iteration.end, place);
    Term init = get(before, place);
    if (r.kind == Recipe::Kind::Opaque && start && end && init && start->op == Op::Atom &&
        constantOf(init)) {
      current[start] = init;
      next[start] = end;
    }
  }
  current[counter] = pool.integer(0);
  next[counter] = pool.addConstant(counter, 1);
  auto evaluate = [&](Term term) {
    std::unordered_map<Term, Term> memo;
    return pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
      auto found = current.find(atom);
      return found == current.end() ? nullptr : found->second;
    });
  };
  for (std::int64_t trips = 0; trips <= kSimulate; ++trips) {
    Term test = evaluate(iteration.test);
    if (pool.isFalse(test))
      return trips;
    if (!pool.isTrue(test))
      return std::nullopt;
    std::map<Term, Term> following;
    for (auto &[atom, term] : next)
      following[atom] = evaluate(term);
    std::erase_if(following, [](auto &entry) { return !constantOf(entry.second); });
    current = std::move(following);
  }
  return std::nullopt;
}

bool Executor::worthUnrolling(ir::LoopOp op, std::int64_t trips, const LoopRecipe &recipe) {
  if (trips > kMaxUnroll)
    return false;
  std::size_t ops = 0;
  bool primitives = false, opaque = false, pointers = false;
  std::set<mlir::Operation *> entered; // against recursion; calls deeper down count once
  std::function<void(mlir::Operation *)> count = [&](mlir::Operation *body) {
    body->walk([&](mlir::Operation *inner) {
      ++ops;
      primitives |= llvm::isa<ir::PrimitiveOp>(inner);
      if (auto write = llvm::dyn_cast<ir::WriteOp>(inner)) // a table of pointers, each of its own
        pointers |= llvm::isa<ir::PtrType>(write.getValue().getType());
      auto call = llvm::dyn_cast<ir::CallOp>(inner);
      auto callee = call ? llvm::dyn_cast_or_null<ir::FuncOp>(symbolFor(call, call.getCalleeAttr()))
                         : ir::FuncOp();
      if (callee && entered.insert(callee).second)
        count(callee);
    });
  };
  count(op);
  for (auto &[place, r] : recipe.places)
    opaque |= r.kind == Recipe::Kind::Opaque;
  const bool listed = op->hasAttr(ir::overListAttribute); // no closed form
  return (trips <= 2 || primitives || opaque || listed || pointers) &&
         ops * static_cast<std::size_t>(trips) <= kUnrollOps;
}

void Executor::unrollLoop(ir::LoopOp op, const State &before, std::int64_t trips) {
  state = before;
  std::uint64_t outerHash = contextHash;
  Target target;
  target.isLoop = true;
  for (std::int64_t i = 0; i <= trips && !state.dead; ++i) {
    contextHash = mixHash(mixHash(outerHash, reinterpret_cast<std::uintptr_t>(op.getOperation())),
                          static_cast<std::uint64_t>(i) + 1);
    auto test = [&]() {
      runBlock(op.getCond().front());
      return state.dead
                 ? pool.boolean(false)
                 : value(llvm::cast<ir::ConditionOp>(op.getCond().front().back()).getCondition());
    };
    if (!op.getPostTest() && !pool.isTrue(test()))
      break;
    targets.push_back(&target);
    State head = state;
    if (!op.getBody().empty())
      runBlock(op.getBody().front());
    std::vector<State> meet = std::move(target.continues);
    target.continues.clear();
    meet.push_back(std::move(state));
    state = merge(std::move(meet), head);
    if (!state.dead && !op.getStep().empty())
      runBlock(op.getStep().front());
    targets.pop_back();
    if (op.getPostTest() && !pool.isTrue(test()))
      break;
  }
  contextHash = outerHash;
  std::vector<State> left = std::move(target.breaks);
  left.push_back(std::move(state));
  state = merge(std::move(left), before);
}

Executor::Mark Executor::mark() const {
  return {trace->events.size(), trace->exits.size(), trace->unsupported.size(),
          trace->snapshots.size()};
}

/// Forgets what a run of an iteration emitted that is going to be run again.
void Executor::discardTo(const Mark &mark) {
  trace->events.resize(mark.events);
  std::erase_if(trace->ownCopies, [&](const OwnCopy &copy) { return copy.access >= mark.events; });
  trace->exits.resize(mark.exits);
  trace->unsupported.resize(mark.unsupported);
  trace->snapshots.resize(mark.snapshots);
}

void Executor::runLoop(ir::LoopOp op) {
  State before = state;
  Loop &loop = trace->loops.emplace_back();
  loop.id = static_cast<unsigned>(trace->loops.size());
  loop.parent = loops.empty() ? nullptr : loops.back();
  loop.range = rangeOf(op);
  loop.outerPath = before.path.size();
  auto count = [&](std::int64_t last) {
    return pool.atom(pool.addSymbol({SymbolKind::Counter,
                                     "k" + std::to_string(loop.id),
                                     Uniform::Grid,
                                     Uniform::Grid,
                                     false,
                                     {0, last}}));
  };
  loop.counter = count(kUnbounded);
  LoopRecipe recipe;
  addCarriedPlaces(recipe, op, before);
  Iteration iteration;
  std::optional<std::int64_t> trips;
  const Mark start = mark();
  for (int run = 0; run < kMaxRuns; ++run) {
    if (outOfBudget()) // the trace is incomplete, and says so
      return;
    discardTo(start);
    iteration = runIteration(op, loop, before, recipe);
    if (trace->incomplete)
      return;
    bool never = iteration.test && !op.getPostTest() &&
                 pool.isFalse(atIteration(iteration.test, loop, pool.integer(0)));
    if (never) { // what the other iterations would do is nothing to learn from
      discardTo(start);
      unrollLoop(op, before, 0);
      return;
    }
    if (run == 0 && (trips = tripCount(iteration, recipe, before, loop.counter))) {
      if (op.getPostTest())
        ++*trips;
      LoopRecipe guess = recipe;
      refine(guess, iteration, before, loop);
      if (worthUnrolling(op, *trips, guess)) {
        discardTo(start);
        unrollLoop(op, before, *trips);
        return;
      }
      if (*trips > 0) { // from now on the counter is known to be below it
        loop.counter = count(*trips - 1);
        continue;
      }
    }
    if (!refine(recipe, iteration, before, loop))
      break;
  }
  leaveLoop(op, loop, recipe, std::move(iteration), before, trips);
}

/// `value` is an atom, or a pointer into some object at an offset that is one.
void Executor::noteInflow(Term value, std::vector<Term> before, std::vector<Term> carried,
                          Term counter) {
  while (value && (value->op == Op::Ite || value->op == Op::Pointer)) // of pointers
    value = value->children.back();
  if (value && value->op == Op::Atom)
    trace->inflows[static_cast<unsigned>(value->value)] = {std::move(before), std::move(carried),
                                                           counter};
}

/// When a thread goes round again, when it leaves, and how often it has gone round by then.
void Executor::describeExits(ir::LoopOp op, Loop &loop, const LoopRecipe &recipe,
                             const Iteration &iteration, std::optional<std::int64_t> trips) {
  loop.again = loop.leaves = pool.boolean(false);
  if (!iteration.end.dead) {
    Term reachesEnd = suffix(iteration.end, loop.path.size());
    Term next = iteration.test;
    if (trips && *trips > 0) // the test is always true below a counter that is known to be below it
      next = pool.lt(pool.addConstant(loop.counter, 1), pool.integer(*trips));
    else if (!op.getPostTest())
      next = atIteration(next, loop, pool.addConstant(loop.counter, 1));
    loop.again = pool.conj(reachesEnd, next);
    loop.leaves = pool.conj(reachesEnd, pool.negate(next));
  }
  loop.leaves = pool.disj(loop.leaves, leavesInside(iteration, loop));
  if (!recipe.innerExits)
    loop.trips = keyedAtom(
        op.getOperation(), 503,
        {SymbolKind::Unknown,
         "how often threads go round the loop at line " + std::to_string(loop.range.begin.line),
         recipe.exit,
         recipe.exit,
         false,
         {op.getPostTest() ? 1 : 0, kUnbounded}});
}

/// Where `return` is the only way out that not all threads of a block take together, whoever is no
/// longer in the loop has left the kernel: an exit before everything in the body.
void Executor::noteReturns(const Loop &loop, const LoopRecipe &recipe, const Iteration &iteration) {
  bool together = iteration.test && iteration.test->uniform >= Uniform::Block;
  if (!frames.back()->isKernel || !recipe.innerExits || !iteration.breaks.empty() || !together ||
      iteration.exits.empty())
    return;
  Term stillThere = loop.path[loop.outerPath]; // as runIteration puts it first
  std::vector<Term> left(loop.path.begin(),
                         loop.path.begin() + static_cast<std::ptrdiff_t>(loop.outerPath));
  left.push_back(pool.negate(stillThere));
  auto exit = static_cast<unsigned>(trace->exits.size());
  trace->exits.push_back({pool.conj(left), trace->exits[iteration.exits[0]].range});
  for (Event &event : trace->events)
    if (std::find(event.loops.begin(), event.loops.end(), &loop) != event.loops.end())
      event.exits.push_back(exit);
}

void Executor::leaveLoop(ir::LoopOp op, Loop &loop, const LoopRecipe &recipe, Iteration iteration,
                         const State &before, std::optional<std::int64_t> trips) {
  loop.body = std::move(iteration.body);
  loop.exit = recipe.exit;
  bool testsFirst = iteration.test && !op.getPostTest();
  loop.enters =
      testsFirst ? atIteration(iteration.test, loop, pool.integer(0)) : pool.boolean(true);
  describeExits(op, loop, recipe, iteration, trips);
  sequence->push_back({nullptr, &loop});
  for (auto &[place, r] : recipe.places) {
    Term start = get(iteration.head, place), end = get(iteration.end, place);
    if (r.kind == Recipe::Kind::Opaque) {
      Term init = get(before, place), flowing = start;
      if (r.stride > 1 && start && init) // the number of steps is what is not known
        if (Term moved = pool.sub(start, init); moved->op == Op::Linear)
          flowing = moved->children.front();
      noteInflow(flowing, {init}, {end}, loop.counter);
    }
    if (r.kind != Recipe::Kind::Opaque || !start || !end || start->op != Op::Atom ||
        iteration.end.dead)
      continue;
    bool grows = !start->boolean && pool.sub(end, start)->range.lo >= 0;
    trace->carried[static_cast<unsigned>(start->value)] = {
        static_cast<unsigned>(start->value), end, static_cast<unsigned>(loop.counter->value),
        grows};
  }
  // After the loop: carried places hold what they hold when the thread leaves.
  State after = before;
  if (!recipe.innerExits && !iteration.end.dead)
    for (Term demand : iteration.end.within) { // of whoever has run a first iteration
      demand = pool.disj(pool.negate(loop.enters), atIteration(demand, loop, pool.integer(0)));
      if (after.within.size() < kMaxDemands &&
          std::ranges::find(after.within, demand) == after.within.end())
        after.within.push_back(demand);
    }
  for (auto &[place, r] : recipe.places) {
    Term init = get(before, place), head = get(iteration.head, place);
    if (r.kind == Recipe::Kind::Invariant && !recipe.innerExits)
      continue;
    if (loop.trips && r.kind != Recipe::Kind::Opaque) {
      put(after, place, atIteration(head, loop, trips ? pool.integer(*trips) : loop.trips));
      continue;
    }
    Uniform uniform = recipe.exit, givenLane = recipe.exit;
    Interval range{-kUnbounded, kUnbounded};
    auto lower = [&](Term term) {
      if (!term)
        return;
      Term whole = term->op == Op::Pointer ? term->children[0] : term;
      uniform = std::min(uniform, whole->uniform);
      givenLane = std::min(givenLane, whole->uniformGivenLane);
    };
    lower(head);
    for (const State &s : iteration.breaks)
      lower(get(s, place));
    if (head && head->range.lo >= 0 && init->range.lo >= 0 && iteration.breaks.empty())
      range.lo = 0;
    std::vector<Term> values{init, head, get(iteration.end, place)};
    for (const State &s : iteration.breaks)
      values.push_back(get(s, place));
    Recipe leaving;
    leaving.uniform = uniform;
    leaving.givenLane = givenLane;
    leaving.range = range;
    if (isPointer(init))
      for (Term value : values)
        if (value)
          addObjects(value, leaving.objects);
    Loop outside;
    outside.id = loop.id + 500'000;
    Term left = carriedAtom(place, leaving, outside, init);
    noteInflow(left, values, {}, nullptr);
    put(after, place, left);
  }
  for (std::int64_t object : recipe.scrambled)
    after.locals.change(object) = iteration.head.locals.of(object);
  for (std::int64_t object : recipe.versions) {
    after.versions[object] = nextVersion++;
    leaveLoopContents(after, before, iteration, object);
  }
  after.pending = iteration.end.pending;
  if (recipe.groupsVary)
    after.openGroups.reset();

  state = after;
  for (std::int64_t object : recipe.versions)
    forgetWrites(object);
  if (iteration.returns.empty()) {
    bool endless =
        !trips && iteration.test && pool.isTrue(iteration.test) && iteration.breaks.empty();
    state.dead = endless;
    return;
  }
  noteReturns(loop, recipe, iteration);
  Term returned =
      keyedAtom(op.getOperation(), 502,
                {SymbolKind::Unknown,
                 "who returns in the loop at line " + std::to_string(loop.range.begin.line),
                 recipe.exit,
                 recipe.exit,
                 true,
                 {0, 1}});
  State leaving = after;
  leaving.path.push_back(returned);
  Arguments results;
  for (std::size_t i = 0; i < iteration.returns.front().second.size(); ++i) {
    Term sample = iteration.returns.front().second[i];
    Uniform uniform = recipe.exit;
    for (auto &[s, arguments] : iteration.returns)
      uniform = std::min(uniform, arguments[i]->uniform);
    std::vector<Term> values;
    for (auto &[s, arguments] : iteration.returns)
      values.push_back(arguments[i]);
    results.push_back(
        keyedAtom(op.getOperation(), 600 + i,
                  {SymbolKind::Unknown,
                   "what is returned in the loop at line " + std::to_string(loop.range.begin.line),
                   uniform,
                   uniform,
                   sample->boolean,
                   {-kUnbounded, kUnbounded}}));
    noteInflow(results.back(), values, {}, nullptr);
  }
  if (frames.back()->isKernel) {
    trace->exits.push_back({pool.conj(leaving.path), iteration.exits.empty()
                                                         ? rangeOf(op)
                                                         : trace->exits[iteration.exits[0]].range});
    exits.push_back(static_cast<unsigned>(trace->exits.size() - 1));
  }
  frames.back()->returns.emplace_back(std::move(leaving), std::move(results));
  state.path.push_back(pool.negate(returned));
}

} // namespace warpdrf::contract
