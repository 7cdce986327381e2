// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Wait for the copy": a barrier does not wait for asynchronous copies; the thread that copies has
// to, before it comes to the barrier.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

namespace warpdrf::fixes {

static bool uses(const Context &context, std::string_view word) {
  return context.text.find(word) != std::string_view::npos;
}

void waitForCopies(const Context &context, std::vector<Candidate> &candidates) {
  if (context.finding.rule != "race" ||
      context.finding.message.find("asynchronous") == std::string::npos)
    return;
  std::string wait = "asm volatile(\"cp.async.wait_all;\" ::: \"memory\");";
  if (uses(context, "__pipeline_memcpy_async"))
    wait = uses(context, "__pipeline_commit") ? "__pipeline_wait_prior(0);"
                                              : "__pipeline_commit(); __pipeline_wait_prior(0);";
  else if (!uses(context, "cp.async"))
    return;
  // Before barriers that lie behind the copy, in the lists of statements around all places.
  std::vector<Range> places = placesOf(context);
  if (const Range *other = context.finding.otherAccess(); other && other->file == context.path)
    places.push_back(*other);
  for (const Statement *each : compoundsAround(context.outline, places))
    for (const Statement &child : each->children)
      if (isBarrier(textOf(context.text, child.range)))
        candidates.push_back({"wait for the asynchronous copies before the barrier",
                              {insertBefore(context.text, child, wait)}});
}

} // namespace warpdrf::fixes
