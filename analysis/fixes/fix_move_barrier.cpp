// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Move the barrier before the 'continue'": a barrier that stands behind a jump in the same list of
// statements, so that some skip it, goes in front of the jump.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

namespace {

const char *jumpWord(Kind kind) {
  return kind == Kind::Return ? "return" : kind == Kind::Break ? "break" : "continue";
}

void inCompound(const Context &context, const Statement &compound, std::vector<Candidate> &found) {
  const std::vector<Statement> &all = compound.children;
  for (std::size_t jump = 0; jump < all.size(); ++jump)
    for (Kind how : {Kind::Return, Kind::Break, Kind::Continue}) {
      if (!isLeaving(all[jump], how))
        continue;
      auto barrier = std::find_if(all.begin() + jump, all.end(), [&](const Statement &each) {
        return isBarrier(textOf(context.text, each.range));
      });
      if (barrier == all.end())
        continue;
      std::string code(textOf(context.text, barrier->range));
      found.push_back(
          {std::string("move the barrier before the '") + jumpWord(how) + "'",
           {remove(context.text, *barrier), insertBefore(context.text, all[jump], code)}});
    }
}

} // namespace

void moveBarrier(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  if (rule != "race" && rule != "divergent-barrier" && rule != "divergent-primitive")
    return;
  for (const Statement *each : compoundsAround(context.outline, placesOf(context)))
    inCompound(context, *each, candidates);
}

} // namespace warpdrf::fixes
