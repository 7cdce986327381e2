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
#include "analysis/contract/planted.h"
#include "analysis/contract/smt.h"

#include <algorithm>
#include <optional>

namespace warpdrf::contract {

namespace {

/// By lane: the condition under which a value is undefined there. Empty: it never is.
using Lanes = std::vector<Term>;

/// Warps that are tried one by one: the first, the second, and the last where their number is
/// known.
constexpr int kWarpsTried = 3;

/// How often the collectives are gone through when values may come round in a loop.
constexpr int kRounds = 4;

/// Another iteration's counter is its instance of this side.
constexpr int kOtherIteration = 7;

/// Lane l's private symbols are instances of side kFirstLane + l; 1 to 4 are taken (pair.h).
constexpr int kFirstLane = 8;

class LaneTaint {
public:
  /// Without a warp: some warp, the same for all lanes.
  LaneTaint(CheckContext &context, std::optional<std::int64_t> warp)
      : context(context), pool(context.pool), warp(warp),
        width(static_cast<int>(context.options.warpWidth)) {}

  void run() {
    // What a loop carries takes another round to come back to its head.
    int rounds = context.trace.loops.empty() ? 1 : kRounds;
    for (bool changed = true; changed && rounds > 0; --rounds) {
      changed = false;
      for (const Event &event : context.trace.events) {
        if (context.decider.outOfTime())
          return;
        bool faulty = context.violated.contains(&event); // told already
        if (event.kind == Event::Kind::Primitive && event.operand && event.result && !faulty)
          changed |= visitCollective(event);
      }
    }
    for (const Event &event : context.trace.events) {
      if (tainted.empty() || context.decider.outOfTime())
        return;
      if (event.isAccess() && event.writes())
        visitSink(event, {event.value, event.offset}, "stored");
      else if (event.isAccess())
        visitSink(event, {event.offset}, "used as an address");
      else if (event.kind == Event::Kind::Primitive)
        visitSink(event, {event.mask}, "used as a mask");
      else if (event.kind == Event::Kind::Barrier)
        visitSink(event, {event.value}, "voted with");
      else
        visitSink(event, {}, "decided with");
    }
  }

private:
  std::optional<std::int64_t> coordinateAt(Term atom, int lane) const {
    return contract::coordinateAt(context.coordinates, atom, warp, lane, width);
  }

