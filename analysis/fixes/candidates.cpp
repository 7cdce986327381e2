// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of fixes and the check that each candidate has to pass.
#include "analysis/fixes/fixes.h"

#include "analysis/contract/budget.h"
#include "analysis/report/merge.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"

#include <algorithm>
#include <chrono>
#include <regex>
#include <set>

namespace warpdrf::fixes {

/// What is inserted ends its lines as the file does.
static void endLinesAlike(std::string_view file, std::vector<Candidate> &found) {
  const std::size_t first = file.find('\n');
  if (first == std::string_view::npos || first == 0 || file[first - 1] != '\r')
    return;
  for (Candidate &candidate : found)
    for (TextEdit &edit : candidate.edits)
      for (std::size_t at = 0; (at = edit.text.find('\n', at)) != std::string::npos; at += 2)
        if (at > 0 && edit.text[at - 1] == '\r')
          --at; // moved from the file
        else
          edit.text.insert(at, "\r");
}

std::vector<Candidate> candidates(const Context &context) {
  std::vector<Candidate> found;
  waitForCopies(context, found);
  insertFence(context, found);
  moveBarrier(context, found);
  insertBarrier(context, found);
  initialize(context, found);
  hoistBarrier(context, found);
  const bool ask = context.finding.rule == "activemask" ||
                   context.finding.rule == "mask-mismatch" ||
                   context.finding.rule == "undefined-lane-value";
  if (ask) // else the whole warp is better than an honest part of it
    correctMask(context, found);
  hoistPrimitive(context, found);
  evenTripCount(context, found);
  guardInsteadOfReturn(context, found);
  if (!ask)
    correctMask(context, found);
  spareBarrier(context, found);
  endLinesAlike(context.text, found);
  return found;
}

std::vector<Range> placesOf(const Context &context) {
  std::vector<Range> places;
  auto add = [&](const Range &range) {
    if (range.valid() && range.file == context.path &&
        std::ranges::find(places, range) == places.end())
      places.push_back(range);
  };
  add(context.finding.primary);
  for (const Related &related : context.finding.related)
    if (related.role == Related::Role::Call)
      add(related.range);
  return places;
}

bool isBarrier(std::string_view code) {
  static const std::regex pattern(R"(\s*(__syncthreads|__syncwarp)\s*\(\s*\)\s*;\s*)");
  return std::regex_match(code.begin(), code.end(), pattern);
}

namespace {

/// A report as far as a fix may not make it worse.
struct Standing {
  std::multiset<std::string> loud;   ///< identities of warnings and errors
  std::multiset<std::string> faults; ///< and of all that may become one, however sure it is
  std::set<std::string> hints;
  std::multiset<std::string> open;         ///< kernels with an `unproved`
  std::map<std::string, Verdict> verdicts; ///< the worst of a kernel's instantiations
  std::size_t parseErrors = 0;
};

/// A race that is only possible is loud when a run has shown it, and a re-check makes no runs. The
/// rest only says how something is meant.
bool mayBeFault(const Finding &finding) {
  static const std::set<std::string> told = {"unproved", "partial-warp", "exited-lanes",
                                             "same-value-race"};
  return counts(finding) || (!finding.suppressed && finding.severity != Severity::Hint &&
                             !told.contains(finding.rule));
}

/// Of the kernel of that name, or of all kernels if it is empty.
Standing standingOf(const FileReport &report, const std::string &text, const std::string &kernel) {
  Standing standing;
  Sources sources;
  sources.set(report.path, text);
  for (const Finding &finding : report.findings) {
    if (!kernel.empty() && finding.kernel != kernel)
      continue;
    if (mayBeFault(finding))
      standing.faults.insert(identity(finding, sources));
    else if (finding.severity == Severity::Hint)
      standing.hints.insert(identity(finding, sources));
    if (counts(finding))
      standing.loud.insert(identity(finding, sources));
    else if (finding.rule == "unproved")
      standing.open.insert(finding.kernel);
  }
  for (const KernelReport &each : report.kernels)
    if (kernel.empty() || each.name == kernel) {
      Verdict &worst = standing.verdicts[each.name];
      worst = std::max(worst, each.verdict);
    }
  standing.parseErrors = report.parseErrors.size();
  return standing;
}

/// The finding is gone, no other came, nothing is less decided or less valid than before.
bool improves(const Standing &before, const Standing &after, const std::string &finding) {
  auto noneNew = [](const auto &standing, const auto &now) {
    return std::ranges::includes(standing, now);
  };
  if (after.faults.contains(finding) || after.hints.contains(finding) ||
      !noneNew(before.faults, after.faults) || !noneNew(before.loud, after.loud) ||
      !noneNew(before.open, after.open) || after.parseErrors > before.parseErrors)
    return false;
  return std::ranges::all_of(before.verdicts, [&](const auto &kernel) {
    auto now = after.verdicts.find(kernel.first);
    return now != after.verdicts.end() && now->second <= kernel.second;
  });
}

/// Is the position in the body of the kernel itself, so that no other kernel can see a change
/// there?
bool insideKernel(Position position, const std::string &kernel, const FileReport &report,
                  const std::vector<frontend::Statement> &outline) {
  auto found = std::ranges::find(report.kernels, kernel, &KernelReport::name);
  if (found == report.kernels.end() || found->range.file != report.path)
    return false;
  for (const frontend::Statement &body : outline) // in source order
    if (found->range.begin < body.range.begin)
      return body.range.begin < position && position < body.range.end;
  return false;
}

std::string exactly(const std::string &name) {
  static const std::regex special(R"([.^$|()\[\]{}*+?\\])");
  return "^" + std::regex_replace(name, special, "\\$&") + "$";
}

/// Re-checks candidates of one file; the same change is checked once, for whichever findings
/// propose it.
class Verifier {
public:
  Verifier(Checker &checker, const FileReport &report, const File &file,
           const CheckOptions &options, const contract::Cancelled &cancelled)
      : checker(checker), report(report), file(file), options(options), cancelled(cancelled) {
    this->options.fixes = false;
    this->options.replay = false;
    sources.set(report.path, file.text);
  }

