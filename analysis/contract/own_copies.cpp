// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An asynchronous copy races with the very thread that issued it until that thread has waited for
// it. The executor notes each access to an object that has such a copy under way.
#include "analysis/contract/check_context.h"
#include "analysis/contract/overlap.h"
#include "analysis/contract/pair.h"

namespace warpdrf::contract {

namespace {

void report(CheckContext &context, const Event &access, const OwnCopy &copy,
            const Decision &decision) {
  const Object &object = context.trace.objects[static_cast<std::size_t>(access.object)];
  Finding finding;
  finding.rule = "race";
  finding.scope = Scope::Warp;
  finding.space = Space::Shared;
  finding.object = object.name;
  finding.primary = access.range;
  finding.message = std::string(access.kind == Event::Kind::Read ? "read" : "write") + " of '" +
                    object.name + "' races with the thread's own asynchronous copy at line " +
                    std::to_string(copy.range.begin.line) + ", which it has not waited for";
  setConfidence(finding, Severity::Error, decision);
  finding.related.push_back(
      {Related::Role::Access, "the other access: asynchronous write", copy.range});
  addCalls(finding, access);
  context.memory = Verdict::Violated;
  context.add(std::move(finding));
}

} // namespace

void checkOwnCopies(CheckContext &context) {
  TermPool &pool = context.pool;
  for (const OwnCopy &copy : context.trace.ownCopies) {
    const Event &access = context.trace.events[copy.access];
    Side self(pool, context.trace, 1, Uniform::Warp, sharedCounters(access.loops));
    bool usedLayout = false;
    std::vector<Term> terms{self.all(access.path), self.all(copy.path),
                            self.all(context.coordinates.facts), assumedFacts(context, self),
                            overlap(pool, self.of(access.offset), access.size, self.of(copy.offset),
                                    copy.size, context.assumes("layout"), usedLayout)};
    Decision decision = context.decider.satisfiable(terms, Uniform::Warp);
    if (usedLayout)
      context.assumptions.insert("layout");
    if (decision.answer == Answer::Sat)
      report(context, access, copy, decision);
    else if (decision.answer == Answer::Unknown)
      context.memory = std::max(context.memory, Verdict::Unproved);
  }
}

} // namespace warpdrf::contract
