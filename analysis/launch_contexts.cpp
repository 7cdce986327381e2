// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/launch_contexts.h"

#include "analysis/contract/assume.h"
#include "analysis/contract/launch_spec.h"

#include <algorithm>

namespace warpdrf {

using contract::LaunchContext;

static bool sameFacts(const LaunchContext &a, const LaunchContext &b) {
  return a.block == b.block && a.grid == b.grid && a.arguments == b.arguments &&
         a.aliases == b.aliases && a.values == b.values && a.facts == b.facts;
}

/// Nothing that both know contradicts.
static bool compatible(const LaunchContext &a, const LaunchContext &b) {
  for (std::size_t i = 0; i < 3; ++i)
    if ((a.block[i] && b.block[i] && a.block[i] != b.block[i]) ||
        (a.grid[i] && b.grid[i] && a.grid[i] != b.grid[i]))
      return false;
  return true;
}

/// An annotation speaks of the kernel whose declaration starts on its line, else of the next kernel
/// below.
static bool speaksOf(const frontend::Annotation &annotation, const KernelPlace &kernel,
                     const std::vector<KernelPlace> &all) {
  if (annotation.range.file != kernel.name.file)
    return false;
  if (kernel.whole.valid() && kernel.whole.begin.line == annotation.line)
    return true;
  if (kernel.name.begin.line < annotation.line)
    return false;
  return std::ranges::none_of(all, [&](const KernelPlace &other) {
    return other.name.file == kernel.name.file && other.name.begin.line >= annotation.line &&
           other.name.begin.line < kernel.name.begin.line;
  });
}

static void annotated(const KernelPlace &kernel, const std::vector<KernelPlace> &all,
                      const frontend::TranslationUnit &unit, ChosenContexts &chosen) {
  for (const frontend::Annotation &annotation : unit.annotations) {
    if (annotation.keyword != "launch" || !speaksOf(annotation, kernel, all))
      continue;
    std::string error;
    std::optional<LaunchContext> context = contract::parseLaunchSpec(annotation.text, error);
    if (!context) {
      chosen.errors.push_back({annotation.range, "warpdrf: launch: " + error});
      continue;
    }
    context->source = "annotation at line " + std::to_string(annotation.range.begin.line);
    chosen.contexts.push_back(*context);
  }
}

static LaunchContext contextOf(const frontend::Launch &launch) {
  LaunchContext context{.block = launch.block,
                        .grid = launch.grid,
                        .arguments = launch.arguments,
                        .seen = true,
                        .values = launch.values,
                        .facts = launch.facts};
  for (const frontend::Launch::Alias &alias : launch.aliases)
    context.aliases.push_back({alias.argument, alias.of, alias.bytes});
  context.source = "launch at " + launch.range.file + ":" + std::to_string(launch.range.begin.line);
  return context;
}

/// `assume` annotations and `--assume` hold under every launch.
static void addAssumptions(const KernelPlace &kernel, const std::vector<KernelPlace> &all,
                           const frontend::TranslationUnit &unit, std::vector<std::string> assume,
                           ChosenContexts &chosen) {
  for (const frontend::Annotation &annotation : unit.annotations) {
    if (annotation.keyword != "assume" || !speaksOf(annotation, kernel, all))
      continue;
    std::string error;
    if (contract::isAssumption(annotation.text, error))
      assume.push_back(annotation.text);
    else
      chosen.errors.push_back({annotation.range, "warpdrf: assume: " + error});
  }
  for (LaunchContext &context : chosen.contexts)
    context.assume = assume;
}

static ChosenContexts launchesOf(const KernelPlace &kernel, const std::vector<KernelPlace> &all,
                                 const frontend::TranslationUnit &unit,
                                 const std::optional<LaunchContext> &given,
                                 const std::vector<LaunchContext> &ofProject) {
  ChosenContexts chosen;
  if (given) {
    chosen.contexts.push_back(*given);
    chosen.contexts.back().source = "--launch";
    return chosen;
  }
  annotated(kernel, all, unit, chosen);
  chosen.contexts.insert(chosen.contexts.end(), ofProject.begin(), ofProject.end());
  const std::size_t annotations = chosen.contexts.size();
  for (const frontend::Launch &launch : unit.launches) {
    if (launch.kernel != kernel.symbol)
      continue;
    LaunchContext seen = contextOf(launch);
    // An annotation says more about a launch it fits; a launch it does not fit is another one.
    auto covers = [&](const LaunchContext &other) {
      std::size_t index = &other - chosen.contexts.data();
      return index < annotations ? seen.aliases.empty() && compatible(other, seen)
                                 : sameFacts(other, seen);
    };
    if (std::ranges::none_of(chosen.contexts, covers))
      chosen.contexts.push_back(std::move(seen));
  }
  if (chosen.contexts.empty())
    chosen.contexts.push_back({.source = "symbolic"});
  return chosen;
}

ChosenContexts chooseContexts(const KernelPlace &kernel, const std::vector<KernelPlace> &all,
                              const frontend::TranslationUnit &unit,
                              const std::optional<LaunchContext> &given,
                              const std::vector<std::string> &assume, const ProjectFacts &project) {
  ChosenContexts chosen = launchesOf(kernel, all, unit, given, project.launches);
  std::vector<std::string> assumptions = assume;
  assumptions.insert(assumptions.end(), project.assume.begin(), project.assume.end());
  addAssumptions(kernel, all, unit, std::move(assumptions), chosen);
  return chosen;
}

} // namespace warpdrf