  /// No time is left, not even to look whether a change is known.
  bool done() const {
    return cancelled() || contract::threadTime() > mostWork ||
           std::chrono::steady_clock::now() > latest;
  }

  bool holds(const Finding &finding, const Candidate &candidate) {
    bool local = std::ranges::all_of(candidate.edits, [&](const TextEdit &edit) {
      return insideKernel(edit.range.begin, finding.kernel, report, file.outline);
    });
    std::string kernel = local ? finding.kernel : "";
    Change change{kernel, {}};
    for (const TextEdit &edit : candidate.edits)
      change.second.emplace_back(edit.range, edit.text);
    auto known = checked.find(change);
    if (known == checked.end()) {
      if (checked.size() == mostChecks || done())
        return false;
      Standing after = recheck(kernel, applyEdits(file.text, candidate.edits));
      if (done())
        return false; // it was cut short
      known = checked.emplace(std::move(change), std::move(after)).first;
    }
    return improves(before(kernel), known->second, identity(finding, sources));
  }

private:
  static constexpr std::size_t mostChecks = 24; ///< each takes as long as the user's own check
  /// For the file, in processor time: a busy machine offers the same fixes. Slow kernels get none.
  static constexpr std::chrono::seconds mostTime{5};

  /// A kernel, or all if it is empty, and what is changed.
  using Change = std::pair<std::string, std::vector<std::pair<Range, std::string>>>;

  const Standing &before(const std::string &kernel) {
    auto [it, isNew] = standings.try_emplace(kernel);
    if (isNew)
      it->second = standingOf(report, file.text, kernel);
    return it->second;
  }

  Standing recheck(const std::string &kernel, const std::string &changed) {
    CheckOptions narrowed = options;
    if (!kernel.empty())
      narrowed.kernelRegex = exactly(kernel);
    const contract::Cancelled outOfTime = [this] { return done(); };
    return standingOf(checker.check(report.path, changed, narrowed, outOfTime), changed, kernel);
  }

  Checker &checker;
  const FileReport &report;
  const File &file;
  CheckOptions options;
  const contract::Cancelled &cancelled;
  Sources sources;
  std::chrono::nanoseconds mostWork = contract::threadTime() + mostTime;
  std::chrono::steady_clock::time_point latest =
      std::chrono::steady_clock::now() + contract::kPatience * mostTime;
  std::map<Change, Standing> checked;
  std::map<std::string, Standing> standings; ///< of the unchanged file, by kernel
};

/// Each candidate would cost what the kernel did, and a kernel that uses up its budget proves
/// nothing.
bool tooSlow(const Finding &finding, const FileReport &report) {
  constexpr double longestMs = 5000; // half of the usual budget
  return std::ranges::any_of(report.kernels, [&](const KernelReport &kernel) {
    return kernel.name == finding.kernel && kernel.timeMs > longestMs;
  });
}

} // namespace

/// The calls of primitives and barriers in the report's file.
static std::vector<Range> syncsOf(const FileReport &report) {
  std::set<Range> calls;
  for (const KernelReport &kernel : report.kernels)
    for (const SyncSite &site : kernel.sites)
      if (site.range.file == report.path)
        calls.insert(site.range);
  return {calls.begin(), calls.end()};
}

void addFixes(Checker &checker, FileReport &report, const File &file, const CheckOptions &options,
              const contract::Cancelled &cancelled) {
  constexpr std::size_t mostCandidates = 12;
  Verifier verifier(checker, report, file, options, cancelled);
  const std::vector<Range> syncs = syncsOf(report);
  for (bool hints : {false, true}) // what is wrong first: time may run out
    for (Finding &finding : report.findings) {
      if (verifier.done())
        return;
      const bool wanted =
          hints ? finding.severity == Severity::Hint && !finding.suppressed : counts(finding);
      if (!wanted || tooSlow(finding, report))
        continue;
      std::vector<Candidate> proposed =
          candidates({finding, file.outline, file.text, report.path, syncs});
      proposed.resize(std::min(proposed.size(), mostCandidates));
      for (Candidate &candidate : proposed) {
        if (verifier.done())
          return;
        if (verifier.holds(finding, candidate)) {
          finding.fixes.push_back({std::move(candidate.title), true, std::move(candidate.edits)});
          break;
        }
      }
    }
}

} // namespace warpdrf::fixes
