// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting verdicts.
#include "server/lsp/status.h"

#include "analysis/report/names.h"

namespace warpdrf::lsp {

using protocol::Json;

static Json status(const Snapshot &document, const char *state) {
  Json version = document.version ? Json(*document.version) : Json();
  return {{"uri", document.uri}, {"version", std::move(version)}, {"state", state}};
}

Json statusChecking(const Snapshot &document) {
  return status(document, "checking");
}

Json statusChecked(const Checked &checked) {
  const FileReport &report = checked.report;
  Json out = status(checked.document, "checked");
  for (Verdict verdict : {Verdict::Ok, Verdict::Violated, Verdict::Unproved, Verdict::Unsupported})
    out[std::string(name(verdict))] = 0;
  for (const KernelReport &kernel : report.kernels) {
    Json &count = out[std::string(name(kernel.verdict))];
    count = count.get<int>() + 1;
  }
  out["kernels"] = report.kernels.size();
  out["arch"] = report.arch;
  out["commandSource"] = report.commandSource;
  out["timeMs"] = report.timeMs;
  return out;
}

Json statusFailed(const Snapshot &document, const std::string &message) {
  Json out = status(document, "failed");
  out["message"] = message;
  return out;
}

} // namespace warpdrf::lsp
