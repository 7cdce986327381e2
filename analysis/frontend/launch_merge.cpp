// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/launch_merge.h"

#include "llvm/ADT/STLExtras.h"

namespace warpdrf::frontend {
namespace {

constexpr std::size_t MaxAlternatives = 4; ///< of more the checker is told nothing

std::string joined(const std::vector<std::string> &parts, const char *between) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : between) + part;
  return "(" + text + ")";
}

/// What one chain knows beyond the others.
std::vector<std::string> restOf(const MergedLaunch::Chain &chain, const Launch &common) {
  std::vector<std::string> rest;
  for (const auto &[name, value] : chain.values)
    if (!common.values.contains(name))
      rest.push_back("(" + name + " == " + value + ")");
  for (const std::string &fact : chain.facts)
    if (!llvm::is_contained(common.facts, fact))
      rest.push_back(fact);
  return rest;
}

} // namespace

void merge(std::vector<MergedLaunch> &found, Launch launch) {
  MergedLaunch::Chain chain{std::exchange(launch.values, {}), std::exchange(launch.facts, {})};
  auto same = llvm::find_if(found, [&](const MergedLaunch &other) {
    return other.launch.kernel == launch.kernel && other.launch.range == launch.range &&
           other.launch.block == launch.block && other.launch.grid == launch.grid &&
           other.launch.aliases == launch.aliases;
  });
  if (same == found.end()) {
    found.push_back({std::move(launch), {std::move(chain)}});
    return;
  }
  for (std::size_t i = 0; i < same->launch.arguments.size(); ++i)
    if (same->launch.arguments[i] != launch.arguments[i])
      same->launch.arguments[i] = std::nullopt;
  if (!llvm::is_contained(same->chains, chain))
    same->chains.push_back(std::move(chain));
}

Launch settled(MergedLaunch merged) {
  Launch &launch = merged.launch;
  launch.values = merged.chains.front().values;
  launch.facts = merged.chains.front().facts;
  for (const MergedLaunch::Chain &chain : llvm::drop_begin(merged.chains)) {
    std::erase_if(launch.values, [&](const auto &value) {
      auto other = chain.values.find(value.first);
      return other == chain.values.end() || other->second != value.second;
    });
    std::erase_if(launch.facts,
                  [&](const std::string &fact) { return !llvm::is_contained(chain.facts, fact); });
  }
  if (merged.chains.size() == 1 || merged.chains.size() > MaxAlternatives)
    return std::move(launch);
  std::vector<std::string> alternatives;
  for (const MergedLaunch::Chain &chain : merged.chains) {
    std::vector<std::string> rest = restOf(chain, launch);
    if (rest.empty()) // implied by all others
      return std::move(launch);
    alternatives.push_back(joined(rest, " && "));
  }
  launch.facts.push_back(joined(alternatives, " || "));
  return std::move(launch);
}

} // namespace warpdrf::frontend
