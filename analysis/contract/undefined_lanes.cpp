// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule undefined-lane-value: a shuffle reads a lane that does not take part, and what it reads may
// reach a store, an address, a branch or a mask. Lanes are enumerated: for each warp and lane the
// path and the source lane are evaluated, and undefined lanes are followed through values. `if (t <
// 8) for (d = 4; d; d >>= 1) v += shfl_down(0xff, v, d)` is fine: lanes 4 to 7 read from outside
// the mask, but only lane 0's result is used.
#include "analysis/contract/check_context.h"
#include "analysis/contract/masks.h"
#include "analysis/contract/pair.h"

#include <bit>

namespace warpdrf::contract {

namespace {

using Lanes = std::uint64_t;

/// Warps that are tried: the first, the second, and the last where their number is known.
constexpr int kWarpsTried = 3;

class LaneTaint {
public:
  LaneTaint(CheckContext &context, std::int64_t warp)
      : context(context), pool(context.pool), warp(warp),
        width(static_cast<int>(context.options.warpWidth)) {}

  void run() {
    for (const Event &event : context.trace.events) {
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
  /// A term as one lane of this warp sees it.
  Term at(Term term, int lane) {
    auto &memo = memos[lane];
    return pool.rewrite(term, memo, [&](Term atom, std::span<const Term>) -> Term {
      if (atom == context.coordinates.laneParts[0])
        return pool.integer(lane);
      if (atom == context.coordinates.warpParts[0])
        return pool.integer(warp);
      return nullptr;
    });
  }

  /// Lanes that run the event; none where that is not a matter of the lane alone.
  std::optional<Lanes> runs(const Event &event) {
    Lanes lanes = 0;
    for (int lane = 0; lane < width; ++lane) {
      Term path = at(pool.conj(pool.conj(context.coordinates.facts), pool.conj(event.path)), lane);
      if (lane > context.coordinates.laneParts[0]->range.hi || pool.isFalse(path))
        continue;
      if (path->uniform < Uniform::Warp)
        return std::nullopt;
      lanes |= Lanes{1} << lane;
    }
    return lanes;
  }

  void visitShuffle(const Event &event) {
    auto participants = runs(event);
    if (!participants)
      return;
    Side side(pool, context.trace, 1, Uniform::Warp, {});
    Lanes undefined = 0, before = taint(event.operand);
    for (int lane = 0; lane < width; ++lane) {
      if (!(*participants >> lane & 1))
        continue;
      auto source = constantOf(at(event.source, lane));
      if (!source || *source < 0 || *source >= width)
        continue;
      bool there = *participants >> *source & 1;
      if (there && event.mask) {
        Term named =
            maskBit(pool, context.trace, at(event.mask, lane), pool.integer(*source), side);
        auto known = constantOf(namedAt(named, static_cast<int>(*source)));
        there = !known || *known;
      }
      if (*source != lane && !there)
        undefined |= Lanes{1} << lane;
      else if (before >> *source & 1)
        undefined |= Lanes{1} << lane;
    }
    if (!undefined)
      return;
    tainted[event.result] = undefined;
    origin.emplace(event.result, &event);
    memoTaint.clear();
  }

  /// A ballot's predicate for the lane asked about: maskBit named its thread side 1.
  Term namedAt(Term named, int lane) {
    std::unordered_map<Term, Term> memo;
    return pool.rewrite(named, memo, [&](Term atom, std::span<const Term>) -> Term {
      const Symbol &s = pool.symbolOf(atom);
      if (s.side == 1 &&
          context.coordinates.laneParts[0]->value == static_cast<std::int64_t>(s.original))
        return pool.integer(lane);
      if (atom == context.coordinates.warpParts[0])
        return pool.integer(warp);
      return nullptr;
    });
  }

  Lanes taint(Term term) {
    if (!term || tainted.empty())
      return 0;
    if (auto found = tainted.find(term); found != tainted.end())
      return found->second;
    if (auto found = memoTaint.find(term); found != memoTaint.end())
      return found->second;
    Lanes lanes = 0;
    if (term->op == Op::Ite) {
      Lanes then = taint(term->children[1]), otherwise = taint(term->children[2]);
      Lanes condition = taint(term->children[0]);
      for (int lane = 0; lane < width; ++lane) {
        Term which = at(term->children[0], lane);
        Lanes from = pool.isTrue(which) ? then : pool.isFalse(which) ? otherwise : then | otherwise;
        lanes |= (from | condition) & (Lanes{1} << lane);
      }
    } else {
      for (Term child : term->children)
        lanes |= taint(child);
    }
    memoTaint[term] = lanes;
    return lanes;
  }

  void visitSink(const Event &event, std::initializer_list<Term> used, const std::string &how) {
    if (tainted.empty())
      return;
    Lanes lanes = taint(pool.conj(event.path)); // a branch on it decides whether this runs
    for (Term term : used)
      lanes |= taint(term);
    if (!lanes)
      return;
    auto running = runs(event);
    Lanes bad = running ? lanes & *running : lanes;
    if (bad)
      report(event, used, how, std::countr_zero(bad));
  }

  void report(const Event &sink, std::initializer_list<Term> used, const std::string &how,
              int lane) {
    const Event *shuffle = nullptr;
    std::unordered_map<Term, bool> seen;
    auto look = [&](Term term) {
      if (term)
        forEachAtom(term, seen, [&](Term atom) {
          if (auto found = origin.find(atom); found != origin.end() && tainted[atom] >> lane & 1)
            shuffle = shuffle ? shuffle : found->second;
        });
    };
    for (Term term : used)
      look(term);
    for (Term term : sink.path)
      look(term);
    if (!shuffle)
      return;
    Finding finding;
    finding.rule = "undefined-lane-value";
    finding.severity = Severity::Error;
    finding.confidence = Confidence::Modelled;
    finding.primary = shuffle->range;
    finding.scope = Scope::Warp;
    finding.message = "'" + shuffle->name + "' reads a lane that does not take part, and lane " +
                      std::to_string(lane) + "'s value is used";
    finding.related.push_back(
        {Related::Role::Access, "the undefined value is " + how + " here", sink.range});
    if (shuffle->mask)
      finding.related.push_back(
          {Related::Role::Mask, "the mask names the lanes that take part", shuffle->range});
    addCalls(finding, *shuffle);
    context.participation = Verdict::Violated;
    context.portable = false;
    context.add(std::move(finding));
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