  bool isLaunched(int lane) const {
    const Coordinates &c = context.coordinates;
    if (c.laneParts.size() == 1)
      return lane <= c.laneParts[0]->range.hi;
    std::int64_t threads = 1;
    for (Term extent : c.bdim)
      threads *= *constantOf(extent);
    return c.laneParts.size() == 2 || *warp * width + lane < threads;
  }

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
      if (auto known = coordinateAt(atom, lane))
        return pool.integer(*known);
      return symbolAt(static_cast<unsigned>(atom->value), arguments, lane);
    });
  }

  /// The condition under which a lane runs the event.
  Term runs(const Event &event, int lane) {
    if (planted(Bug::partialWarp))
      return at(pool.conj(event.path), lane);
    if (!isLaunched(lane))
      return pool.boolean(false);
    return at(pool.conj(pool.conj(context.coordinates.facts), pool.conj(event.path)), lane);
  }

  /// True when it gives more undefined values than was known.
  bool visitCollective(const Event &event) {
    // A value that all lanes share comes back as itself: nothing to follow.
    if (event.result->op != Op::Atom || event.result == event.operand)
      return false;
    // Nor is there in a group that a run forms: who is read is in it.
    if (event.mask && event.mask->op == Op::Atom)
      if (auto match = context.trace.matches.find(static_cast<unsigned>(event.mask->value));
          match != context.trace.matches.end() && (match->second.mask || !match->second.key))
        return false;
    auto symbol = static_cast<unsigned>(event.result->value);
    Lanes undefined = event.source ? shuffled(event) : voted(event);
    bool ever =
        std::ranges::any_of(undefined, [&](Term condition) { return !pool.isFalse(condition); });
    if (!ever || tainted[symbol] == undefined) {
      if (!ever)
        tainted.erase(symbol);
      return false;
    }
    tainted[symbol] = std::move(undefined);
    origin.emplace(symbol, &event);
    memoTaint.clear();
    return true;
  }

  /// A shuffle gives what the source lane has, and nothing known where that does not take part.
  Lanes shuffled(const Event &event) {
    const Lanes values = taint(event.operand), sources = taint(event.source);
    Lanes undefined(static_cast<std::size_t>(width), pool.boolean(false));
    for (int lane = 0; lane < width; ++lane) {
      Term mine = runs(event, lane);
      if (pool.isFalse(mine))
        continue;
      Term source = at(event.source, lane);
      Term bad = sources.empty() ? pool.boolean(false) : pool.conj(mine, sources[lane]);
      for (std::int64_t from = std::max<std::int64_t>(source->range.lo, 0);
           from <= std::min<std::int64_t>(source->range.hi, width - 1); ++from) {
        Term there = from == lane ? pool.boolean(true)
                                  : pool.conj(runs(event, static_cast<int>(from)),
                                              named(event, lane, static_cast<int>(from)));
        Term missing = pool.negate(there);
        if (!values.empty())
          missing = pool.disj(missing, values[from]);
        missing = pool.conj(mine, missing);
        bad = pool.disj(bad, pool.conj(missing, pool.eq(source, pool.integer(from))));
      }
      undefined[lane] = bad;
    }
    return undefined;
  }

  /// What all lanes together give is undefined for all when one of them has an undefined value.
  Lanes voted(const Event &event) {
    const Lanes values = taint(event.operand);
    if (values.empty())
      return {};
    Term any = pool.boolean(false);
    for (int lane = 0; lane < width; ++lane)
      any = pool.disj(any, pool.conj(runs(event, lane), values[lane]));
    Lanes undefined;
    for (int lane = 0; lane < width; ++lane)
      undefined.push_back(pool.conj(runs(event, lane), any));
    return undefined;
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
      if (auto known = coordinateAt(atom, other); known && atom == context.coordinates.warpParts[0])
        return pool.integer(*known);
      if (s.side != 1)
        return nullptr;
      if (auto known = coordinateAt(pool.atom(s.original), other))
        return pool.integer(*known);
      return symbolAt(s.original, arguments, other);
    });
    return known ? bit : pool.boolean(true);
  }

  const Lanes &taint(Term term) {
    static const Lanes never;
    if (!term || tainted.empty())
      return never;
    auto symbol = static_cast<unsigned>(term->value);
    if (term->op == Op::Atom && tainted.contains(symbol))
      return tainted.at(symbol);
    if (auto found = memoTaint.find(term); found != memoTaint.end())
      return found->second;
    const Inflow *inflow = inflowOf(term);
    if (!inflow)
      return memoTaint[term] = made(term, term->children);
    memoTaint[term] = made(term, inflow->before);
    if (inflow->carried.empty())
      return memoTaint[term];
    // The head of a loop is undefined where it comes undefined from before, or from an earlier
    // iteration.
    Lanes carried = ofEarlierIterations(made(term, inflow->carried), inflow->counter);
    Lanes &all = memoTaint[term];
    if (all.empty())
      return all = std::move(carried);
    for (std::size_t lane = 0; lane < carried.size(); ++lane)
      all[lane] = pool.disj(all[lane], carried[lane]);
    return all;
  }

  const Inflow *inflowOf(Term term) const {
    if (term->op != Op::Atom)
      return nullptr;
    auto found = context.trace.inflows.find(static_cast<unsigned>(term->value));
    return found == context.trace.inflows.end() ? nullptr : &found->second;
  }

  Lanes ofEarlierIterations(Lanes lanes, Term counter) {
    auto symbol = static_cast<unsigned>(counter->value);
    Term earlier = pool.atom(pool.instanceOf(symbol, kOtherIteration));
    for (Term &condition : lanes)
      condition =
          pool.conj(withCounters(pool, condition, {{symbol, earlier}}), pool.lt(earlier, counter));
    return lanes;
  }

  /// When a value that is made of `parts` is undefined.
  Lanes made(Term term, const std::vector<Term> &parts) {
    std::vector<Lanes> below;
    bool ever = false;
    for (Term part : parts) {
      below.push_back(taint(part));
      ever |= !below.back().empty();
    }
    Lanes lanes;
    for (int lane = 0; ever && lane < width; ++lane)
      lanes.push_back(combined(term, below, lane));
    return lanes;
  }

  /// When an operation's value is undefined in a lane, given when its operands are.
  Term combined(Term term, const std::vector<Lanes> &below, int lane) {
    auto undefined = [&](std::size_t i) {
      return below[i].empty() ? pool.boolean(false) : below[i][lane];
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
    if (lanes.empty() || !seen.insert(term).second)
      return nullptr;
    if (auto found = origin.find(static_cast<unsigned>(term->value));
        term->op == Op::Atom && found != origin.end()) {
      const Event &event = *found->second;
      return event.source ? &event : culprit(event.operand, lane, seen);
    }
    std::vector<Term> parts = term->children;
    if (const Inflow *inflow = inflowOf(term)) {
      parts = inflow->before;
      parts.insert(parts.end(), inflow->carried.begin(), inflow->carried.end());
    }
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
  Witness witnessOf(int lane, const Decision &decision) {
    Witness witness = makeLaunch(context, decision);
    const Coordinates &c = context.coordinates;
    auto number = [&](Term term) { return evaluate(pool, at(term, lane), decision); };
    WitnessThread thread{{}, {number(c.tid[0]), number(c.tid[1]), number(c.tid[2])}, lane, 0, ""};
    thread.warp = static_cast<int>(number(c.warp));
    if (!constantOf(c.bdim[0]))
      witness.block[0] = std::max(witness.block[0], (thread.thread[0] / width + 1) * width);
    witness.threads.push_back(thread);
    return witness;
  }

  CheckContext &context;
  TermPool &pool;
  std::optional<std::int64_t> warp;
  int width;
  std::map<int, std::unordered_map<Term, Term>> memos;
  std::map<unsigned, Lanes> tainted; ///< results of collectives, by symbol
  std::unordered_map<Term, Lanes> memoTaint;
  std::map<unsigned, const Event *> origin;
};

/// Some shuffle's participants or source are others in other warps, and warps are atoms.
bool dependsOnWarp(const CheckContext &context) {
  Term warp = context.coordinates.warpParts[0];
  std::unordered_map<Term, bool> seen;
  bool depends = false;
  auto look = [&](Term term) {
    if (term)
      forEachAtom(term, seen, [&](Term atom) { depends |= atom == warp; });
  };
  for (const Event &event : context.trace.events)
    if (event.kind == Event::Kind::Primitive && event.source) {
      for (Term term : event.path)
        look(term);
      look(event.mask);
      look(event.source);
    }
  return depends;
}

} // namespace

void checkUndefinedLanes(CheckContext &context) {
  const Coordinates &c = context.coordinates;
  bool any = std::ranges::any_of(context.trace.events, [](const Event &e) { return e.source; });
  if (!any || planted(Bug::sourceLane) || context.options.warpWidth > 64)
    return;
  Interval warps = c.warpParts[0]->range;
  const std::int64_t tried = planted(Bug::firstWarp) ? 1 : kWarpsTried;
  for (std::int64_t i = 0; i < tried; ++i) {
    std::int64_t warp = i < 2 || warps.hi >= 1024 ? i : warps.hi;
    if (warp <= warps.hi)
      LaneTaint(context, warp).run();
  }
  if (warps.hi >= tried && dependsOnWarp(context) && !planted(Bug::firstWarp))
    LaneTaint(context, std::nullopt).run();
}

} // namespace warpdrf::contract
