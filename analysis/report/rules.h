// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registry of rules (rules.def) as data: for `warpdrf rules` and `explain`, hover links,
// default severities and the question which half of the contract a finding speaks of.
#pragma once

#include "analysis/report/report.h"

#include <span>
#include <string_view>

namespace warpdrf {

/// The condition of the contract (CONTRACT part 2) that a rule's findings violate or leave open.
enum class Condition { Memory, Participation, Either };

struct Rule {
  std::string_view name;
  Condition condition;
  Severity severity; ///< when nothing raises or lowers it
  std::string_view meaning;
  std::string_view explanation; ///< Markdown
  std::string_view bad;         ///< a kernel with the fault
  std::string_view good;        ///< the same kernel without it
};

/// All rules, in the order of rules.def.
std::span<const Rule> rules();

/// The rule of that name, or null.
const Rule *findRule(std::string_view name);

/// The rule as a Markdown page: what docs/rules/ holds and `warpdrf explain` prints.
std::string rulePage(const Rule &rule);

} // namespace warpdrf
