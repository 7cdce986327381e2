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
#include <numeric>
#include <regex>

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

/// Which lines of the file those of a changed text were: the user looks at the file.
class OriginalLines {
public:
  explicit OriginalLines(std::string_view text) : lines(1 + std::ranges::count(text, '\n')) {
    std::iota(lines.begin(), lines.end(), 1);
  }

  unsigned operator[](unsigned line) const {
    return line >= 1 && line <= lines.size() ? lines[line - 1] : line;
  }

  void apply(std::vector<TextEdit> edits) {
    std::ranges::sort(edits, std::greater(), [](const TextEdit &edit) { return edit.range.begin; });
    for (const TextEdit &edit : edits) {
      const auto first = lines.begin() + edit.range.begin.line - 1;
      const auto last = lines.begin() + edit.range.end.line - 1;
      std::vector<unsigned> now(1 + std::ranges::count(edit.text, '\n'), *first);
      if (now.size() > 1)
        now.back() = *last; // what is left of that line
      lines.insert(lines.erase(first, last + 1), now.begin(), now.end());
    }
  }

  /// Titles say where, too.
  std::string in(const std::string &title) const {
    static const std::regex place("line ([0-9]+)");
    std::string told;
    auto at = title.cbegin();
    for (std::sregex_iterator match(title.begin(), title.end(), place), end; match != end;
         ++match) {
      told.append(at, (*match)[1].first);
      told += std::to_string((*this)[static_cast<unsigned>(std::stoul((*match)[1]))]);
      at = (*match)[1].second;
    }
    return told.append(at, title.cend());
  }

private:
  std::vector<unsigned> lines;
};

/// In another file nothing is changed.
std::string placeOf(const Finding &finding, const OriginalLines &original,
                    const std::string &path) {
  const unsigned line = finding.primary.begin.line;
  return finding.primary.file + ":" +
         std::to_string(finding.primary.file == path ? original[line] : line) + ": " +
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

/// The text with all fixes; `told` is what was done and what is left, in the lines of the file.
std::string fixed(const Settings &settings, std::string text, FileReport &report,
                  std::string &told) {
  constexpr unsigned most = 100; // each takes one finding away and brings none: this never ends it
  const std::string &path = settings.paths.front();
  Checker checker;
  OriginalLines original(text);
  for (unsigned round = 0; round < most; ++round) {
    report = checker.check(path, text, settings.check);
    const Fix *fix = nullptr;
    for (const Finding &finding : report.findings)
      if (wanted(finding, settings) && (fix = fixOf(finding, path))) {
        told += placeOf(finding, original, path) + original.in(fix->title) + "\n";
        break;
      }
    if (!fix)
      break;
    text = applyEdits(text, fix->edits);
    original.apply(fix->edits);
  }
  for (const Finding &finding : report.findings)
    if (wanted(finding, settings))
      told += placeOf(finding, original, path) + "no verified fix\n";
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
  std::string told;
  const std::string after = fixed(settings, *before, report, told);
  if (settings.write && after != *before && !writeFile(path, after))
    return 2;
  std::cerr << told;
  for (const std::vector<ParseError> *errors : {&report.parseErrors, &report.projectErrors})
    for (const ParseError &error : *errors)
      std::cerr << error.range.file << ":" << error.range.begin.line << ": " << error.message
                << "\n";
  if (!settings.write)
    std::cout << render::unifiedDiff(path, *before, after) << std::flush;
  if (!report.parseErrors.empty() || !report.projectErrors.empty())
    return 2;
  return std::ranges::any_of(report.findings,
                             [&](const Finding &each) { return wanted(each, settings); });
}

} // namespace warpdrf::cli
