// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/barrier_probe.h"

#include "analysis/report/source.h"

#include <algorithm>
#include <set>

namespace warpdrf {

/// Instantiations share a site; one that knows its pairs is enough.
const SyncSite *barrierToProbe(const FileReport &report, std::string_view path, Position position) {
  const SyncSite *found = nullptr;
  for (const KernelReport &kernel : report.kernels)
    for (const SyncSite &site : kernel.sites) {
      if (site.kind == SyncSite::Kind::Collective || site.range.file != path ||
          position < site.range.begin || site.range.end < position)
        continue;
      if (!site.orders.empty())
        return nullptr;
      found = &site;
    }
  return found;
}

std::string withoutBarrier(std::string_view text, const SyncSite &barrier) {
  static constexpr std::string_view nothing = "(void)0";
  std::size_t begin = offsetOf(text, barrier.range.begin);
  std::size_t end = std::max(begin, offsetOf(text, barrier.range.end));
  std::string_view call = text.substr(begin, end - begin);
  // `__syncthreads_count` has a value; a name that is no call here is a macro's.
  bool plain = call.starts_with("__syncthreads(") || call.starts_with("__syncwarp(") ||
               call.find(".sync(") != std::string_view::npos;
  if (!plain || call.back() != ')' || call.size() < nothing.size())
    return "";
  std::string out(text);
  for (std::size_t i = begin; i < end; ++i)
    if (out[i] != '\n' && out[i] != '\r')
      out[i] = ' ';
  return out.replace(begin, nothing.size(), nothing);
}

FileReport withOrders(const FileReport &report, const SyncSite &barrier,
                      const FileReport &without) {
  std::set<std::string> old;
  for (const Finding &finding : report.findings)
    old.insert(finding.fingerprint);
  std::vector<std::pair<Range, Range>> pairs;
  for (const Finding &finding : without.findings) {
    if (!finding.isRace() || old.contains(finding.fingerprint))
      continue;
    const Range *other = finding.otherAccess();
    pairs.emplace_back(finding.primary, other ? *other : finding.primary);
  }
  FileReport out = report;
  for (KernelReport &kernel : out.kernels)
    for (SyncSite &site : kernel.sites)
      if (site.range == barrier.range)
        site.orders = pairs;
  return out;
}

} // namespace warpdrf
