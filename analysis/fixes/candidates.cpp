// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of fixes and the check that each candidate has to pass.
#include "analysis/fixes/fixes.h"

#include "analysis/report/merge.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"

#include <algorithm>
#include <chrono>
#include <regex>
#include <set>

namespace warpdrf::fixes {

std::vector<Candidate> candidates(const Context &context) {
  std::vector<Candidate> found;
  hoistBarrier(context, found);
  insertBarrier(context, found);
  return found;
}

namespace {

/// A report as far as a fix may not make it worse.
struct Standing {
  std::multiset<std::string> loud;         ///< identities of warnings and errors
  std::multiset<std::string> open;         ///< kernels with an `unproved`
  std::map<std::string, Verdict> verdicts; ///< the worst of a kernel's instantiations
  std::size_t parseErrors = 0;
};

/// Of the kernel of that name, or of all kernels if it is empty.
Standing standingOf(const FileReport &report, const std::string &text, const std::string &kernel) {
  Standing standing;
  Sources sources;
  sources.set(report.path, text);
  for (const Finding &finding : report.findings) {
    if (!kernel.empty() && finding.kernel != kernel)
      continue;
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
  if (after.loud.contains(finding) || !std::ranges::includes(before.loud, after.loud) ||
      !std::ranges::includes(before.open, after.open) || after.parseErrors > before.parseErrors)
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
  bool done() const { return cancelled() || std::chrono::steady_clock::now() > deadline; }

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
  static constexpr std::size_t mostChecks = 24;      ///< each takes as long as the user's own check
  static constexpr std::chrono::seconds mostTime{5}; ///< for the file; slow kernels get no fixes

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
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::now() + mostTime;
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

void addFixes(Checker &checker, FileReport &report, const File &file, const CheckOptions &options,
              const contract::Cancelled &cancelled) {
  constexpr std::size_t mostCandidates = 6;
  Verifier verifier(checker, report, file, options, cancelled);
  for (Finding &finding : report.findings) {
    if (verifier.done())
      return;
    if (!counts(finding) || tooSlow(finding, report))
      continue;
    std::vector<Candidate> proposed = candidates({finding, file.outline, file.text, report.path});
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
