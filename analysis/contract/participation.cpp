// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Condition 2: every executed warp primitive and block barrier runs with the participants it needs.
// An instance is named by its call path and the counts of the loops around it, so both threads are
// asked about equal counts.
#include "analysis/contract/check_context.h"
#include "analysis/contract/execute.h"
#include "analysis/contract/masks.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/planted.h"

namespace warpdrf::contract {

namespace {

/// What the whole block has to come to, not only a warp.
bool isForBlock(const Event &event) {
  return event.kind == Event::Kind::Barrier || event.kind == Event::Kind::Arrive;
}

class Question {
public:
  /// About two threads that share `shared`.
  Question(CheckContext &context, const Event &event, Uniform shared)
      : context(context), pool(context.pool), event(event), shared(shared),
        first(pool, context.trace, 1, shared, sharedCounters(event.loops)),
        second(pool, context.trace, 2, shared, sharedCounters(event.loops)) {
    related = threadsRelated(pool, context.coordinates, first, second, shared, /*anyWarp=*/true);
    facts = pool.conj(assumedFacts(context, first), assumedFacts(context, second));
    arrives = first.all(event.path);
    otherArrives = second.all(event.path);
    std::vector<Term> left;
    // A grid barrier and one in memory wait for threads that have left, too.
    for (unsigned exit : event.exits)
      if (!isGridBarrier() && event.kind != Event::Kind::Arrive && !planted(Bug::exitedIsMissed))
        left.push_back(pool.negate(second.of(context.trace.exits[exit].condition)));
    otherStays = pool.conj(left);
    lane1 = first.of(context.coordinates.lane);
    lane2 = second.of(context.coordinates.lane);
  }

  void ask() {
    if (isFullMask(event.mask, context.options.warpWidth))
      return wholeGroup();
    if (restsOnSnapshot())
      return snapshot();
    masked();
  }

private:
  bool isBarrier() const { return isForBlock(event); }
  bool isGridBarrier() const { return isBarrier() && event.scope >= ir::SyncScope::Grid; }
  bool isMatrix() const {
    if (auto op = llvm::dyn_cast<ir::PrimitiveOp>(event.op))
      return op.getKind() >= ir::PrimitiveKind::MatrixLoad;
    return false;
  }

  /// In PTX: every thread has to execute it.
  bool isAligned() const { return event.name.find(".aligned") != std::string::npos; }

  /// A decision that remembers what was asked: for a witness, should there be a finding.
  struct Decided : Decision {
    std::vector<Term> query;
  };

  Decided decide(std::initializer_list<Term> more) {
    std::vector<Term> terms{related, facts, arrives};
    terms.insert(terms.end(), more.begin(), more.end());
    Decision decision = context.decider.satisfiable(terms, shared);
    restOnLaunch(context, terms, shared, decision);
    return {std::move(decision), std::move(terms)};
  }

  std::string whom() const {
    return isGridBarrier() ? "thread of the grid"
           : isBarrier()   ? "thread of the block"
                           : "lane of the warp";
  }

  void wholeGroup() {
    Decided missing = decide({pool.negate(otherArrives)});
    if (missing.answer == Answer::Unsat)
      return;
    Decided staying = decide({pool.negate(otherArrives), otherStays});
    if (staying.answer == Answer::Sat && inOtherArm())
      return partial(staying, "'" + event.name + "' is reached in both arms of a branch");
    std::string rule = isBarrier() ? "divergent-barrier" : "divergent-primitive";
    if (staying.answer == Answer::Sat) {
      Finding finding = make(
          rule, "'" + event.name + "' is not reached by every " + whom() +
                    (context.coordinates.completeWarps || isBarrier() ? "" : " that was launched"));
      setConfidence(finding, Severity::Error, staying);
      explainPath(finding);
      finish(finding, staying);
      return;
    }
    if (staying.answer == Answer::Unsat && missing.answer == Answer::Sat) {
      bool error = isMatrix() || isAligned();
      Finding finding = make("exited-lanes", error ? "'" + event.name + "' needs every " + whom() +
                                                         ", but some have left the kernel"
                                                   : "'" + event.name + "' may run after a " +
                                                         whom() + " has left the kernel" +
                                                         whereLeft() + ": legal, but not portable");
      setConfidence(finding, error ? Severity::Error : Severity::Information, missing);
      finding.severity = error ? finding.severity : Severity::Information;
      explainExits(finding);
      finish(finding, missing);
      return;
    }
    undecided();
  }

