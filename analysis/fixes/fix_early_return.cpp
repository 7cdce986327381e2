// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Guard the work instead of returning early": threads that leave before a primitive stay, the work
// gets the opposite condition, and the primitive is outside of it.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/spread.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

bool isLeaving(const Statement &statement, Kind how) {
  if (statement.kind != Kind::If || statement.children.size() != 1)
    return false;
  const Statement &then = statement.children[0];
  return then.kind == how ||
         (then.kind == Kind::Compound && then.children.size() == 1 && then.children[0].kind == how);
}

void guardInsteadOfReturn(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  if (rule != "divergent-primitive" && rule != "divergent-barrier" && rule != "exited-lanes" &&
      rule != "undefined-lane-value" && rule != "race")
    return;
  for (const Range &place : placesOf(context)) {
    StatementPath path = pathTo(context.outline, place.begin);
    if (path.size() < 2)
      continue;
    const SpreadOptions options =
        spreadOptions(context, *path[0], rule == "race" ? nullptr : &place);
    const std::vector<Statement> &all = path[0]->children;
    for (std::size_t i = 0; i < all.size() && all[i].range.begin < path[1]->range.begin; ++i)
      if (isLeaving(all[i], Kind::Return))
        if (auto edit = spreadReturn(options, *path[0], i))
          candidates.push_back({"guard the work instead of returning early", {*edit}});
  }
}

} // namespace warpdrf::fixes
