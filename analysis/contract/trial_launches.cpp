// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What could not be decided may be seen by running it. A launch for that has room: several warps,
// and numbers that are larger than those. Two launches with different numbers tell apart what the
// kernel does and what numbers of ours have done that no host would choose.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"

namespace warpdrf::contract {
namespace {

struct Box {
  std::int64_t low, high; ///< of the numbers that the host gives
};

class Chooser {
public:
  explicit Chooser(CheckContext &context)
      : context(context), side(context.pool, context.trace, 1, Uniform::Thread, {}),
        known{side.all(context.coordinates.facts), assumedFacts(context, side)} {}

  std::optional<Witness> choose(const Box &box) {
    query = known;
    decision = context.decider.satisfiable(query, Uniform::Thread);
    if (decision.answer != Answer::Sat)
      return std::nullopt;
    const std::int64_t width = context.options.warpWidth;
    prefer(context.coordinates.bdim[0], {2 * width, 4 * width});
    prefer(context.coordinates.gdim[0], {2, 4});
    for (int axis : {1, 2}) {
      prefer(context.coordinates.bdim[axis], {1, 4});
      prefer(context.coordinates.gdim[axis], {1, 4});
    }
    for (const auto &[name, number] : context.trace.scalars)
      if (!number->boolean)
        prefer(number, box);
    return makeLaunch(context, decision);
  }

private:
  /// Within the box, if the launch leaves it that.
  void prefer(Term term, const Box &box) {
    if (constantOf(term))
      return;
    TermPool &pool = context.pool;
    std::vector<Term> narrower = query;
    narrower.push_back(pool.le(pool.integer(box.low), side.of(term)));
    narrower.push_back(pool.le(side.of(term), pool.integer(box.high)));
    Decision found = context.decider.satisfiable(narrower, Uniform::Thread);
    if (found.answer != Answer::Sat)
      return;
    query = std::move(narrower);
    decision = std::move(found);
  }

  CheckContext &context;
  Side side;
  const std::vector<Term> known;
  std::vector<Term> query;
  Decision decision;
};

} // namespace

std::vector<Witness> trialLaunches(CheckContext &context) {
  std::vector<Witness> launches;
  Chooser chooser(context);
  for (const Box &box : {Box{33, 256}, Box{1024, 4096}}) {
    std::optional<Witness> launch = chooser.choose(box);
    if (!launch)
      return {};
    launches.push_back(std::move(*launch));
  }
  return launches;
}

} // namespace warpdrf::contract
