// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/fix_all.h"

#include <algorithm>

namespace warpdrf::lsp {

/// Neighbours count: in which order would they be inserted?
static bool touch(const TextEdit &a, const TextEdit &b) {
  return a.range.begin <= b.range.end && b.range.begin <= a.range.end;
}

std::vector<TextEdit> editsOfAllFixes(const Checked &checked) {
  std::vector<TextEdit> chosen;
  for (const Finding &finding : checked.report.findings) {
    if (finding.suppressed || finding.fixes.empty() || !finding.fixes.front().verified)
      continue;
    const std::vector<TextEdit> &edits = finding.fixes.front().edits;
    const bool apart = std::ranges::none_of(edits, [&](const TextEdit &edit) {
      return edit.range.file != checked.document.path ||
             std::ranges::any_of(chosen, [&](const TextEdit &other) { return touch(edit, other); });
    });
    if (apart)
      chosen.insert(chosen.end(), edits.begin(), edits.end());
  }
  std::ranges::stable_sort(chosen, {}, &TextEdit::range);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

bool hasNewFinding(const FileReport &before, const FileReport &after) {
  if (after.parseErrors.size() > before.parseErrors.size())
    return true;
  return std::ranges::any_of(after.findings, [&](const Finding &finding) {
    return !finding.suppressed && finding.severity >= Severity::Warning &&
           std::ranges::none_of(before.findings, [&](const Finding &old) {
             return old.fingerprint == finding.fingerprint;
           });
  });
}

} // namespace warpdrf::lsp
