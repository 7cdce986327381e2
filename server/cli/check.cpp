// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf check`: finds the files, has each checked in a worker, renders the result, and says by
// the exit status how it went.
#include "server/cli/commands.h"
#include "server/cli/common_options.h"
#include "server/cli/files.h"
#include "server/cli/stored_results.h"
#include "server/cli/workers.h"
#include "server/render/baseline.h"
#include "server/render/json.h"
#include "server/render/sarif.h"
#include "server/render/text.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <set>
#include <thread>
#include <unistd.h>

namespace warpdrf::cli {

namespace {

struct Settings {
  CheckOptions check;
  std::vector<std::string> paths;
  std::vector<std::string> given;    ///< options
  std::optional<std::string> worker; ///< we are the worker for this file
  bool stored = true;                ///< use and keep results of runs
  std::string format = "text";
  std::optional<std::string> output, baseline, writeBaseline;
  std::optional<Severity> failOn = Severity::Error; ///< empty: never
  bool failOnIncomplete = false;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
};

std::string storeFormat(Settings &settings, const std::string &value) {
  if (value != "text" && value != "json" && value != "sarif")
    return "expected text, json or sarif, got '" + value + "'";
  settings.format = value;
  return "";
}

std::string storeFailOn(Settings &settings, const std::string &value) {
  if (value == "never")
    settings.failOn.reset();
  else if (value == "error")
    settings.failOn = Severity::Error;
  else if (value == "warning")
    settings.failOn = Severity::Warning;
  else
    return "expected error, warning or never, got '" + value + "'";
  return "";
}

void declare(Arguments &parser, Settings &settings) {
  declareCompileOptions(parser, settings.check);
  declareCheckOptions(parser, settings.check);
  parser.option("--format", "text|json|sarif", "how to print the result",
                [&](const std::string &value) { return storeFormat(settings, value); });
  parser.option("--output", "FILE", "where to, instead of standard output", text(settings.output));
  parser.option("--baseline", "FILE", "findings that are in it do not count",
                text(settings.baseline));
  parser.option("--write-baseline", "FILE", "writes what is found as a baseline",
                text(settings.writeBaseline));
  parser.option("--fail-on", "error|warning|never", "what makes the exit status 1 (error)",
                [&](const std::string &value) { return storeFailOn(settings, value); });
  parser.flag("--fail-on-incomplete", "kernels that are unproved or unsupported do, too",
              [&] { settings.failOnIncomplete = true; });
  parser.option("-j", "N", "how many files to check at a time", number(settings.jobs, 1));
  parser.flag("--no-cache", "neither use results of earlier runs nor keep any",
              [&] { settings.stored = false; });
  parser.hiddenOption("--worker", text(settings.worker));
  parser.given(settings.given);
  parser.positional(settings.paths);
}

/// The options that may change a file's result: all but those that are about what becomes of it.
std::string optionsThatMatter(const Settings &settings) {
  static const std::set<std::string> others = {
      "--format",   "--output",  "--baseline",           "--write-baseline",
      "--no-cache", "--fail-on", "--fail-on-incomplete", "--worker",
      "-j"};
  std::string options;
  for (const std::string &option : settings.given)
    if (!others.contains(option.substr(0, option.find('='))))
      options += option + "\n";
  return options;
}

/// The child's part: one file, its report on standard output.
int work(const Settings &settings) {
  const std::string &path = *settings.worker;
  const StoredResults stored(settings.check, optionsThatMatter(settings));
  const std::string name = settings.stored ? stored.nameOf(path) : "";
  frontend::FilesSeen seen;
  frontend::noteFilesIn(settings.stored ? &seen : nullptr);
  Checker checker;
  FileReport report = checker.check(path, std::nullopt, settings.check);
  const bool keep = settings.stored && checker.settled();
  double time = report.timeMs;
  std::vector<FileReport> files;
  files.push_back(std::move(report));
  const std::string text =
      render::toJson(render::joinFiles(std::move(files), time), render::JsonDetail::Wire);
  std::cout << text << std::flush;
  if (keep)
    stored.store(path, name, seen, text);
  return 0;
}

render::RunReport checkAll(const Settings &settings, const CommandArguments &arguments) {
  auto start = std::chrono::steady_clock::now();
  NamedFiles named = findFiles(settings.paths);
  StoredResults stored(settings.check, optionsThatMatter(settings));
  std::vector<FileReport> files =
      checkInWorkers(named.files, arguments, settings.jobs, settings.stored ? &stored : nullptr);
  for (const auto &[path, why] : named.errors) {
    FileReport report;
    report.path = path;
    report.parseErrors.push_back(fileError(path, why));
    files.push_back(std::move(report));
  }
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return render::joinFiles(std::move(files), time.count());
}

bool colorWanted(const Settings &settings) {
  return !settings.output && isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR");
}

bool print(const render::RunReport &run, const Settings &settings) {
  Sources sources;
  std::string text = settings.format == "json" ? render::toJson(run, render::JsonDetail::Public)
                     : settings.format == "sarif"
                         ? render::toSarif(run, sources, settings.baseline.has_value())
                         : render::toText(run, sources, {colorWanted(settings)});
  if (settings.output)
    return writeFile(*settings.output, text);
  std::cout << text << std::flush;
  return static_cast<bool>(std::cout);
}

int exitCodeOf(const render::RunReport &run, const Settings &settings) {
  if (std::ranges::any_of(run.files, [](const auto &file) {
        return !file.parseErrors.empty() || !file.projectErrors.empty();
      }))
    return 2;
  if (settings.failOn && std::ranges::any_of(run.findings, [&](const Finding &finding) {
        return !finding.suppressed && finding.severity >= *settings.failOn;
      }))
    return 1;
  render::Counts counts = render::count(run);
  bool incomplete = counts[Verdict::Unproved] + counts[Verdict::Unsupported] > 0;
  return settings.failOnIncomplete && incomplete ? 1 : 0;
}

/// `--kernel` with a typo must not look like success. Where a file could not be checked its error
/// says so: the kernel may be in there.
bool askedForNothing(const render::RunReport &run, const Settings &settings) {
  std::set<std::string> others;
  bool failed = false;
  for (const FileReport &file : run.files) {
    if (!file.kernels.empty())
      return false;
    others.insert(file.otherKernels.begin(), file.otherKernels.end());
    failed |= file.otherKernels.empty() && !file.parseErrors.empty();
  }
  if (!settings.check.kernelRegex || failed)
    return false;
  std::cerr << noSuchKernel(*settings.check.kernelRegex, {others.begin(), others.end()});
  return true;
}

} // namespace

int check(const CommandArguments &arguments) {
  Settings settings;
  settings.check.fixes = true;
  Arguments parser("check [OPTIONS] PATHS… [-- COMPILER FLAGS]",
                   "Checks CUDA files for data races and divergent warp primitives; of a folder, "
                   "every .cu file in it.\nExit status: 0 nothing found, 1 findings, 2 some file "
                   "could not be checked or bad arguments.");
  declare(parser, settings);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (settings.worker)
    return work(settings);
  if (settings.paths.empty()) {
    std::cerr << "warpdrf: check what? Give files or folders\n";
    return 2;
  }
  std::optional<render::Baseline> baseline;
  std::string failure;
  if (settings.baseline && !(baseline = render::Baseline::read(*settings.baseline, failure))) {
    std::cerr << "warpdrf: " << failure << "\n";
    return 2;
  }
  render::RunReport run = checkAll(settings, arguments);
  bool written =
      !settings.writeBaseline || writeFile(*settings.writeBaseline, render::toBaseline(run));
  if (std::size_t gone = baseline ? baseline->apply(run) : 0)
    std::cerr << "warpdrf: of the baseline, " << gone
              << (gone == 1 ? " finding is" : " findings are")
              << " not found any more; --write-baseline leaves them out\n";
  bool printed = print(run, settings) && written;
  return printed && !askedForNothing(run, settings) ? exitCodeOf(run, settings) : 2;
}

} // namespace warpdrf::cli
