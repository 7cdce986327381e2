// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named barriers (`bar.sync id, count`): threads meet by id, also at different calls, and as many
// have to come as the barrier is for; without a count all of the block that have not left. The
// threads of a block are enumerated, and those of every block size where that is not known.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

/// Threads that come to one call with the same id, under a condition that all of them share.
struct Arrivals {
  const Event *event;
  Term id, condition;
  std::set<int> threads;
  std::int64_t wanted; ///< how many have to come
};

class NamedBarriers {
public:
  NamedBarriers(CheckContext &context, std::int64_t size)
      : context(context), pool(context.pool), size(size), width(context.options.warpWidth) {}

  /// False when an answer is missing.
  bool run() {
    for (const Event &event : context.trace.events)
      if (event.isNamedBarrier() && !context.violated.contains(&event) && !collect(event))
        undecided(event);
    const bool known = !open;
    for (const Arrivals &each : arrivals)
      if (known && !context.violated.contains(each.event))
        judge(each);
    return !open;
  }

  void undecided(const Event &event) {
    open = true;
    context.participation = std::max(context.participation, Verdict::Unproved);
    Finding finding;
    finding.rule = "unproved";
    finding.severity = Severity::Information;
    finding.confidence = Confidence::Possible;
    finding.scope = Scope::Block;
    finding.primary = event.range;
    finding.message = "could not decide who takes part in '" + event.name + "'";
    context.add(std::move(finding));
  }

private:
  /// A term as one thread of the block sees it.
  Term at(Term term, int thread) {
    return pool.rewrite(term, memos[thread], [&](Term atom, std::span<const Term>) -> Term {
      if (atom == warpsOfBlock())
        return pool.integer(size / width);
      auto known = coordinateAt(context.coordinates, atom, thread / width, thread % width, width);
      return known ? pool.integer(*known) : nullptr;
    });
  }

  /// What a block's size that is not known is `width` times of.
  Term warpsOfBlock() const {
    Term extent = context.coordinates.bdim[0];
    return constantOf(extent) ? nullptr : extent->children[0];
  }

  /// Groups the threads that execute a call; false when that is not known.
  bool collect(const Event &event) {
    Term runs = pool.conj(event.path);
    for (int thread = 0; thread < size; ++thread) {
      Term condition = at(runs, thread), id = at(event.operand, thread);
      if (pool.isFalse(condition))
        continue;
      if (condition->uniform < Uniform::Block || id->uniform < Uniform::Block)
        return false;
      std::optional<std::int64_t> wanted =
          event.count ? constantOf(at(event.count, thread)) : staying(event);
      if (!wanted)
        return false;
      auto same = std::ranges::find_if(arrivals, [&](const Arrivals &each) {
        return each.event == &event && each.id == id && each.condition == condition &&
               each.wanted == *wanted;
      });
      if (same == arrivals.end())
        same = arrivals.insert(arrivals.end(), {&event, id, condition, {}, *wanted});
      same->threads.insert(thread);
    }
    return true;
  }

  /// How many threads have not left the kernel before a call.
  std::optional<std::int64_t> staying(const Event &event) {
    std::int64_t count = 0;
    for (int thread = 0; thread < size; ++thread) {
      bool stays = true;
      for (unsigned exit : event.exits) {
        Term leaves = at(context.trace.exits[exit].condition, thread);
        if (!pool.isFalse(leaves) && !pool.isTrue(leaves))
          return std::nullopt;
        stays &= pool.isFalse(leaves);
      }
      count += stays;
    }
    return count;
  }

  /// All that come with these, and all that may.
  void judge(const Arrivals &arrival) {
    std::set<int> together, ever;
    bool disjoint = true;
    for (const Arrivals &other : arrivals) {
      if (other.id != arrival.id)
        continue;
      ever.insert(other.threads.begin(), other.threads.end());
      if (other.condition != arrival.condition || other.event->loops != arrival.event->loops ||
          other.wanted != arrival.wanted)
        continue;
      for (int thread : other.threads)
        disjoint &= together.insert(thread).second;
    }
    const auto wanted = static_cast<std::size_t>(arrival.wanted);
    if (arrival.threads.size() == wanted || (disjoint && together.size() == wanted))
      return;
    if (arrival.event->onlyReleases())
      return; // waits for nobody; it matters to those who do
    if (ever.size() < wanted)
      tooFew(arrival, ever.size());
    else
      undecided(*arrival.event);
  }

