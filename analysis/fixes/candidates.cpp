// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of fixes and the check that each candidate has to pass.
#include "analysis/fixes/fixes.h"

#include "analysis/report/merge.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"

#include <algorithm>
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

Standing standingOf(const FileReport &report, const std::string &text) {
  Standing standing;
  Sources sources;
  sources.set(report.path, text);
  for (const Finding &finding : report.findings)
    if (counts(finding))
      standing.loud.insert(identity(finding, sources));
    else if (finding.rule == "unproved")
      standing.open.insert(finding.kernel);
  for (const KernelReport &kernel : report.kernels) {
    Verdict &worst = standing.verdicts[kernel.name];
    worst = std::max(worst, kernel.verdict);
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

/// Re-checks candidates of one file; the same change is checked once, for whichever findings
/// propose it.
class Verifier {
public:
  Verifier(Checker &checker, const FileReport &report, const std::string &text,
           const CheckOptions &options, const contract::Cancelled &cancelled)
      : checker(checker), path(report.path), text(text), options(options), cancelled(cancelled),
        before(standingOf(report, text)) {
    this->options.fixes = false;
    sources.set(path, text);
  }

  bool holds(const Finding &finding, const Candidate &candidate) {
    std::string changed = applyEdits(text, candidate.edits);
    auto [known, isNew] = checked.try_emplace(changed);
    if (isNew)
      known->second = standingOf(checker.check(path, changed, options, cancelled), changed);
    return improves(before, known->second, identity(finding, sources));
  }

private:
  Checker &checker;
  const std::string &path;
  const std::string &text;
  CheckOptions options;
  const contract::Cancelled &cancelled;
  Sources sources;
  Standing before;
  std::map<std::string, Standing> checked; ///< by text
};

} // namespace

void addFixes(Checker &checker, FileReport &report, const std::vector<frontend::Statement> &outline,
              const std::string &text, const CheckOptions &options,
              const contract::Cancelled &cancelled) {
  constexpr std::size_t mostFindings = 16, mostCandidates = 6;
  Verifier verifier(checker, report, text, options, cancelled);
  std::size_t findings = 0;
  for (Finding &finding : report.findings) {
    if (!counts(finding) || finding.primary.file != report.path)
      continue;
    if (++findings > mostFindings)
      return;
    std::vector<Candidate> proposed = candidates({finding, outline, text});
    proposed.resize(std::min(proposed.size(), mostCandidates));
    for (Candidate &candidate : proposed) {
      if (cancelled())
        return;
      if (verifier.holds(finding, candidate)) {
        finding.fixes.push_back({std::move(candidate.title), true, std::move(candidate.edits)});
        break;
      }
    }
  }
}

} // namespace warpdrf::fixes
