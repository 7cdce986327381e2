// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/rules.h"

#include "analysis/report/names.h"

#include <algorithm>

namespace warpdrf {

static constexpr Rule table[] = {
#define WARPDRF_RULE(name, condition, severity, meaning, explanation, bad, good)                   \
  {name, Condition::condition, Severity::severity, meaning, explanation, bad, good},
#include "analysis/report/rules.def"
};

std::span<const Rule> rules() {
  return table;
}

const Rule *findRule(std::string_view name) {
  auto found = std::ranges::find(table, name, &Rule::name);
  return found == std::end(table) ? nullptr : &*found;
}

std::string rulePage(const Rule &rule) {
  std::string page = "# " + std::string(rule.name) + "\n\n";
  page.append(rule.meaning).append(" (");
  page.append(name(rule.severity)).append(")\n\n").append(rule.explanation);
  page.append("\n\n## Faulty\n\n```cuda\n").append(rule.bad);
  page.append("\n```\n\n## Sound\n\n```cuda\n").append(rule.good).append("\n```\n");
  return page;
}

} // namespace warpdrf
