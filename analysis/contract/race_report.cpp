// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/race_report.h"

#include "analysis/report/race_message.h"

#include <algorithm>

namespace warpdrf::contract {

static std::string rankOf(const Event &e) {
  switch (e.kind) {
  case Event::Kind::Read:
    return accessWords(AccessKind::Read, e.byWarp, false);
  case Event::Kind::Write:
    return accessWords(AccessKind::Write, e.byWarp, false);
  case Event::Kind::AsyncWrite:
    return accessWords(AccessKind::Write, false, true);
  default:
    return accessWords(AccessKind::Atomic, false, false);
  }
}

static Scope scopeOf(Uniform shared) {
  return shared == Uniform::Warp    ? Scope::Warp
         : shared == Uniform::Block ? Scope::Block
                                    : Scope::Grid;
}

static const Object &objectOf(const CheckContext &context, const Event &access) {
  return context.trace.objects[static_cast<std::size_t>(access.object)];
}

/// The later access in the text that writes.
static const Event &primaryOf(const Race &race) {
  return race.y->writes() ? *race.y : *race.x;
}

static const Event &otherOf(const Race &race) {
  return race.y->writes() ? *race.x : *race.y;
}

bool mayScatter(const Event &x, const Event &y) {
  const auto plain = [](const Event &e) {
    return e.kind == Event::Kind::Write || e.kind == Event::Kind::Read;
  };
  return plain(x) && plain(y) && (x.offset == y.offset || (x.writes() && y.writes()));
}

/// Whether a thread reads what others may have left where it writes: not what it has just put there
/// itself.
bool RaceReport::readsBack(const Event &write) const {
  const auto atPlace = [&](const Event &e, Event::Kind kind) {
    return e.kind == kind && e.object == write.object && e.offset == write.offset;
  };
  const auto ownBefore = [&](const Event &read) {
    return std::ranges::any_of(context.trace.events, [&](const Event &e) {
      return e.index < read.index && atPlace(e, Event::Kind::Write) && e.size >= read.size &&
             e.loops == read.loops &&
             std::ranges::all_of(
                 e.path,
                 [&](Term condition) {
                   return std::ranges::find(read.path, condition) != read.path.end();
                 });
    });
  };
  return std::ranges::any_of(context.trace.events, [&](const Event &e) {
    return atPlace(e, Event::Kind::Read) && !ownBefore(e);
  });
}

Finding RaceReport::located(const Race &race) const {
  const Object &object = objectOf(context, *race.x);
  Finding finding;
  finding.rule = "race";
  finding.scope = scopeOf(shared);
  finding.space = object.space == ir::MemorySpace::Shared ? Space::Shared : Space::Global;
  finding.object = object.name;
  finding.primary = primaryOf(race).range;
  if (race.decision.answer == Answer::Sat) {
    // It names the primary access's thread first.
    const bool turned = &primaryOf(race) == race.y;
    finding.witness = makeWitness(context, race.decision, shared, turned ? 2 : 1);
    std::vector<WitnessThread> &threads = finding.witness->threads;
    threads[turned].index = indexText(context, *race.x, race.offsetX, race.decision);
    threads[!turned].index = indexText(context, *race.y, race.offsetY, race.decision);
  }
  return finding;
}

/// Of the numbers of threads and blocks.
static bool nothingKnown(const LaunchContext &launch) {
  const auto known = [](const auto &dimension) { return dimension.has_value(); };
  return std::ranges::none_of(launch.block, known) && std::ranges::none_of(launch.grid, known);
}

/// Rule, message, severity and confidence.
void RaceReport::judge(Finding &finding, const Race &race) const {
  const Event &primary = primaryOf(race), &other = otherOf(race);
  const std::string name = "'" + finding.object + "'";
  if (race.sameValue) {
    finding.rule = "same-value-race";
    finding.message = race.decision.answer == Answer::Sat
                          ? "threads write the same value to " + name + " without order"
                          : "should threads meet at " + name + ", they write the same value";
    if (other.range != primary.range)
      finding.message +=
          " (the other store is at line " + std::to_string(other.range.begin.line) + ")";
    setConfidence(finding, Severity::Information, race.decision);
    finding.severity = Severity::Information;
    return;
  }
  if (const Scatter &scatter = race.scatter; !scatter.object.empty()) {
    finding.message =
        "write of " + name + " through an index from '" + scatter.object + "': safe if '" +
        scatter.object +
        (scatter.segments   ? "' delimits segments that do not overlap"
         : scatter.computed ? "' stands for different places"
                            : "' has no duplicates") +
        (scatter.bounds.empty() ? "" : " and '" + scatter.bounds + "' never decreases");
    finding.confidence = Confidence::Possible; // duplicates in our own contents show nothing
    finding.severity =
        readsBack(primary) || readsBack(other) ? Severity::Warning : Severity::Information;
    return;
  }
  finding.message = raceMessage(
      {finding.object, rankOf(primary), rankOf(other), primary.range, other.range, finding.scope});
  if (finding.scope == Scope::Grid && nothingKnown(*context.launch))
    finding.message += "; no launch was seen (above the kernel, a comment like '// warpdrf: launch "
                       "block=(256,1,1) grid=(1,1,1)' says how many there are)";
  // All threads do arrive: what is missing is that their stores are seen in time.
  setConfidence(finding, race.unpublished ? Severity::Warning : Severity::Error, race.decision);
  // A search or a compaction gives each thread a place of its own, which only its contents show; a
  // run in which threads do meet makes it an error.
  if (!race.sureToMeet && mayScatter(primary, other) && primary.writes() && other.writes() &&
      !readsBack(primary) && !readsBack(other) && restsOnContents(context, primary) &&
      restsOnContents(context, other))
    finding.severity = Severity::Information;
}

void RaceReport::explain(Finding &finding, const Race &race) const {
  const Event &primary = primaryOf(race), &other = otherOf(race);
  finding.related.push_back(
      {Related::Role::Access, "the other access: " + rankOf(other), other.range});
  if (race.unpublished)
    finding.related.push_back(
        {Related::Role::Barrier,
         "the arrival here does not publish it: a __syncthreads() and a __threadfence() have to "
         "lie between",
         race.unpublished->range});
  else
    explainBetween(finding, other, primary);
  addCalls(finding, primary);
  addCalls(finding, other);
}

/// Names a collective between the two that people take for a barrier.
void RaceReport::explainBetween(Finding &finding, const Event &x, const Event &y) const {
  auto [from, to] = std::minmax(x.index, y.index);
  for (unsigned i = from + 1; i < to; ++i) {
    const Event &e = context.trace.events[i];
    if (e.kind == Event::Kind::Primitive && orders(e) == Orders::Nobody &&
        (!e.operand || shared == Uniform::Warp)) {
      finding.related.push_back({Related::Role::Barrier,
                                 e.operand
                                     ? "'" + e.name + "' exchanges registers, it orders no memory"
                                     : "'" + e.name + "' orders threads of one warp only",
                                 e.range});
      return;
    }
    if (e.kind == Event::Kind::Barrier && orders(e) == Orders::Nobody) {
      finding.related.push_back(
          {Related::Role::Barrier, "'" + e.name + "' orders threads of one block only", e.range});
      return;
    }
  }
}

Severity RaceReport::add(const Race &race) {
  Finding finding = located(race);
  judge(finding, race);
  if (!finding.witness) // whether they meet at all is not decided
    finding.confidence = Confidence::Possible;
  explain(finding, race);
  if (finding.severity >= Severity::Warning)
    context.memory = Verdict::Violated;
  const Severity severity = finding.severity;
  context.add(std::move(finding));
  return severity;
}

void reportUnlooked(CheckContext &context, const Event &x, const Event &y, const Event &arrival) {
  const Event &write = x.writes() ? x : y, &read = x.writes() ? y : x;
  Finding finding;
  finding.rule = "race";
  finding.severity = Severity::Information;
  finding.confidence = Confidence::Possible;
  finding.scope = Scope::Grid;
  finding.space = Space::Global;
  finding.object = objectOf(context, x).name;
  finding.primary = write.range;
  finding.message = rankOf(write) + " of '" + finding.object + "' is published before the " +
                    rankOf(read) + " at line " + std::to_string(read.range.begin.line) +
                    ", but no __threadfence() lies between the arrival and that";
  finding.related.push_back(
      {Related::Role::Access, "the other access: " + rankOf(read), read.range});
  finding.related.push_back({Related::Role::Barrier, "who arrives last goes on", arrival.range});
  context.add(std::move(finding));
}

static Finding unproved(CheckContext &context, const Event &event, std::string message) {
  context.memory = std::max(context.memory, Verdict::Unproved);
  Finding finding;
  finding.rule = "unproved";
  finding.severity = Severity::Information;
  finding.confidence = Confidence::Possible;
  finding.primary = event.range;
  finding.message = std::move(message);
  return finding;
}

void reportUndecided(CheckContext &context, const Event &x, const Event &y, Uniform shared) {
  const std::string &name = objectOf(context, x).name;
  Finding finding =
      unproved(context, y, "could not decide whether accesses to '" + name + "' conflict");
  finding.scope = scopeOf(shared);
  finding.object = name;
  finding.related.push_back({Related::Role::Access, "the other access", x.range});
  context.add(std::move(finding));
}

void reportOutOfTime(CheckContext &context, const Event &event) {
  context.add(unproved(context, event,
                       "the time for this kernel ran out before all accesses were compared"));
}

} // namespace warpdrf::contract
