// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Publish with __threadfence()": what one block writes and another reads behind an atomic counter
// needs a fence on either side. Blocks cannot wait for each other with a barrier.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

/// How deep the innermost statement that stands in a compound is; 0: none.
static std::size_t listed(const StatementPath &path) {
  std::size_t depth = path.size();
  while (depth-- > 1)
    if (path[depth - 1]->kind == Kind::Compound && path[depth]->kind != Kind::Compound)
      return depth;
  return 0;
}

void insertFence(const Context &context, std::vector<Candidate> &candidates) {
  const Finding &finding = context.finding;
  if (finding.rule != "race" || finding.scope < Scope::Cluster)
    return;
  const Range *other = finding.otherAccess();
  if (!other || other->file != context.path || finding.primary.file != context.path)
    return;
  const std::string fence = "__threadfence();";
  const std::string alone = "publish with '__threadfence()' before the atomic";
  StatementPath writer = pathTo(context.outline, finding.primary.begin);
  StatementPath reader = pathTo(context.outline, other->begin);
  for (const Related &related : finding.related) {
    if (related.role != Related::Role::Barrier || related.range.file != context.path)
      continue; // the arrival at the counter
    StatementPath arrival = pathTo(context.outline, related.range.begin);
    if (!listed(arrival) || !listed(reader))
      continue;
    // The fence of all who wrote: outside of the branch of the one who arrives.
    const Statement &last = *arrival[listed(arrival)], &first = *reader[listed(reader)];
    const TextEdit consumer = insertBefore(context.text, first, fence);
    const std::string_view between =
        textOf(context.text,
               {context.path, related.range.end, std::max(related.range.end, first.range.begin)});
    auto add = [&](const std::string &title, TextEdit producer) {
      std::vector<TextEdit> edits{std::move(producer)};
      if (between.find("__threadfence") == std::string_view::npos)
        edits.push_back(consumer);
      candidates.push_back({title, std::move(edits)});
    };
    add(alone, insertBefore(context.text, last, fence));
    for (std::size_t depth = 1; depth < arrival.size() && depth < writer.size(); ++depth)
      if (arrival[depth] != writer[depth] && arrival[depth - 1]->kind == Kind::Compound) {
        const Statement &around = *arrival[depth];
        const std::string indent = indentAt(context.text, around.range.begin);
        if (&around != &last)
          add(alone, insertBefore(context.text, around, fence));
        add("publish with '__threadfence()' and '__syncthreads()' before the atomic",
            insertBefore(context.text, around, fence + "\n" + indent + "__syncthreads();"));
        break;
      }
  }
}

} // namespace warpdrf::fixes
