// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/lockstep.h"

#include <algorithm>
#include <set>

namespace warpdrf::contract {

namespace {

/// What a loop carries and changes in an iteration only where `guard` holds.
struct Guarded {
  Term atom; ///< at the head of an iteration
  Term guard, update, initial;
  bool grows;
  Uniform level; ///< over whom the values are the same, of those that are in
};

class Lockstep {
public:
  Lockstep(TermPool &pool, Trace &trace, Loop &loop) : pool(pool), trace(trace), loop(loop) {
    for (Loop *around = &loop; around; around = around->parent)
      counters.insert(counters.begin(), around->counter);
  }

  void run() {
    std::vector<Guarded> all = guarded();
    while (!all.empty()) {
      const Term guard = all.front().guard;
      std::vector<Guarded> alike;
      std::erase_if(all, [&](const Guarded &each) {
        if (each.guard == guard)
          alike.push_back(each);
        return each.guard == guard;
      });
      if (staysFalse(guard, alike))
        share(guard, std::move(alike));
    }
  }

private:
  std::vector<Guarded> guarded() {
    std::vector<Guarded> found;
    for (const auto &[symbol, carried] : trace.carried) {
      const auto inflow = trace.inflows.find(symbol);
      if (carried.counter != static_cast<unsigned>(loop.counter->value) ||
          carried.next->op != Op::Ite || inflow == trace.inflows.end() ||
          inflow->second.before.size() != 1)
        continue;
      const Term atom = pool.atom(symbol, counters);
      const auto &choice = carried.next->children;
      const Term initial = inflow->second.before[0];
      if (choice[2] == atom)
        found.push_back({atom, choice[0], choice[1], initial, carried.grows, initial->uniform});
      else if (choice[1] == atom)
        found.push_back(
            {atom, pool.negate(choice[0]), choice[2], initial, carried.grows, initial->uniform});
    }
    return found;
  }

  /// Whether nothing that varies from one iteration to the next decides the guard but what changes
  /// only where it holds.
  bool staysFalse(Term guard, const std::vector<Guarded> &alike) const {
    std::set<Term> seen; // terms share their parts
    const auto visit = [&](auto &self, Term term) -> bool {
      if (!seen.insert(term).second ||
          std::ranges::find(alike, term, &Guarded::atom) != alike.end())
        return true;
      return term != loop.counter &&
             std::ranges::all_of(term->children, [&](Term child) { return self(self, child); });
    };
    return visit(visit, guard);
  }

  /// Over which threads a term is the same if the carried values are at their levels.
  Uniform levelOf(Term term, const std::vector<Guarded> &alike) const {
    Uniform level = Uniform::Grid;
    std::set<Term> seen;
    const auto visit = [&](auto &self, Term part) -> void {
      if (!seen.insert(part).second)
        return;
      if (auto own = std::ranges::find(alike, part, &Guarded::atom); own != alike.end()) {
        level = std::min(level, own->level);
        return;
      }
      if (part->op == Op::Atom)
        level = std::min(level, pool.symbolOf(part).uniform);
      for (Term child : part->children)
        self(self, child);
    };
    visit(visit, term);
    return level;
  }

  /// By what an update multiplies; 0 for any other.
  static std::int64_t factorOf(const Guarded &value) {
    const Term update = value.update;
    return update->op == Op::Linear && update->value == 0 && update->children.size() == 1 &&
                   update->children[0] == value.atom && update->coefficients[0] > 1
               ? update->coefficients[0]
               : 0;
  }

  Term powerOf(std::int64_t factor) {
    auto [entry, isNew] = powers.try_emplace(factor, nullptr);
    if (isNew) {
      const unsigned symbol = pool.addSymbol({SymbolKind::Unknown,
                                              "a power of " + std::to_string(factor),
                                              Uniform::Grid,
                                              Uniform::Grid,
                                              false,
                                              {1, kUnbounded}});
      entry->second = pool.atom(symbol, counters);
      trace.carried[symbol] = {symbol, pool.scale(entry->second, factor),
                               static_cast<unsigned>(loop.counter->value), true};
    }
    return entry->second;
  }

  void share(Term guard, std::vector<Guarded> alike) {
    for (bool changed = true; std::exchange(changed, false);)
      for (Guarded &each : alike)
        if (Uniform level = levelOf(each.update, alike); level < each.level) {
          each.level = level;
          changed = true;
        }
    std::unordered_map<Term, Term> shared;
    std::vector<Term> equal;
    for (const Guarded &each : alike)
      if (const std::int64_t factor = factorOf(each)) {
        shared[each.atom] = pool.mul(each.initial, powerOf(factor));
      } else if (each.level >= Uniform::Warp && each.atom->op == Op::Atom && !each.atom->boolean) {
        Symbol symbol = pool.symbolOf(each.atom);
        symbol.uniform = symbol.uniformGivenLane = each.level;
        const unsigned common = pool.addSymbol(symbol);
        shared[each.atom] = pool.atom(common, counters);
        equal.push_back(pool.eq(each.atom, shared[each.atom]));
      }
    for (const Guarded &each : alike)
      if (auto common = shared.find(each.atom); common != shared.end() && !factorOf(each)) {
        const auto symbol = static_cast<unsigned>(common->second->value);
        trace.carried[symbol] = {symbol, withShared(each.update, shared),
                                 static_cast<unsigned>(loop.counter->value), each.grows};
        trace.inflows[symbol] = trace.inflows.at(static_cast<unsigned>(each.atom->value));
      }
    if (shared.empty())
      return;
    equal.push_back(withShared(guard, shared));
    for (Event &event : trace.events)
      if (event.isAccess() && std::ranges::find(event.loops, &loop) != event.loops.end() &&
          std::ranges::find(event.path, guard) != event.path.end()) {
        event.offset = withShared(event.offset, shared);
        if (event.value)
          event.value = withShared(event.value, shared);
        event.path.insert(event.path.end(), equal.begin(), equal.end());
      }
  }

  Term withShared(Term term, const std::unordered_map<Term, Term> &shared) {
    std::unordered_map<Term, Term> memo;
    return pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
      auto found = shared.find(atom);
      return found == shared.end() ? nullptr : found->second;
    });
  }

  TermPool &pool;
  Trace &trace;
  Loop &loop;
  std::vector<Term> counters; ///< of the loops around and its own
  std::map<std::int64_t, Term> powers;
};

} // namespace

void shareLockstepValues(TermPool &pool, Trace &trace) {
  for (Loop &loop : trace.loops)
    Lockstep(pool, trace, loop).run();
}

} // namespace warpdrf::contract
