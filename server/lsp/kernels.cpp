// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/kernels.h"

#include "analysis/report/names.h"

namespace warpdrf::lsp {

std::vector<Instances> kernelsHere(const FileReport &report, const Places &places) {
  std::map<Range, Instances> byPlace;
  for (const KernelReport &kernel : report.kernels)
    if (kernel.range.valid() && places.here(kernel.range))
      byPlace[kernel.range].push_back(&kernel);
  std::vector<Instances> out;
  for (auto &[range, instances] : byPlace)
    out.push_back(std::move(instances));
  return out;
}

std::string verdictInWords(const Instances &instances) {
  if (instances.size() == 1)
    return std::string(name(instances[0]->verdict));
  std::map<Verdict, unsigned> counts;
  for (const KernelReport *kernel : instances)
    ++counts[kernel->verdict];
  std::string out = std::to_string(instances.size()) + " instantiations: ";
  const char *separator = "";
  for (const auto &[verdict, count] : counts) {
    out += separator + (counts.size() > 1 ? std::to_string(count) + " " : std::string("all ")) +
           std::string(name(verdict));
    separator = ", ";
  }
  return out;
}

std::vector<Site> sitesHere(const FileReport &report, const Places &places) {
  std::map<std::pair<Range, std::string>, Site> byPlace;
  for (const KernelReport &kernel : report.kernels)
    for (const SyncSite &site : kernel.sites)
      if (site.range.valid() && places.here(site.range)) {
        Site &known = byPlace.try_emplace({site.range, site.name}, Site{&site}).first->second;
        known.agreed &= known.site->participants == site.participants;
      }
  std::vector<Site> out;
  for (const auto &[place, site] : byPlace)
    out.push_back(site);
  return out;
}

bool isPartial(const SyncSite &site) {
  switch (site.kind) {
  case SyncSite::Kind::Collective:
  case SyncSite::Kind::WarpBarrier:
    return site.lanes != 0xffffffffu;
  case SyncSite::Kind::BlockBarrier:
  case SyncSite::Kind::GridBarrier:
    return site.participants.starts_with("not ");
  }
  return false;
}

} // namespace warpdrf::lsp
