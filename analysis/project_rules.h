// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `.warpdrf.json` in the checker's terms.
#pragma once

#include "analysis/analysis.h"
#include "analysis/frontend/project.h"
#include "analysis/launch_contexts.h"

#include <regex>

namespace warpdrf {

class ProjectRules {
public:
  /// What is wrong in the project's texts goes to `problems`, and counts as absent.
  ProjectRules(const frontend::Project &project, std::vector<ParseError> &problems);

  /// How to check: what the user asked for over what the project says.
  contract::Options contract(const CheckOptions &options) const;
  std::chrono::milliseconds fileBudget(const CheckOptions &options) const;
  bool admits(const std::string &name, const std::string &instantiation) const;
  ProjectFacts factsOf(const std::string &name, const std::string &instantiation) const;
  /// Gives findings the severities of the project.
  void adjust(std::vector<Finding> &findings) const;

private:
  std::optional<contract::Configuration> configuration;
  std::optional<contract::Masks> masks;
  std::optional<std::chrono::milliseconds> kernelBudget, queryBudget, fileTime;
  std::set<std::string> assumptionsOff;
  std::vector<std::regex> allow, deny;
  std::map<std::string, Severity> severities;                   ///< by rule
  std::multimap<std::string, contract::LaunchContext> launches; ///< by kernel
  std::multimap<std::string, std::string> assumptions;          ///< by kernel
};

} // namespace warpdrf
