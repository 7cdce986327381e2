// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Hoist the shuffle out of the branch": all threads execute what only some reached, a primitive or
// a call that leads to one, and the rest of the branch keeps its guard. From the innermost `if`
// outwards.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/spread.h"
#include "analysis/fixes/text.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

bool isWholeMask(const std::string &mask) {
  std::string lower;
  for (char c : mask)
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  lower.erase(lower.find_last_not_of('u') + 1);
  return lower == "0xffffffff" || lower == "~0" || lower == "-1" || lower == "full_mask";
}

SpreadOptions spreadOptions(const Context &context, const Statement &function, const Range *call) {
  SpreadOptions options{
      context.text, textOf(context.text, function.range), context.syncs, false, false, ""};
  if (call)
    options.calls.push_back(*call);
  return options;
}

void hoistPrimitive(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  const bool partial = rule == "undefined-lane-value" || rule == "activemask";
  if (!partial && rule != "divergent-primitive" && rule != "divergent-barrier" &&
      rule != "exited-lanes")
    return;
  for (const Range &place : placesOf(context)) {
    StatementPath path = pathTo(context.outline, place.begin);
    if (path.empty())
      continue;
    SpreadOptions options = spreadOptions(context, *path[0], &place);
    options.fullMask = partial;
    const Call call = parseCall(textOf(context.text, place));
    const bool otherMask =
        takesMask(call.callee) && !call.arguments.empty() && !isWholeMask(call.arguments[0]);
    auto propose = [&](std::size_t depth) {
      if (auto edit = spreadIf(options, path, depth))
        candidates.push_back(
            {"hoist '" + call.callee + "' out of the branch",
             otherMask ? withoutUnused(context, {*edit}, call.arguments[0]) : std::vector{*edit}});
    };
    bool inner = false;
    for (std::size_t depth = path.size(); depth-- > 1;) {
      if (path[depth]->kind != Kind::If)
        continue;
      options.deep = false;
      propose(depth);
      if (otherMask && !partial) {
        options.fullMask = true;
        propose(depth);
        options.fullMask = false;
      }
      if (inner) {
        options.deep = true;
        propose(depth);
      }
      inner = true;
    }
  }
}

} // namespace warpdrf::fixes
