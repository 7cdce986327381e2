// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/trials.h"

#include "analysis/replay.h"
#include "analysis/replay_launch.h"
#include "analysis/report/race_message.h"

#include <algorithm>
#include <span>

namespace warpdrf {

using namespace interpreter;

static std::string wordsOf(const Access &access) {
  const AccessKind kind = access.kind == Access::Kind::Read    ? AccessKind::Read
                          : access.kind == Access::Kind::Write ? AccessKind::Write
                                                               : AccessKind::Atomic;
  return accessWords(kind, access.byWarp, access.asynchronous);
}

/// Still in doubt: another launch has to show it, too.
static Finding suspicionOf(const Race &race, const Witness &launch) {
  const bool secondWrites = race.second.kind != Access::Kind::Read;
  const Access &primary = secondWrites ? race.second : race.first;
  const Access &other = secondWrites ? race.first : race.second;
  Finding finding;
  finding.rule = "race";
  finding.confidence = Confidence::Possible;
  finding.scope = race.scope;
  finding.space = Space::Shared;
  finding.object = race.object;
  finding.primary = primary.place.range;
  finding.message = raceMessage({race.object, wordsOf(primary), wordsOf(other), finding.primary,
                                 other.place.range, race.scope});
  finding.related.push_back(
      {Related::Role::Access, "the other access: " + wordsOf(other), other.place.range});
  for (const Access *access : {&primary, &other})
    for (const Range &call : access->place.calls)
      finding.related.push_back({Related::Role::Call, "called here", call});
  finding.witness = launch;
  finding.doubt = Doubt{"", Severity::Error};
  return finding;
}

/// The races of shared memory in a run, each pair of places once.
static std::vector<Finding> suspicions(const Program &program, const Witness &witness,
                                       unsigned warpWidth, const ReplayLimits &limits) {
  Launch launch = launchOf(witness, warpWidth);
  launch.limits.steps = limits.steps;
  const Given given(witness, program.parameters());
  const Choice choice{Array::Fill::Iota, 0, 0, 40};
  for (const Parameter &parameter : program.parameters())
    launch.arguments[parameter.name] =
        given.argument(parameter, choice, limits.elements, /*zeroed=*/true);
  const Execution execution = program.run(launch);
  std::vector<Finding> result;
  if (execution.ending != Ending::Finished)
    return result;
  for (const Race &race : execution.races) {
    if (race.space != Space::Shared || race.sameValue || race.onlyConsumerFence)
      continue;
    Finding finding = suspicionOf(race, witness);
    if (std::ranges::none_of(result, [&](const Finding &old) {
          return old.primary == finding.primary && old.scope == finding.scope &&
                 *old.otherAccess() == *finding.otherAccess();
        }))
      result.push_back(std::move(finding));
  }
  return result;
}

/// What the race decides is open no more.
static void dropDecided(std::vector<Finding> &findings, const Finding &race) {
  std::erase_if(findings, [&](const Finding &finding) {
    return finding.rule == "unproved" && finding.object == race.object &&
           finding.scope == race.scope;
  });
}

void runTrials(contract::KernelResult &result, mlir::ModuleOp module, const std::string &kernel,
               const std::string &path, unsigned warpWidth, const contract::Cancelled &cancelled) {
  if (result.trials.empty() || result.report.memory != Verdict::Unproved)
    return;
  std::string error;
  const std::optional<Program> program = Program::compile(module, path, kernel, error);
  if (!program)
    return;
  ReplayLimits limits;
  limits.cancelled = cancelled;
  for (const std::vector<Witness> &launches : result.trials) {
    std::vector<Finding> found = suspicions(*program, launches.front(), warpWidth, limits);
    std::erase_if(found, [&](Finding finding) {
      return std::ranges::any_of(std::span(launches).subspan(1), [&](const Witness &launch) {
        finding.witness = launch;
        return replay(*program, finding, warpWidth, limits) != Replay::Reproduced;
      });
    });
    confirm(result.report, found, *program, warpWidth, cancelled); // under the first launch
    for (Finding &finding : found) {
      if (finding.confidence != Confidence::Confirmed)
        continue;
      dropDecided(result.findings, finding);
      result.report.reason = finding.rule + ": " + finding.message;
      result.findings.push_back(std::move(finding));
    }
    if (result.report.memory == Verdict::Violated)
      return; // the other contexts would say the same
  }
}

} // namespace warpdrf