  void tooFew(const Arrivals &arrival, std::size_t count) {
    Side side(pool, context.trace, 1, Uniform::Grid, {});
    std::vector<Term> query{side.of(arrival.condition), assumedFacts(context, side)};
    if (Term warps = warpsOfBlock())
      query.push_back(pool.eq(warps, pool.integer(size / width)));
    Decision decision = context.decider.satisfiable(query, Uniform::Grid);
    if (decision.answer == Answer::Unsat)
      return;
    if (decision.answer == Answer::Unknown)
      return undecided(*arrival.event);
    if (warpsOfBlock()) { // whoever starts such a kernel knows for how many threads it is
      decision.sure = false;
      decision.open = true;
      decision.unknowns.push_back("the block's size");
    }
    Finding finding;
    finding.rule = "divergent-barrier";
    finding.primary = arrival.event->range;
    finding.scope = Scope::Block;
    finding.message = "'" + arrival.event->name + "' waits for " + std::to_string(arrival.wanted) +
                      " threads, but no more than " + std::to_string(count) + " come";
    setConfidence(finding, Severity::Error, decision);
    finding.witness = makeLaunch(context, decision);
    finding.witness->block[0] =
        std::max(finding.witness->block[0], warpsOfBlock() ? size : std::int64_t{1});
    addCalls(finding, *arrival.event);
    context.portable = false;
    context.participation = Verdict::Violated;
    context.violated.insert(arrival.event);
    context.add(std::move(finding));
  }

  CheckContext &context;
  TermPool &pool;
  const std::int64_t size, width;
  std::map<int, std::unordered_map<Term, Term>> memos;
  std::vector<Arrivals> arrivals;
  bool open = false;
};

/// Whether a block of this size, which is a guess, is one that the kernel's own numbers are made
/// for: no smaller than what its barriers are for, and whole tiles.
bool suits(const CheckContext &context, std::int64_t size) {
  return std::ranges::all_of(context.trace.events, [&](const Event &event) {
    const auto count = event.count ? constantOf(event.count) : std::nullopt;
    const bool tile = event.name.starts_with("thread_block_tile");
    return !count || *count < 1 || (size >= *count && (!tile || size % *count == 0));
  });
}

/// The sizes that a block may have; none when they cannot be enumerated.
std::vector<std::int64_t> sizesOf(const CheckContext &context) {
  const auto &extents = context.coordinates.bdim;
  const std::int64_t width = context.options.warpWidth;
  std::int64_t rest = 1;
  for (int axis : {1, 2}) {
    std::optional<std::int64_t> extent = constantOf(extents[axis]);
    if (!extent)
      return {};
    rest *= *extent;
  }
  if (auto row = constantOf(extents[0]))
    return {*row * rest};
  const Term row = extents[0];
  const bool wholeWarps = row->op == Op::Linear && row->children.size() == 1 && row->value == 0 &&
                          row->coefficients[0] == width && rest == 1;
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = width; wholeWarps && size <= row->range.hi; size += width)
    if (suits(context, size))
      sizes.push_back(size);
  return sizes;
}

} // namespace

void checkNamedBarriers(CheckContext &context) {
  const auto &events = context.trace.events;
  const auto first =
      std::ranges::find_if(events, [](const Event &e) { return e.isNamedBarrier(); });
  if (first == events.end())
    return;
  const std::vector<std::int64_t> sizes = sizesOf(context);
  for (std::int64_t size : sizes)
    if (context.decider.outOfTime() || !NamedBarriers(context, size).run())
      return; // the rest would be open, too
  if (sizes.empty())
    NamedBarriers(context, 0).undecided(*first);
}

} // namespace warpdrf::contract
