// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf rules` and `warpdrf explain RULE`: the registry of rules, printed.
#include "analysis/report/rules.h"
#include "analysis/report/names.h"
#include "server/cli/arguments.h"
#include "server/cli/commands.h"

#include <iostream>

namespace warpdrf::cli {

int rules(const CommandArguments &arguments) {
  Arguments parser("rules", "Lists the rules: name, severity, meaning.");
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  auto padded = [](std::string_view text, std::size_t width) {
    std::string result(text);
    result.resize(std::max(width, text.size()), ' ');
    return result;
  };
  for (const Rule &rule : warpdrf::rules())
    std::cout << padded(rule.name, 22) << padded(name(rule.severity), 13) << rule.meaning << "\n";
  return 0;
}

int explain(const CommandArguments &arguments) {
  Arguments parser("explain RULE", "Explains a rule, with a faulty and a sound kernel.");
  std::vector<std::string> names;
  parser.positional(names);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  const Rule *rule = names.size() == 1 ? findRule(names.front()) : nullptr;
  if (!rule) {
    std::cerr << "warpdrf: "
              << (names.size() == 1 ? "there is no rule '" + names.front() + "'"
                                    : std::string("explain takes one rule"))
              << "; 'warpdrf rules' lists them\n";
    return 2;
  }
  std::cout << rulePage(*rule);
  return 0;
}

} // namespace warpdrf::cli
