// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule undefined-lane-value: a shuffle reads a lane that does not take part, and what it reads may
// reach a store, an address, a branch or a mask. Lanes are enumerated: for each warp and lane there
// is the condition under which the value it reads is undefined, which follows the value through
// operations. `if (t < 8) for (d = 4; d; d >>= 1) v += shfl_down(0xff, v, d)` is fine: lanes 4 to 7
// read from outside the mask, but only lane 0's result is used. So is a use behind `if (lane + d <
// n)` when the lanes below n take part.
#include "analysis/contract/check_context.h"
#include "analysis/contract/masks.h"
#include "analysis/contract/pair.h"

namespace warpdrf::contract {

namespace {

/// By lane: the condition under which a value is undefined there. Empty: it never is.
using Lanes = std::vector<Term>;

/// Warps that are tried: the first, the second, and the last where their number is known.
constexpr int kWarpsTried = 3;

/// Lane l's private symbols are instances of side kFirstLane + l; 1 to 4 are taken (pair.h).
constexpr int kFirstLane = 8;

class LaneTaint {
public:
  LaneTaint(CheckContext &context, std::int64_t warp)
      : context(context), pool(context.pool), warp(warp),
        width(static_cast<int>(context.options.warpWidth)) {}

  void run() {
    for (const Event &event : context.trace.events) {
      if (context.decider.outOfTime())
        return;
      bool faulty = context.violated.contains(&event); // told already
      if (event.kind == Event::Kind::Primitive && event.source && event.result && !faulty)
        visitShuffle(event);
      else if (event.isAccess() && event.writes())
        visitSink(event, {event.value, event.offset}, "stored");
      else if (event.isAccess())
        visitSink(event, {event.offset}, "used as an address");
    }
  }

private:
  Term laneIndex() const { return context.coordinates.laneParts[0]; }

  /// A symbol as one lane of this warp sees it; null: as everybody does.
  Term symbolAt(unsigned symbol, std::span<const Term> arguments, int lane) {
    const Symbol &s = pool.symbol(symbol);
    if (s.kind == SymbolKind::Counter || s.uniform >= Uniform::Warp)
      return nullptr;
    return pool.atom(pool.instanceOf(symbol, kFirstLane + lane), arguments);
  }

  /// A term as one lane of this warp sees it.
  Term at(Term term, int lane) {
    return pool.rewrite(term, memos[lane], [&](Term atom, std::span<const Term> arguments) -> Term {
      if (atom == laneIndex())
        return pool.integer(lane);
      if (atom == context.coordinates.warpParts[0])
        return pool.integer(warp);
      return symbolAt(static_cast<unsigned>(atom->value), arguments, lane);
    });
  }

  /// The condition under which a lane runs the event.
  Term runs(const Event &event, int lane) {
    if (lane > laneIndex()->range.hi)
      return pool.boolean(false);
    return at(pool.conj(pool.conj(context.coordinates.facts), pool.conj(event.path)), lane);
  }

  void visitShuffle(const Event &event) {
    // A value that all lanes share comes back as itself: nothing to follow.
    if (event.result->op != Op::Atom || event.result == event.operand)
      return;
    const Lanes before = taint(event.operand);
    Lanes undefined(static_cast<std::size_t>(width), pool.boolean(false));
    bool ever = false;
    for (int lane = 0; lane < width; ++lane) {
      Term mine = runs(event, lane);
      auto source = constantOf(at(event.source, lane));
      if (pool.isFalse(mine) || !source || *source < 0 || *source >= width)
        continue;
      auto from = static_cast<int>(*source);
      Term there = from == lane ? pool.boolean(true)
                                : pool.conj(runs(event, from), named(event, lane, from));
      Term missing = pool.negate(there);
      if (!before.empty())
        missing = pool.disj(missing, before[*source]);
      Term &condition = undefined[lane];
      condition = pool.conj(mine, missing);
      ever |= !pool.isFalse(condition);
    }
    if (!ever)
      return;
    tainted[event.result] = std::move(undefined);
    origin.emplace(event.result, &event);
    memoTaint.clear();
  }

