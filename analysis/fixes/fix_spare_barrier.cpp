// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Remove the barrier", "weaken it to __syncwarp()": only where the checker says that it orders
// nothing, or nothing beyond a warp.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

namespace warpdrf::fixes {

void spareBarrier(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  if ((rule != "redundant-barrier" && rule != "weakenable-barrier") ||
      context.finding.primary.file != context.path)
    return;
  StatementPath path = pathTo(context.outline, context.finding.primary.begin);
  if (path.size() < 2 || !isBarrier(textOf(context.text, path.back()->range)))
    return;
  if (rule == "weakenable-barrier")
    candidates.push_back(
        {"weaken the barrier to '__syncwarp()'", {{path.back()->range, "__syncwarp();"}}});
  else if (path[path.size() - 2]->kind == Statement::Kind::Compound)
    candidates.push_back({"remove the barrier", {remove(context.text, *path.back())}});
}

} // namespace warpdrf::fixes
