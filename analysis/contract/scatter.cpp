// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/scatter.h"

#include "analysis/contract/overlap.h"

namespace warpdrf::contract {

namespace {

/// Loads from memory that nobody writes, by the object's symbol.
using Loads = std::map<unsigned, std::vector<Term>>;

Loads loadsIn(const TermPool &pool, const std::vector<Term> &terms) {
  std::map<unsigned, std::vector<Term>> loads;
  std::unordered_map<Term, bool> seen;
  for (Term term : terms)
    forEachAtom(term, seen, [&](Term atom) {
      if (pool.symbolOf(atom).kind == SymbolKind::Input && atom->children.size() == 1)
        loads[static_cast<unsigned>(atom->value)].push_back(atom);
    });
  return loads;
}

/// Segments that start at a loaded index and whose length nobody knows: the rest of the offset
/// counts up to something that is neither a launch fact nor an element of the index object.
bool hasUnknownLength(const TermPool &pool, const Event &event, unsigned symbol) {
  auto atomsOf = [&](Term term, const auto &visit) {
    std::unordered_map<Term, bool> seen;
    forEachAtom(term, seen, [&](Term atom) { visit(atom, pool.symbolOf(atom).kind); });
  };
  std::set<Term> counters;
  atomsOf(event.offset, [&](Term atom, SymbolKind kind) {
    if (kind == SymbolKind::Counter)
      counters.insert(atom);
  });
  for (Term condition : event.path) {
    bool counts = false, unknown = false, exact = false;
    atomsOf(condition, [&](Term atom, SymbolKind kind) {
      counts |= counters.contains(atom);
      exact |= static_cast<unsigned>(atom->value) == symbol;
      unknown |= kind >= SymbolKind::Input && kind != SymbolKind::Function;
    });
    if (counts && unknown && !exact)
      return true;
  }
  return false;
}

/// Whether a place is computed from loaded indices by operations that terms know nothing of, as a
/// division by a reciprocal: different indices then may stand for different places all the same.
/// Where the indices themselves are loaded from does not count.
bool isComputedFrom(const TermPool &pool, Term offset, unsigned symbol) {
  std::set<std::pair<Term, bool>> seen;
  const auto visit = [&](auto &self, Term term, bool inFunction) -> bool {
    if (!seen.emplace(term, inFunction).second)
      return false;
    const bool atom = term->op == Op::Atom;
    if (atom && pool.symbolOf(term).kind == SymbolKind::Input)
      return inFunction && static_cast<unsigned>(term->value) == symbol &&
             term->children[0]->uniform < Uniform::Grid; // an array's, no field of a parameter
    inFunction |= atom && pool.symbolOf(term).kind == SymbolKind::Function;
    return std::ranges::any_of(term->children,
                               [&](Term child) { return self(self, child, inFunction); });
  };
  return visit(visit, offset, false);
}

/// The name of the object that loads are from.
std::string objectNameOf(const TermPool &pool, unsigned symbol) {
  const std::string &name = pool.symbol(symbol).name; // "ids[]"
  return name.substr(0, name.find('['));
}

/// The object whose elements say where the indices of `symbol` begin; empty if there is none.
std::string boundsOf(const CheckContext &context, Loads &first, Loads &second, unsigned symbol) {
  for (Loads *loads : {&first, &second})
    for (Term index : (*loads)[symbol])
      for (auto &[inner, each] : loadsIn(context.pool, {index->children[0]})) {
        return objectNameOf(context.pool, inner);
      }
  return "";
}

} // namespace

Scatter scatteredBy(CheckContext &context, const std::vector<Term> &terms, const Event &event,
                    Term offset1, Term offset2, Uniform shared) {
  TermPool &pool = context.pool;
  auto all = loadsIn(pool, terms);
  auto related = [&](unsigned symbol, auto relate) {
    std::vector<Term> facts;
    const std::vector<Term> &loads = all[symbol];
    for (Term a : loads)
      for (Term b : loads)
        if (a != b)
          facts.push_back(relate(a, b));
    return facts;
  };
  Scatter none;
  auto impossible = [&](const std::vector<Term> &facts) {
    std::vector<Term> query = terms;
    query.insert(query.end(), facts.begin(), facts.end());
    const Answer answer = context.decider.satisfiable(query, shared).answer;
    none.undecided |= answer == Answer::Unknown;
    return answer == Answer::Unsat;
  };
  // The index object is laid out like any other: `ids[row * n + slot]` differs by row and slot.
  bool usedLayout = false;
  auto distinct = [&](Term a, Term b) {
    return pool.disj(pool.negate(pool.eq(a, b)), overlap(pool, a->children[0], 1, b->children[0], 1,
                                                         context.assumes("layout"), usedLayout));
  };
  auto ascending = [&](Term a, Term b) {
    return pool.disj(pool.lt(b->children[0], a->children[0]), pool.le(a, b));
  };
  std::vector<Term> keys; // lanes with equal ones go together: duplicates are expected there
  for (auto &[symbol, match] : context.trace.matches)
    if (match.key)
      keys.push_back(match.key);
  auto matched = loadsIn(pool, keys);
  auto first = loadsIn(pool, {offset1}), second = loadsIn(pool, {offset2});
  for (auto &[symbol, loads] : first) {
    if (!second.contains(symbol) || matched.contains(symbol))
      continue;
    const std::string name = objectNameOf(pool, symbol);
    std::vector<Term> apart = related(symbol, distinct);
    if (impossible(apart))
      return {.object = name, .distinct = {}};
    // A segment has an upper bound too: an element that is compared with and not part of the index.
    bool bounded = all[symbol].size() > loads.size() + second[symbol].size();
    if (bounded && impossible(related(symbol, ascending)))
      return {.object = name, .segments = true, .distinct = {}};
    const std::string bounds = boundsOf(context, first, second, symbol);
    std::vector<Term> placed = apart;
    if (const bool computed = isComputedFrom(pool, offset1, symbol); computed || !bounds.empty()) {
      if (computed)
        for (Term a : loads)
          for (Term b : second[symbol])
            placed.push_back(pool.eq(a, b));
      for (auto &[other, each] : all)
        if (other != symbol && objectNameOf(pool, other) == bounds)
          for (Term fact : related(other, ascending))
            placed.push_back(fact);
      if (impossible(placed))
        return {.object = name, .computed = computed, .bounds = bounds, .distinct = {}};
    }
    none.distinct = std::move(apart);
    if (!hasUnknownLength(pool, event, symbol))
      continue;
    auto sameSegment = [&](Term a, Term b) { return pool.eq(a->children[0], b->children[0]); };
    if (impossible(related(symbol, sameSegment)))
      return {.object = name, .segments = true, .distinct = {}};
  }
  return none;
}

namespace {

/// Follows values back to the memory that they come from.
class Sources {
public:
  explicit Sources(const CheckContext &context) : pool(context.pool), trace(context.trace) {}