  /// Whether the mask that `lane` passes names `other`. Masks nobody can know count as right.
  Term named(const Event &event, int lane, int other) {
    if (!event.mask)
      return pool.boolean(true);
    // A ballot's predicate is that of the lane asked about, which is side 1 of maskBit.
    Side side(pool, context.trace, 1, Uniform::Warp, {});
    Term bit = maskBit(pool, context.trace, at(event.mask, lane), pool.integer(other), side);
    bool known = true;
    std::unordered_map<Term, Term> memo;
    bit = pool.rewrite(bit, memo, [&](Term atom, std::span<const Term> arguments) -> Term {
      const Symbol &s = pool.symbolOf(atom);
      known &= s.name != kUnknownMaskBit;
      if (atom == context.coordinates.warpParts[0])
        return pool.integer(warp);
      if (s.side != 1)
        return nullptr;
      if (laneIndex()->value == static_cast<std::int64_t>(s.original))
        return pool.integer(other);
      return symbolAt(s.original, arguments, other);
    });
    return known ? bit : pool.boolean(true);
  }

  const Lanes &taint(Term term) {
    static const Lanes never;
    if (!term || tainted.empty())
      return never;
    if (auto found = tainted.find(term); found != tainted.end())
      return found->second;
    if (auto found = memoTaint.find(term); found != memoTaint.end())
      return found->second;
    std::vector<Term> parts = term->children;
    if (auto sum = context.trace.reductions.find(term); sum != context.trace.reductions.end())
      parts.assign(sum->second.begin(), sum->second.end());
    std::vector<const Lanes *> below;
    bool ever = false;
    for (Term part : parts) {
      below.push_back(&taint(part));
      ever |= !below.back()->empty();
    }
    Lanes lanes;
    for (int lane = 0; ever && lane < width; ++lane)
      lanes.push_back(combined(term, below, lane));
    return memoTaint[term] = std::move(lanes);
  }

  /// When an operation's value is undefined in a lane, given when its operands are.
  Term combined(Term term, const std::vector<const Lanes *> &below, int lane) {
    auto undefined = [&](std::size_t i) {
      return below[i]->empty() ? pool.boolean(false) : (*below[i])[lane];
    };
    if (term->op == Op::Ite)
      return pool.disj(undefined(0),
                       pool.ite(at(term->children[0], lane), undefined(1), undefined(2)));
    Term result = pool.boolean(false);
    for (std::size_t i = 0; i < below.size(); ++i)
      result = pool.disj(result, undefined(i));
    if (term->op != Op::And && term->op != Op::Or)
      return result;
    // One operand that is known may decide the whole: `false && x`, `true || x`.
    for (std::size_t i = 0; i < below.size(); ++i) {
      Term known = at(term->children[i], lane);
      Term open = term->op == Op::And ? known : pool.negate(known);
      result = pool.conj(result, pool.disj(open, undefined(i)));
    }
    return result;
  }

  void visitSink(const Event &event, std::initializer_list<Term> used, const std::string &how) {
    if (tainted.empty())
      return;
    std::vector<Lanes> ways{taint(pool.conj(event.path))}; // a branch on it decides what runs
    for (Term term : used)
      ways.push_back(taint(term));
    std::vector<std::pair<int, Term>> bad;
    Term any = pool.boolean(false);
    for (int lane = 0; lane < width; ++lane) {
      Term here = pool.boolean(false);
      for (const Lanes &way : ways)
        here = way.empty() ? here : pool.disj(here, way[lane]);
      if (!pool.isFalse(here))
        here = pool.conj(here, runs(event, lane));
      if (pool.isFalse(here))
        continue;
      bad.emplace_back(lane, here);
      any = pool.disj(any, here);
    }
    if (bad.empty() || ask(any).answer == Answer::Unsat)
      return;
    for (auto &[lane, condition] : bad)
      if (Decision decision = ask(condition); decision.answer == Answer::Sat)
        return report(event, used, how, lane, decision);
    undecided(event);
  }

