// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop-carried place depends on the loop's counter: guessed from where one run of an
// iteration ends up, kept while the next run confirms it. execute_loop.cpp runs the iterations.
#include "analysis/contract/executor.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/planted.h"

#include <algorithm>
#include <numeric>

namespace warpdrf::contract {

Term Executor::get(const State &from, const Place &place) {
  if (place.slot) {
    auto found = from.slots.find(place.slot);
    return found == from.slots.end() ? nullptr : found->second;
  }
  const LocalMemory *memory = from.locals.find(place.object);
  return memory ? readLocal(*memory, place.object, pool.integer(place.offset), place.size)
                : nullptr;
}

void Executor::put(State &to, const Place &place, Term value) {
  if (place.slot)
    to.slots[place.slot] = value;
  else
    writeLocal(to.locals.change(place.object), place.object, pool.integer(place.offset), place.size,
               value);
}

Term Executor::atIteration(Term term, const Loop &loop, Term k) {
  return withCounters(pool, term, {{static_cast<unsigned>(loop.counter->value), k}});
}

/// Depends on the loop's counter or on anything the loop carries: not loop-invariant.
bool Executor::dependsOn(Term term, const Loop &loop) {
  std::unordered_map<Term, bool> seen;
  bool found = false;
  forEachAtom(term, seen, [&](Term atom) { found |= atom == loop.counter; });
  return found;
}

void Executor::addCarriedPlaces(LoopRecipe &recipe, ir::LoopOp op, const State &before) {
  op->walk([&](ir::SetOp set) {
    Place place;
    place.slot = set.getSlot().getAsOpaquePointer();
    if (before.slots.contains(place.slot))
      recipe.places.try_emplace(place);
  });
}

/// Whether a place that holds two values in turn holds the first one in iteration k.
Term Executor::isFirst(Term k) {
  return pool.eq(pool.mod(k, pool.integer(2)), pool.integer(planted(Bug::toggleParity) ? 1 : 0));
}

/// The place at the head of iteration k, as the recipe has it.
Term Executor::headValue(const Place &place, const Recipe &recipe, const State &before,
                         Loop &loop) {
  Term init = get(before, place);
  Term k = loop.counter;
  switch (recipe.kind) {
  case Recipe::Kind::Invariant:
    return init;
  case Recipe::Kind::Affine:
    if (isPointer(init))
      return movePointer(init, pool.mul(k, recipe.step));
    if (planted(Bug::affineStart))
      k = pool.addConstant(k, 1);
    return pool.add(init, pool.mul(k, recipe.step));
  case Recipe::Kind::Toggle:
    return pool.ite(isFirst(k), init, recipe.step);
  case Recipe::Kind::Modular:
    return pool.mod(pool.add(init, pool.mul(k, recipe.step)), pool.integer(recipe.modulus));
  case Recipe::Kind::Swap:
    return pool.ite(isFirst(k), init, get(before, recipe.partner));
  case Recipe::Kind::Opaque:
    if (recipe.stride > 1) { // so many steps, nobody knows how many
      Recipe steps = recipe;
      steps.range = {recipe.down ? -kUnbounded : 0, recipe.up ? kUnbounded : 0};
      return pool.add(init, pool.mul(carriedAtom(place, steps, loop, pool.integer(0)),
                                     pool.integer(recipe.stride)));
    }
    return carriedAtom(place, recipe, loop, init);
  }
  return init;
}

/// The number that a conversion to a narrow type was asked for, and how many values that has.
static std::pair<Term, std::int64_t> narrowed(Term term) {
  if (term->op == Op::Mod)
    if (auto size = constantOf(term->children[1]))
      return {term->children[0], *size};
  if (term->op == Op::BitAnd)
    for (int i : {0, 1})
      if (auto mask = constantOf(term->children[i]); mask && *mask > 0 && !(*mask & (*mask + 1)))
        return {term->children[1 - i], *mask + 1};
  return {nullptr, 0};
}

/// Whether a test holds for values below some bound only.
bool Executor::keepsBelow(TermPool &pool, Term test, Term value) {
  if (test->op == Op::And)
    return std::ranges::any_of(test->children,
                               [&](Term part) { return keepsBelow(pool, part, value); });
  if (test->op != Op::Le0)
    return false;
  Term bound = pool.sub(test->children[0], value); // value + bound <= 0
  std::unordered_map<Term, bool> seen;
  bool still = false;
  forEachAtom(bound, seen, [&](Term atom) { still |= atom == value; });
  return !still;
}

/// Adds by which multiples of what an iteration moves a number; false if it is by anything else.
bool Executor::noteSteps(Term end, Term start, Recipe &recipe) {
  if (end->op == Op::Ite)
    return noteSteps(end->children[1], start, recipe) && noteSteps(end->children[2], start, recipe);
  const auto step = constantOf(pool.sub(end, start));
  if (!step)
    return false;
  recipe.stride = std::gcd(recipe.stride, *step);
  recipe.up |= *step > 0;
  recipe.down |= *step < 0;
  return true;
}

Term Executor::carriedAtom(const Place &place, const Recipe &recipe, Loop &loop, Term like) {
  std::uint64_t tag = place.slot ? reinterpret_cast<std::uintptr_t>(place.slot)
                                 : mixHash(static_cast<std::uint64_t>(place.object) * 4099,
                                           static_cast<std::uint64_t>(place.offset));
  std::string name = "loop-carried value";
  if (place.slot) {
    if (auto *op = mlir::Value::getFromOpaquePointer(place.slot).getDefiningOp())
      if (auto var = llvm::dyn_cast<ir::VarOp>(op))
        name = var.getName().str();
  }
  const void *op = reinterpret_cast<const void *>(std::uintptr_t{16} + loop.id * 16);
  auto unknown = [&](std::uint64_t which, bool boolean, Interval range) {
    return keyedAtom(op, which,
                     {SymbolKind::Unknown, name, recipe.uniform, recipe.givenLane, boolean, range});
  };
  std::set<std::int64_t> objects = recipe.objects;
  addObjects(like, objects);
  if (objects.empty())
    return unknown(tag, like->boolean, recipe.range);
  // Into one of the objects, nobody knows which nor where.
  Term offset = unknown(tag, false, recipe.range), pointer = nullptr;
  for (std::int64_t object : objects) {
    Term here = pool.pointer(object, offset);
    std::uint64_t which = mixHash(tag, static_cast<std::uint64_t>(object) + 1);
    pointer = pointer ? pool.ite(unknown(which, true, {0, 1}), here, pointer) : here;
  }
  return pointer;
}

/// The objects that a pointer may point to; none if `value` is no pointer.
void Executor::addObjects(Term value, std::set<std::int64_t> &objects) {
  if (value->op == Op::Pointer)
    objects.insert(value->value);
  if (value->op == Op::Ite)
    for (Term arm : {value->children[1], value->children[2]})
      addObjects(arm, objects);
}

/// How many bytes apart two pointers are that point to the same objects under the same conditions.
Term Executor::distance(Term to, Term from) {
  if (to->op == Op::Pointer && from->op == Op::Pointer && to->value == from->value)
    return pool.sub(to->children[0], from->children[0]);
  if (to->op != Op::Ite || from->op != Op::Ite || to->children[0] != from->children[0])
    return nullptr;
  Term first = distance(to->children[1], from->children[1]);
  return first && first == distance(to->children[2], from->children[2]) ? first : nullptr;
}

/// What the place holds at the head of iteration k + 1 if its closed form is right.
Term Executor::successor(const Place &place, const Recipe &recipe, const State &before,
                         Loop &loop) {
  Term even = isFirst(loop.counter);
  if (recipe.kind == Recipe::Kind::Toggle)
    return pool.ite(even, recipe.step, get(before, place));
  if (recipe.kind == Recipe::Kind::Swap)
    return pool.ite(even, get(before, recipe.partner), get(before, place));
  return atIteration(headValue(place, recipe, before, loop), loop,
                     pool.addConstant(loop.counter, 1));
}

/// A closed form that one run of the iteration suggests, if any.
std::optional<Executor::Recipe> Executor::guess(const Place &place, const Iteration &iteration,
                                                const State &before, Loop &loop,
                                                const LoopRecipe &recipe) {
  Term start = get(iteration.head, place), end = get(iteration.end, place);
  Term init = get(before, place);
  Recipe result;
  if (end == start) {
    result.kind = Recipe::Kind::Invariant;
    return result;
  }
  // What the iteration carries is opaque in this run, so "depends on k" shows as depending on an
  // atom of it.
  auto invariant = [&](Term term) { return !dependsOn(term, loop); };
  if (isPointer(init)) {
    Term step = distance(end, start);
    if (step && invariant(step)) {
      result.kind = Recipe::Kind::Affine;
      result.step = step;
      return result;
    }
  } else if (init->op != Op::Ite && !init->boolean) {
    Term step = pool.sub(end, start);
    if (invariant(step)) {
      result.kind = Recipe::Kind::Affine;
      result.step = step;
      return result;
    }
    auto modulus = end->op == Op::Mod ? constantOf(end->children[1]) : std::nullopt;
    if (auto [wide, size] = narrowed(end); wide && iteration.test && start->op == Op::Atom) {
      Term increment = pool.sub(wide, start);
      if (invariant(increment) && increment->range.lo >= 0 && increment->range.hi < size &&
          keepsBelow(pool, iteration.test, start)) {
        result.kind = Recipe::Kind::Affine;
        result.step = increment;
        result.modulus = size;
        return result;
      }
    }
    if (modulus && *modulus > 1 && init->range.lo >= 0 && init->range.hi < *modulus) {
      Term increment = pool.sub(end->children[0], start);
      if (invariant(increment) && increment->range.lo >= 0) {
        result.kind = Recipe::Kind::Modular;
        result.step = increment;
        result.modulus = *modulus;
        return result;
      }
    }
  }
  if (start->op == Op::Atom && !isPointer(init)) { // two values in turn
    auto stepped = [&](Term by) {
      std::unordered_map<Term, Term> memo;
      return pool.rewrite(end, memo, [&](Term atom, std::span<const Term>) -> Term {
        return atom == start ? by : nullptr;
      });
    };
    Term other = stepped(init);
    if (invariant(other) && stepped(other) == init) {
      result.kind = Recipe::Kind::Toggle;
      result.step = other;
      return result;
    }
  }
  for (auto &[partner, theirs] : recipe.places)
    if (partner != place && theirs.kind == Recipe::Kind::Opaque &&
        get(iteration.head, partner) == end && get(iteration.end, partner) == start) {
      result.kind = Recipe::Kind::Swap;
      result.partner = partner;
      return result;
    }
  return std::nullopt;
}

Executor::Recipe Executor::classify(const Place &place, const Recipe &old,
                                    const Iteration &iteration, const State &before, Loop &loop,
                                    const LoopRecipe &recipe) {
  Term end = get(iteration.end, place), init = get(before, place);
  if (old.kind == Recipe::Kind::Opaque && !old.failed)
    if (auto closed = guess(place, iteration, before, loop, recipe))
      return *closed;
  if (old.kind != Recipe::Kind::Opaque) {
    Term next = successor(place, old, before, loop);
    const auto [wide, size] = narrowed(end);
    const bool narrow = old.kind == Recipe::Kind::Affine && old.modulus == size && next == wide;
    if (next == end || narrow)
      return old;
  }
  Recipe result = old;
  auto part = [](Term t) { return t->op == Op::Pointer ? t->children[0] : t; };
  auto rangeOf = [&](Term t) {
    bool choice = t->op == Op::Ite && isPointer(t);
    return choice ? Interval{-kUnbounded, kUnbounded} : part(t)->range;
  };
  if (old.kind != Recipe::Kind::Opaque) { // the closed form does not hold
    result = Recipe{};
    result.failed = true;
    result.range = rangeOf(init);
  } else if (!old.failed) {
    result.failed = true;
    result.range = rangeOf(init);
  }
  result.uniform = std::min({result.uniform, part(init)->uniform, part(end)->uniform, recipe.exit});
  result.givenLane = std::min(
      {result.givenLane, part(init)->uniformGivenLane, part(end)->uniformGivenLane, recipe.exit});
  if (isPointer(init)) {
    addObjects(init, result.objects);
    addObjects(end, result.objects);
  }
  Term head = get(iteration.head, place);
  if (!isPointer(init) && !init->boolean && !noteSteps(end, head, result))
    result.stride = result.up = result.down = 0;
  if (!old.failed) // that run knew of no range: the next one tells what becomes of this
    return result;
  Interval seen = rangeOf(end); // widen what still grows
  if (seen.lo < result.range.lo)
    result.range.lo = seen.lo >= 1 ? 1 : seen.lo >= 0 ? 0 : -kUnbounded;
  if (seen.hi > result.range.hi)
    result.range.hi = kUnbounded;
  return result;
}

/// Updates the recipe from one run of the iteration; false when nothing changed.
bool Executor::refine(LoopRecipe &recipe, const Iteration &iteration, const State &before,
                      Loop &loop) {
  LoopRecipe old = recipe;
  auto exitScope = [&](Term condition) { recipe.exit = std::min(recipe.exit, condition->uniform); };
  if (iteration.test)
    exitScope(iteration.test);
  for (const State &s : iteration.breaks)
    exitScope(suffix(s, before.path.size()));
  for (auto &[s, arguments] : iteration.returns)
    exitScope(suffix(s, before.path.size()));
  for (const State &s : iteration.breaks)
    recipe.groupsVary |= s.openGroups != before.openGroups;
  recipe.groupsVary |= !iteration.end.dead && iteration.end.openGroups != before.openGroups;
  recipe.innerExits |= !iteration.breaks.empty() || !iteration.returns.empty();
  recipe.exited = recipe.innerExits ? innerExit(iteration, loop) : nullptr;
  if (!iteration.end.dead) {
    for (auto &[place, r] : recipe.places) {
      Term start = get(iteration.head, place), end = get(iteration.end, place);
      Term init = get(before, place);
      if (start && end && init)
        r = classify(place, r, iteration, before, loop, old);
    }
    for (auto &[object, shared] : iteration.end.locals.all()) {
      const LocalMemory &memory = *shared, *first = iteration.head.locals.find(object);
      if (!first || first == &memory || *first == memory)
        continue;
      if (memory.scrambled != first->scrambled) {
        recipe.scrambled.insert(object);
        std::erase_if(recipe.places, [&, id = object](auto &p) { return p.first.object == id; });
        continue;
      }
      if (recipe.scrambled.contains(object))
        continue;
      for (auto &[offset, cell] : memory.cells) {
        Place place{nullptr, object, offset, cell.size};
        if (recipe.places.contains(place))
          continue;
        Term init = get(before, place);
        if (init && init != cell.value)
          recipe.places.try_emplace(place);
        else if (!init)
          recipe.scrambled.insert(object); // undefined before the loop, defined after an iteration
      }
    }
    for (auto &[object, version] : iteration.end.versions) {
      auto first = iteration.head.versions.find(object);
      if (first == iteration.head.versions.end() || first->second != version)
        recipe.versions.insert(object);
    }
  }
  bool newForm = std::any_of(recipe.places.begin(), recipe.places.end(), [&](auto &entry) {
    auto before = old.places.find(entry.first);
    return before != old.places.end() && before->second.kind == Recipe::Kind::Opaque &&
           entry.second.kind != Recipe::Kind::Opaque;
  });
  if (planted(Bug::temporalDivergence))
    recipe.exit = Uniform::Grid;
  if (newForm) { // what the opaque guess said of uniformity was too pessimistic: begin again
    recipe.exit = Uniform::Grid;
    for (auto &[place, r] : recipe.places)
      r.uniform = r.givenLane = Uniform::Grid;
  }
  return old != recipe;
}

} // namespace warpdrf::contract
