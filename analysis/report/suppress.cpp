// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/suppress.h"

#include "analysis/report/rules.h"

#include <algorithm>

namespace warpdrf {

std::vector<std::string> splitRules(const std::string &text) {
  std::vector<std::string> rules;
  for (std::size_t begin = 0; begin <= text.size();) {
    std::size_t end = std::min(text.find(',', begin), text.size());
    std::string part = text.substr(begin, end - begin);
    std::size_t first = part.find_first_not_of(" \t");
    if (first != std::string::npos)
      rules.push_back(part.substr(first, part.find_last_not_of(" \t") - first + 1));
    begin = end + 1;
  }
  return rules;
}

static bool standsOn(const Suppression &suppression, const Range &range) {
  return range.valid() && range.file == suppression.file && range.begin.line <= suppression.line &&
         suppression.line <= range.end.line;
}

static bool covers(const Suppression &suppression, const Finding &finding) {
  if (std::ranges::find(suppression.rules, finding.rule) == suppression.rules.end())
    return false;
  return standsOn(suppression, finding.primary) ||
         std::ranges::any_of(finding.related, [&](const Related &related) {
           return standsOn(suppression, related.range);
         });
}

void suppress(std::vector<Finding> &findings, const std::vector<Suppression> &suppressions) {
  for (Finding &finding : findings)
    for (const Suppression &suppression : suppressions)
      if (!finding.suppressed && covers(suppression, finding))
        finding.suppressed = suppression.reason;
}

bool counts(const Finding &finding) {
  return !finding.suppressed && finding.severity >= Severity::Warning;
}

static bool speaksOf(const Finding &finding, Condition condition) {
  const Rule *rule = findRule(finding.rule);
  return !rule || rule->condition == Condition::Either || rule->condition == condition;
}

/// The verdict of one condition by the findings that count now.
static Verdict revised(Verdict verdict, Condition condition, const std::vector<Finding> &findings) {
  Verdict rest = verdict == Verdict::Violated ? Verdict::Ok : verdict;
  for (const Finding &finding : findings) {
    if (finding.suppressed || !speaksOf(finding, condition))
      continue;
    if (counts(finding))
      return Verdict::Violated;
    if (finding.rule == "unproved")
      rest = std::max(rest, Verdict::Unproved);
  }
  return rest;
}

static std::string reasonOf(Verdict verdict, const std::vector<Finding> &findings) {
  auto says = [&](const Finding &finding) {
    return verdict == Verdict::Violated ? counts(finding)
                                        : finding.rule == "unproved" && !finding.suppressed;
  };
  auto first = std::ranges::find_if(findings, says);
  return verdict == Verdict::Ok || first == findings.end() ? "" : first->message;
}

void revise(KernelReport &report, const std::vector<Finding> &findings) {
  bool suppressed =
      std::ranges::any_of(findings, [](const Finding &f) { return f.suppressed.has_value(); });
  bool violated = std::ranges::any_of(findings, counts);
  if (!suppressed && violated == (report.verdict == Verdict::Violated))
    return;
  report.memory = revised(report.memory, Condition::Memory, findings);
  report.participation = revised(report.participation, Condition::Participation, findings);
  report.verdict = std::max(report.memory, report.participation);
  // Which launch a finding holds for is not recorded; none can be worse than the kernel.
  for (LaunchDims &launch : report.launches)
    launch.verdict = std::min(launch.verdict, report.verdict);
  if (report.verdict != Verdict::Unsupported)
    report.reason = reasonOf(report.verdict, findings);
}

} // namespace warpdrf