  Decision ask(Term condition) {
    Side side(pool, context.trace, 1, Uniform::Warp, {});
    return context.decider.satisfiable({condition, assumedFacts(context, side)}, Uniform::Warp);
  }

  void undecided(const Event &sink) {
    if (context.participation < Verdict::Unproved)
      context.participation = Verdict::Unproved;
    Finding finding;
    finding.rule = "unproved";
    finding.severity = Severity::Information;
    finding.confidence = Confidence::Possible;
    finding.scope = Scope::Warp;
    finding.primary = sink.range;
    finding.message = "could not decide whether this uses a shuffle's value from a lane that does "
                      "not take part";
    context.add(std::move(finding));
  }

  /// The first shuffle below `term` whose value may be undefined in the lane.
  const Event *culprit(Term term, int lane, std::set<Term> &seen) {
    const Lanes &lanes = taint(term);
    if (lanes.empty() || pool.isFalse(lanes[lane]) || !seen.insert(term).second)
      return nullptr;
    if (auto found = origin.find(term); found != origin.end())
      return found->second;
    std::vector<Term> parts = term->children;
    if (auto sum = context.trace.reductions.find(term); sum != context.trace.reductions.end())
      parts.assign(sum->second.begin(), sum->second.end());
    for (Term part : parts)
      if (const Event *found = culprit(part, lane, seen))
        return found;
    return nullptr;
  }

  void report(const Event &sink, std::initializer_list<Term> used, const std::string &how, int lane,
              const Decision &decision) {
    const Event *shuffle = nullptr;
    std::set<Term> seen;
    for (Term term : used)
      if (!shuffle)
        shuffle = culprit(term, lane, seen);
    if (!shuffle)
      shuffle = culprit(pool.conj(sink.path), lane, seen);
    if (!shuffle)
      return;
    Finding finding;
    finding.rule = "undefined-lane-value";
    finding.primary = shuffle->range;
    finding.scope = Scope::Warp;
    finding.message = "'" + shuffle->name + "' reads a lane that does not take part, and lane " +
                      std::to_string(lane) + "'s value is used";
    setConfidence(finding, Severity::Error, decision);
    finding.related.push_back(
        {Related::Role::Access, "the undefined value is " + how + " here", sink.range});
    finding.witness = witnessOf(lane, decision);
    if (shuffle->mask)
      finding.related.push_back(
          {Related::Role::Mask, "the mask names the lanes that take part", shuffle->range});
    addCalls(finding, *shuffle);
    context.participation = Verdict::Violated;
    context.portable = false;
    context.add(std::move(finding));
  }

  /// One thread: the lane that uses the value, in a block of whole warps that has it.
  Witness witnessOf(int lane, const Decision &decision) const {
    Witness witness = makeLaunch(context, decision);
    WitnessThread thread{{}, {warp * width + lane, 0, 0}, lane, static_cast<int>(warp), ""};
    if (!constantOf(context.coordinates.bdim[0]))
      witness.block[0] = std::max(witness.block[0], (warp + 1) * width);
    witness.threads.push_back(thread);
    return witness;
  }

  CheckContext &context;
  TermPool &pool;
  std::int64_t warp;
  int width;
  std::map<int, std::unordered_map<Term, Term>> memos;
  std::unordered_map<Term, Lanes> tainted, memoTaint;
  std::map<Term, const Event *> origin;
};

} // namespace

void checkUndefinedLanes(CheckContext &context) {
  const Coordinates &c = context.coordinates;
  bool oneLane = c.laneParts.size() == 1 && c.laneParts[0]->op == Op::Atom;
  if (!oneLane || c.warpParts.size() != 1 || context.options.warpWidth > 64)
    return; // blocks whose rows are narrower than a warp: not enumerated
  Interval warps = c.warpParts[0]->range;
  for (int i = 0; i < kWarpsTried; ++i) {
    std::int64_t warp = i < 2 || warps.hi >= 1024 ? i : warps.hi;
    if (warp <= warps.hi)
      LaneTaint(context, warp).run();
  }
}

} // namespace warpdrf::contract