  /// Whether the other is, or may be, in the group of the caller that a mask stands for; null for
  /// other masks.
  Term inGroup(Term mask) {
    auto match = mask->op == Op::Atom
                     ? context.trace.matches.find(static_cast<unsigned>(mask->value))
                     : context.trace.matches.end();
    if (match == context.trace.matches.end())
      return nullptr;
    const Match &group = match->second;
    Counters counters;
    for (std::size_t i = 0; i < group.counters.size(); ++i)
      counters[static_cast<unsigned>(group.counters[i]->value)] = mask->children[i];
    std::vector<Term> named{pool.eq(first.of(mask), second.of(mask))};
    if (group.key) {
      Term key = withCounters(pool, group.key, counters);
      named.push_back(pool.eq(first.of(key), second.of(key)));
    }
    for (Term term : group.path)
      named.push_back(second.of(withCounters(pool, term, counters)));
    if (group.mask) {
      Term asked = withCounters(pool, group.mask, counters), parent = inGroup(asked);
      named.push_back(parent ? parent
                             : maskBit(pool, context.trace, first.of(asked), lane2, second));
    }
    return pool.conj(named);
  }

  /// A group that a run has formed holds the caller, and all lanes of it have that mask.
  bool matched() {
    Term named = inGroup(event.mask);
    if (!named)
      return false;
    if (report(decide({named, pool.negate(otherArrives), otherStays}), "divergent-primitive",
               "the mask of '" + event.name + "' names a lane that does not arrive"))
      return true;
    Decided outside = decide({pool.negate(named), otherStays});
    if (outside.answer == Answer::Sat)
      partial(outside, "'" + event.name + "' runs with part of the warp, as its mask says");
    return true;
  }

  void masked() {
    if (matched())
      return;
    Term own = first.of(event.mask), theirs = second.of(event.mask);
    Term callerNamed = maskBit(pool, context.trace, own, lane1, first);
    Term named = maskBit(pool, context.trace, own, lane2, second);
    if (report(decide({pool.negate(callerNamed)}), "mask-mismatch",
               "a lane calls '" + event.name + "' with a mask that does not name it"))
      return;
    Decided absent = decide({named, pool.negate(otherArrives), otherStays});
    if (report(absent, "divergent-primitive",
               "the mask of '" + event.name + "' names a lane that does not arrive"))
      return;
    // The other passes another mask: some bit differs.
    Term at =
        pool.atom(pool.addSymbol({SymbolKind::Coordinate,
                                  "bit",
                                  Uniform::Grid,
                                  Uniform::Grid,
                                  false,
                                  {0, static_cast<std::int64_t>(context.options.warpWidth) - 1}}));
    bool one = own == theirs || planted(Bug::maskNotSplit);
    Term differs = one ? pool.boolean(false) : maskDiffers(own, theirs, at);
    if (report(decide({named, otherArrives, differs}), "mask-mismatch",
               "lanes that '" + event.name + "' names pass different masks"))
      return;
    Decided outside = decide({pool.negate(named), otherStays});
    if (outside.answer == Answer::Sat)
      partial(outside, "'" + event.name + "' runs with part of the warp, as its mask says");
  }

  void partial(const Decided &decision, std::string message) {
    bool strict = context.options.masks == Masks::Strict;
    Finding finding = make("partial-warp", std::move(message));
    setConfidence(finding, strict ? Severity::Error : Severity::Information, decision);
    if (!strict)
      finding.severity = Severity::Information;
    finish(finding, decision);
  }

  /// The lanes that do not arrive here arrive at warp barriers in the other arms, with the same
  /// mask: legal since sm_70.
  bool inOtherArm() {
    if (!event.isWarpBarrier())
      return false;
    std::vector<Term> elsewhere;
    for (const Event &e : context.trace.events) {
      bool exclusive = e.isWarpBarrier() && &e != &event && e.loops == event.loops &&
                       e.mask == event.mask &&
                       pool.isFalse(pool.conj(pool.conj(e.path), pool.conj(event.path)));
      if (exclusive)
        elsewhere.push_back(pool.negate(second.all(e.path)));
    }
    if (elsewhere.empty())
      return false;
    bool covered = decide({pool.negate(otherArrives), otherStays, pool.conj(elsewhere)}).answer ==
                   Answer::Unsat;
    if (covered)
      context.inArms.insert(&event);
    return covered;
  }

