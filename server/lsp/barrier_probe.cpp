// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/barrier_probe.h"

#include <algorithm>
#include <set>

namespace warpdrf::lsp {

/// Instantiations share a site; one that knows its pairs is enough.
const SyncSite *barrierToProbe(const Checked &checked, Position position) {
  const SyncSite *found = nullptr;
  for (const KernelReport &kernel : checked.report.kernels)
    for (const SyncSite &site : kernel.sites) {
      if (site.kind == SyncSite::Kind::Collective || site.range.file != checked.document.path ||
          position < site.range.begin || site.range.end < position)
        continue;
      if (!site.orders.empty())
        return nullptr;
      found = &site;
    }
  return found;
}

std::string withoutBarrier(const Checked &checked, const SyncSite &barrier) {
  const Text &text = *checked.document.text;
  using protocol::PositionEncoding;
  auto offset = [&](Position p) {
    return text.offset(toProtocol(p, text, PositionEncoding::Utf8), PositionEncoding::Utf8);
  };
  std::size_t begin = offset(barrier.range.begin), end = offset(barrier.range.end);
  static constexpr std::string_view nothing = "(void)0";
  std::string_view call = std::string_view(text.str()).substr(begin, end - begin);
  // `__syncthreads_count` has a value; a name that is no call here is a macro's.
  bool plain = call.starts_with("__syncthreads(") || call.starts_with("__syncwarp(") ||
               call.find(".sync(") != std::string_view::npos;
  if (!plain || call.back() != ')' || call.size() < nothing.size())
    return "";
  std::string out = text.str();
  for (std::size_t i = begin; i < end; ++i)
    if (out[i] != '\n' && out[i] != '\r')
      out[i] = ' ';
  return out.replace(begin, nothing.size(), nothing);
}

static bool isRace(const Finding &finding) {
  return finding.rule == "race" || finding.rule == "same-value-race";
}

FileReport withOrders(const FileReport &report, const SyncSite &barrier,
                      const FileReport &without) {
  std::set<std::string> old;
  for (const Finding &finding : report.findings)
    old.insert(finding.fingerprint);
  std::vector<std::pair<Range, Range>> pairs;
  for (const Finding &finding : without.findings) {
    if (!isRace(finding) || old.contains(finding.fingerprint))
      continue;
    auto other =
        std::find_if(finding.related.begin(), finding.related.end(),
                     [](const Related &related) { return related.role == Related::Role::Access; });
    pairs.emplace_back(finding.primary,
                       other != finding.related.end() ? other->range : finding.primary);
  }
  FileReport out = report;
  for (KernelReport &kernel : out.kernels)
    for (SyncSite &site : kernel.sites)
      if (site.range == barrier.range)
        site.orders = pairs;
  return out;
}

} // namespace warpdrf::lsp
