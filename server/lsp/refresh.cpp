// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/refresh.h"

#include "analysis/report/names.h"

namespace warpdrf::lsp {

/// Of all that they tell, near enough.
static std::size_t digestOf(const FileReport &report) {
  std::string all;
  for (const KernelReport &kernel : report.kernels) {
    all += kernel.instantiation + ' ' + std::string(name(kernel.verdict)) + '\n';
    for (const SyncSite &site : kernel.sites)
      all += site.participants + '\n';
  }
  for (const Finding &finding : report.findings)
    if (!finding.suppressed && finding.severity >= Severity::Warning)
      all += finding.fingerprint + (finding.witness ? "w\n" : "\n");
  return std::hash<std::string>()(all);
}

void Refresh::unanswered(What what) {
  std::lock_guard lock(mutex);
  missed.insert(what);
}

void Refresh::checked(const Checked &checked) {
  std::lock_guard lock(mutex);
  Told &told = documents[checked.document.uri];
  const std::size_t digest = digestOf(checked.report);
  const bool news = told.text == checked.document.text && told.digest != digest;
  told = {checked.document.text, digest};
  for (What what : {What::Lenses, What::Hints, What::Tokens})
    if (news || missed.contains(what))
      ask(what);
  missed.clear();
}

void Refresh::closed(const std::string &uri) {
  std::lock_guard lock(mutex);
  documents.erase(uri);
}

void Refresh::ask(What what) {
  if (what == What::Lenses && client.can.refreshLenses)
    endpoint.call("workspace/codeLens/refresh", nullptr);
  if (what == What::Hints && client.can.refreshHints)
    endpoint.call("workspace/inlayHint/refresh", nullptr);
  if (what == What::Tokens && client.can.refreshTokens)
    endpoint.call("workspace/semanticTokens/refresh", nullptr);
}

} // namespace warpdrf::lsp