  /// The mask comes from __activemask(): a snapshot, good only where the whole warp is together
  /// anyway.
  bool restsOnSnapshot() {
    bool found = false;
    std::unordered_map<Term, bool> seen;
    forEachAtom(event.mask, seen, [&](Term atom) {
      for (auto &[symbol, range] : context.trace.snapshots)
        found |= static_cast<unsigned>(atom->value) == symbol;
    });
    return found;
  }

  void snapshot() {
    Decided missing = decide({pool.negate(otherArrives), otherStays});
    if (missing.answer != Answer::Sat)
      return;
    Finding finding = make(
        "activemask", "the mask of '" + event.name +
                          "' comes from __activemask(), which does not say who takes a branch");
    setConfidence(finding, Severity::Warning, missing);
    finding.severity = Severity::Warning;
    explainPath(finding);
    finish(finding, missing);
  }

  Term maskDiffers(Term own, Term theirs, Term at) {
    Term mine = maskBit(pool, context.trace, own, at, first);
    Term other = maskBit(pool, context.trace, theirs, at, second);
    return pool.negate(pool.eq(mine, other));
  }

  bool report(const Decided &decision, const std::string &rule, const std::string &message) {
    if (decision.answer == Answer::Unknown)
      undecided();
    if (decision.answer != Answer::Sat)
      return false;
    Finding finding = make(rule, message);
    setConfidence(finding, Severity::Error, decision);
    explainPath(finding);
    finish(finding, decision);
    return true;
  }

  Finding make(const std::string &rule, std::string message) {
    Finding finding;
    finding.rule = rule;
    finding.message = std::move(message);
    finding.primary = event.range;
    finding.scope = shared == Uniform::Grid    ? Scope::Grid
                    : shared == Uniform::Block ? Scope::Block
                                               : Scope::Warp;
    return finding;
  }

  void finish(Finding &finding, const Decided &decision) {
    addCalls(finding, event);
    if (!context.tells(finding)) // else the witness would be for nothing
      finding.witness =
          makeWitness(context, smallest(context, decision.query, shared, decision), shared);
    context.portable = false;
    if (finding.severity >= Severity::Warning) {
      context.participation = Verdict::Violated;
      context.violated.insert(&event);
    }
    context.add(std::move(finding));
  }

  /// Names the conditions on the way that are not uniform.
  void explainPath(Finding &finding) {
    for (const Loop *loop : event.loops)
      if (loop->exit < shared)
        finding.related.push_back({Related::Role::Branch,
                                   "threads may leave this loop in different iterations",
                                   loop->range});
    for (mlir::Operation *op = event.op->getParentOp(); op; op = op->getParentOp())
      if (llvm::isa<ir::IfOp, ir::SwitchOp>(op))
        finding.related.push_back(
            {Related::Role::Branch, "reached only where this condition holds", rangeOf(op)});
    explainExits(finding);
  }

  /// The places where some threads may have left and others not.
  std::vector<Range> exits() const {
    std::vector<Range> places;
    for (unsigned exit : event.exits)
      if (context.trace.exits[exit].condition->uniform < shared)
        places.push_back(context.trace.exits[exit].range);
    return places;
  }

  void explainExits(Finding &finding) {
    for (const Range &place : exits())
      finding.related.push_back({Related::Role::Exit, "threads may leave the kernel here", place});
  }

  std::string whereLeft() const {
    std::string where;
    for (const Range &place : exits())
      where += (where.empty() ? " at line " : ", ") + std::to_string(place.begin.line);
    return where;
  }

  void undecided() {
    if (context.participation < Verdict::Unproved)
      context.participation = Verdict::Unproved;
    Finding finding = make("unproved", "could not decide who takes part in '" + event.name + "'");
    finding.severity = Severity::Information;
    finding.confidence = Confidence::Possible;
    context.add(std::move(finding));
  }

  CheckContext &context;
  TermPool &pool;
  const Event &event;
  Uniform shared;
  Side first, second;
  Term related, facts, arrives, otherArrives, otherStays, lane1, lane2;
};

} // namespace

void checkParticipation(CheckContext &context) {
  for (const Event &event : context.trace.events) {
    if (context.decider.outOfTime())
      return;
    const bool barrier = isForBlock(event);
    if ((event.kind != Event::Kind::Primitive && !barrier) || event.isNamedBarrier())
      continue;
    Question(context, event, barrier ? Uniform::Block : Uniform::Warp).ask();
    if (barrier && event.scope >= ir::SyncScope::Grid && !context.violated.contains(&event))
      Question(context, event, Uniform::Grid).ask();
  }
}

} // namespace warpdrf::contract
