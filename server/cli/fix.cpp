// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf fix FILE`: applies verified fixes one after another, and after each checks what is left,
// for a fix is verified on the text that it was made for.
#include "server/cli/commands.h"
#include "server/cli/common_options.h"
#include "server/cli/files.h"
#include "server/render/diff.h"

#include "analysis/report/rules.h"
#include "analysis/report/source.h"

#include <algorithm>
#include <iostream>

namespace warpdrf::cli {

namespace {

struct Settings {
  CheckOptions check;
  std::vector<std::string> paths;
  std::optional<std::string> rule;
  bool write = false, diff = false;
};

bool wanted(const Finding &finding, const Settings &settings) {
  const bool loud = finding.severity >= Severity::Warning;
  return !finding.suppressed && (settings.rule ? finding.rule == *settings.rule : loud);
}

std::string placeOf(const Finding &finding) {
  return finding.primary.file + ":" + std::to_string(finding.primary.begin.line) + ": " +
         finding.rule + ": ";
}

/// The first fix that changes this file only.
const Fix *fixOf(const Finding &finding, const std::string &path) {
  for (const Fix &fix : finding.fixes)
    if (std::ranges::all_of(fix.edits,
                            [&](const TextEdit &edit) { return edit.range.file == path; }))
      return &fix;
  return nullptr;
}

/// The text with all fixes; says on standard error what was done and what is left.
std::string fixed(const Settings &settings, std::string text, FileReport &report) {
  constexpr unsigned most = 100; // each takes one finding away and brings none: this never ends it
  const std::string &path = settings.paths.front();
  Checker checker;
  for (unsigned round = 0; round < most; ++round) {
    report = checker.check(path, text, settings.check);
    const Fix *fix = nullptr;
    for (const Finding &finding : report.findings)
      if (wanted(finding, settings) && (fix = fixOf(finding, path))) {
        std::cerr << placeOf(finding) << fix->title << "\n";
        break;
      }
    if (!fix)
      break;
    text = applyEdits(text, fix->edits);
  }
  for (const Finding &finding : report.findings)
    if (wanted(finding, settings))
      std::cerr << placeOf(finding) << "no verified fix\n";
  return text;
}

} // namespace

int fix(const CommandArguments &arguments) {
  Settings settings;
  settings.check.fixes = true;
  Arguments parser("fix [OPTIONS] FILE [-- COMPILER FLAGS]",
                   "Applies verified fixes to a CUDA file: each was checked to take its finding "
                   "away and to bring none.\nExit status: 0 nothing is left, 1 findings are, 2 the "
                   "file could not be checked or written.");
  declareCompileOptions(parser, settings.check);
  declareCheckOptions(parser, settings.check);
  parser.option("--rule", "RULE",
                "findings of this rule only, hints included (warnings and errors)",
                [&](const std::string &name) -> std::string {
                  settings.rule = name;
                  return findRule(name) ? "" : "there is no rule '" + name + "'";
                });
  parser.flag("--diff", "prints the changes and leaves the file as it is (default)",
              [&] { settings.diff = true; });
  parser.flag("--write", "writes them into the file", [&] { settings.write = true; });
  parser.positional(settings.paths);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (settings.paths.size() != 1) {
    std::cerr << "warpdrf: fix takes one file\n";
    return 2;
  }
  if (settings.diff && settings.write) {
    std::cerr << "warpdrf: --diff and --write exclude each other\n";
    return 2;
  }
  const std::string &path = settings.paths.front();
  const std::optional<std::string> before = readRegularFile(path);
  if (!before) {
    std::cerr << "warpdrf: cannot read '" << path << "'\n";
    return 2;
  }
  FileReport report;
  const std::string after = fixed(settings, *before, report);
  for (const std::vector<ParseError> *errors : {&report.parseErrors, &report.projectErrors})
    for (const ParseError &error : *errors)
      std::cerr << error.range.file << ":" << error.range.begin.line << ": " << error.message
                << "\n";
  if (!settings.write)
    std::cout << render::unifiedDiff(path, *before, after) << std::flush;
  else if (after != *before && !writeFile(path, after))
    return 2;
  if (!report.parseErrors.empty() || !report.projectErrors.empty())
    return 2;
  return std::ranges::any_of(report.findings,
                             [&](const Finding &each) { return wanted(each, settings); });
}

} // namespace warpdrf::cli
