// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/project_rules.h"

#include "analysis/contract/assume.h"
#include "analysis/contract/launch_spec.h"
#include "analysis/report/names.h"
#include "analysis/report/rules.h"

#include <algorithm>

namespace warpdrf {

using frontend::PlacedText;

static std::vector<std::regex> expressions(const std::vector<PlacedText> &texts,
                                           std::vector<ParseError> &problems) {
  std::vector<std::regex> result;
  for (const PlacedText &text : texts)
    try {
      result.emplace_back(text.text);
    } catch (const std::regex_error &error) {
      problems.push_back({text.range, "not a regular expression: " + std::string(error.what())});
    }
  return result;
}

static std::optional<std::chrono::milliseconds> milliseconds(std::optional<double> seconds) {
  if (!seconds)
    return std::nullopt;
  return std::chrono::milliseconds(
      std::max<std::int64_t>(1, static_cast<std::int64_t>(*seconds * 1000)));
}

ProjectRules::ProjectRules(const frontend::Project &project, std::vector<ParseError> &problems)
    : kernelBudget(milliseconds(project.kernelSeconds)),
      queryBudget(milliseconds(project.querySeconds)), fileTime(milliseconds(project.fileSeconds)),
      assumptionsOff(project.assumptionsOff.begin(), project.assumptionsOff.end()),
      allow(expressions(project.allow, problems)), deny(expressions(project.deny, problems)) {
  if (project.contract)
    configuration = *project.contract == "smr"   ? contract::Configuration::Smr
                    : *project.contract == "fmr" ? contract::Configuration::Fmr
                                                 : contract::Configuration::Cuda;
  if (project.masks)
    masks = *project.masks == "strict" ? contract::Masks::Strict : contract::Masks::Documented;
  for (const PlacedText &severity : project.severities)
    if (findRule(severity.key))
      severities[severity.key] = valueOf<Severity>(severity.text).value();
    else
      problems.push_back(
          {severity.range, "there is no rule '" + severity.key + "'; 'warpdrf rules' lists them"});
  std::string error;
  for (const PlacedText &launch : project.launches)
    if (auto context = contract::parseLaunchSpec(launch.text, error)) {
      context->source = ".warpdrf.json line " + std::to_string(launch.range.begin.line);
      launches.emplace(launch.key, *context);
    } else {
      problems.push_back({launch.range, error});
    }
  for (const PlacedText &assumption : project.assumptions)
    if (contract::isAssumption(assumption.text, error))
      assumptions.emplace(assumption.key, assumption.text);
    else
      problems.push_back({assumption.range, error});
}

contract::Options ProjectRules::contract(const CheckOptions &options) const {
  contract::Options result = options.contract;
  auto take = [](auto &target, const auto &asked, const auto &project) {
    if (asked)
      target = *asked;
    else if (project)
      target = *project;
  };
  take(result.configuration, options.configuration, configuration);
  take(result.masks, options.masks, masks);
  take(result.kernelBudget, options.kernelBudget, kernelBudget);
  if (queryBudget)
    result.queryBudget = *queryBudget;
  result.assumptionsOff.insert(assumptionsOff.begin(), assumptionsOff.end());
  return result;
}

std::chrono::milliseconds ProjectRules::fileBudget(const CheckOptions &options) const {
  constexpr std::chrono::minutes usual{5};
  return options.fileBudget ? *options.fileBudget : fileTime.value_or(usual);
}

bool ProjectRules::admits(const std::string &name, const std::string &instantiation) const {
  auto matches = [&](const std::regex &expression) {
    return std::regex_search(name, expression) || std::regex_search(instantiation, expression);
  };
  return (allow.empty() || std::ranges::any_of(allow, matches)) &&
         std::ranges::none_of(deny, matches);
}

ProjectFacts ProjectRules::factsOf(const std::string &name,
                                   const std::string &instantiation) const {
  ProjectFacts facts;
  auto collect = [&](const std::string &key) {
    for (auto [at, end] = launches.equal_range(key); at != end; ++at)
      facts.launches.push_back(at->second);
    for (auto [at, end] = assumptions.equal_range(key); at != end; ++at)
      facts.assume.push_back(at->second);
  };
  collect(name);
  if (instantiation != name)
    collect(instantiation);
  return facts;
}

void ProjectRules::adjust(std::vector<Finding> &findings) const {
  for (Finding &finding : findings)
    if (auto found = severities.find(finding.rule); found != severities.end())
      finding.severity = found->second;
}

} // namespace warpdrf