  void visit(Term term) {
    if (!term || found || !seen.insert(term).second)
      return;
    for (Term child : term->children)
      visit(child);
    if (term->op == Op::Atom)
      visitAtom(term);
  }

  bool found = false;

private:
  void visitAll(const std::vector<Term> &terms) {
    for (Term term : terms)
      visit(term);
  }

  void visitAtom(Term atom) {
    const auto id = static_cast<unsigned>(atom->value);
    const SymbolKind kind = pool.symbol(id).kind;
    found |=
        kind == SymbolKind::Input || (kind == SymbolKind::Memory && !trace.tickets.contains(id));
    if (auto flow = trace.inflows.find(id); flow != trace.inflows.end()) {
      visitAll(flow->second.before);
      visitAll(flow->second.carried);
    }
    if (auto ballot = trace.ballots.find(id); ballot != trace.ballots.end())
      visit(ballot->second.predicate);
    if (kind == SymbolKind::Collective)
      for (const Event &event : trace.events)
        if (event.kind == Event::Kind::Primitive && event.result == atom)
          visit(event.operand);
  }

  const TermPool &pool;
  const Trace &trace;
  std::set<Term> seen;
};

} // namespace

bool restsOnContents(const CheckContext &context, const Event &access) {
  Sources sources(context);
  sources.visit(access.offset);
  return sources.found;
}

} // namespace warpdrf::contract
