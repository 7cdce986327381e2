// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uninitialized-shared: a shared cell may be read before any write. Reported where nothing at
// all can have written the object yet: no write comes before the read in program order, and no loop
// brings a later one round to it. Single cells: uninitialized_cells.cpp.
#include "analysis/contract/check_context.h"
#include "analysis/contract/pair.h"

#include <algorithm>

namespace warpdrf::contract {

bool mayComeBefore(const Event &write, const Event &read) {
  if (write.index < read.index)
    return true;
  return !read.loops.empty() && !write.loops.empty() && read.loops.front() == write.loops.front();
}

/// Atomics make the new value from the old one, but for an exchange or a store.
bool readsFirst(const Event &event) {
  auto atomic = llvm::dyn_cast<ir::AtomicOp>(event.op);
  bool updates = event.kind == Event::Kind::Atomic && atomic &&
                 atomic.getKind() != ir::AtomicKind::Exch &&
                 atomic.getKind() != ir::AtomicKind::Store;
  return event.kind == Event::Kind::Read || updates;
}

void reportUninitialized(CheckContext &context, const Event &read, std::string message,
                         const Decision &decision) {
  Finding finding;
  finding.rule = "uninitialized-shared";
  finding.severity = Severity::Warning;
  finding.confidence = Confidence::Modelled;
  finding.primary = read.range;
  finding.scope = Scope::Block;
  finding.space = Space::Shared;
  finding.object = context.trace.objects[static_cast<std::size_t>(read.object)].name;
  finding.message = std::move(message);
  if (decision.answer == Answer::Sat) {
    setConfidence(finding, Severity::Warning, decision);
    finding.witness = makeLaunch(context, decision);
  }
  addCalls(finding, read);
  context.memory = Verdict::Violated;
  context.add(std::move(finding));
}

/// A thread that runs the read.
static Decision reached(CheckContext &context, const Event &read) {
  Side thread(context.pool, context.trace, 1, Uniform::Block, {});
  const std::vector<Term> terms{thread.all(context.coordinates.facts), thread.all(read.path),
                                assumedFacts(context, thread)};
  return smallest(context, terms, Uniform::Block,
                  context.decider.satisfiable(terms, Uniform::Block));
}

void checkUninitialized(CheckContext &context) {
  std::set<std::int64_t> reported;
  for (const Event &read : context.trace.events) {
    if (context.decider.outOfTime())
      return;
    if (!readsFirst(read) || reported.contains(read.object))
      continue;
    const Object &object = context.trace.objects[static_cast<std::size_t>(read.object)];
    if (object.space != ir::MemorySpace::Shared)
      continue;
    bool written =
        std::any_of(context.trace.events.begin(), context.trace.events.end(), [&](const Event &e) {
          return e.writes() && !readsFirst(e) && e.object == read.object && mayComeBefore(e, read);
        });
    if (written)
      continue;
    reported.insert(read.object);
    reportUninitialized(context, read,
                        "'" + object.name + "' is read before anything is written to it",
                        reached(context, read));
  }
}

} // namespace warpdrf::contract
