// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/analysis.h"

#include "analysis/contract/kernels.h"
#include "analysis/contract/solver.h"
#include "analysis/contract/spare_barriers.h"
#include "analysis/device_functions.h"
#include "analysis/fixes/fixes.h"
#include "analysis/ir/text.h"
#include "analysis/launch_contexts.h"
#include "analysis/project_rules.h"
#include "analysis/replay.h"
#include "analysis/report/merge.h"
#include "analysis/report/rules.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"
#include "analysis/trials.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace warpdrf {

using Clock = std::chrono::steady_clock;

static double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

namespace {

/// Kernel results between checks, by KernelKey::cache. An entry that several checks in a row did
/// not ask for is forgotten: an edit leaves its old version behind.
class ResultCache {
public:
  const contract::KernelResult *find(const std::string &key) {
    auto found = entries.find(key);
    if (found == entries.end())
      return nullptr;
    found->second.lastUse = generation;
    return &found->second.result;
  }
  void add(const std::string &key, const contract::KernelResult &result) {
    entries[key] = {result, generation};
  }
  void nextCheck() {
    constexpr unsigned kept = 64;
    ++generation;
    std::erase_if(entries,
                  [&](const auto &entry) { return entry.second.lastUse + kept < generation; });
  }

private:
  struct Entry {
    contract::KernelResult result;
    unsigned lastUse;
  };
  std::unordered_map<std::string, Entry> entries;
  unsigned generation = 0;
};

/// What one check of a file needs and fills.
struct FileCheck {
  const CheckOptions &options;
  const contract::Cancelled &cancelled;
  const frontend::TranslationUnit &unit;
  FileReport &report;
  const ProjectRules &project;
  const contract::Options contract; ///< `options` and the project joined
  const Clock::time_point start;
  const Checker::Progress &progress;
  std::vector<Suppression> suppressions;
  std::set<Range> needed; ///< barriers that some kernel has and does not call spare
  Clock::time_point lastTold{};
};

} // namespace

struct Checker::Impl {
  frontend::Frontend frontend;
  contract::Solver solver;
  ResultCache cache;
  bool settled = true;

  void checkKernels(FileCheck &check, mlir::ModuleOp module);
  contract::KernelResult checkKernel(const contract::Kernel &kernel, const ChosenContexts &chosen,
                                     const mlir::SymbolTable &symbols, const FileCheck &check);
};

Checker::Checker() : impl(std::make_unique<Impl>()) {}
Checker::~Checker() = default;

bool Checker::settled() const {
  return impl->settled;
}

/// Mistakes in annotations are the file's errors: a suppression or launch with a typo must not just
/// do nothing.
static std::vector<Suppression> readSuppressions(const frontend::TranslationUnit &unit,
                                                 FileReport &report) {
  std::vector<Suppression> suppressions;
  for (const frontend::Annotation &annotation : unit.annotations) {
    if (annotation.keyword != "ignore")
      continue;
    Suppression suppression{annotation.range.file, annotation.line, splitRules(annotation.text),
                            annotation.reason};
    if (suppression.rules.empty())
      report.parseErrors.push_back({annotation.range, "warpdrf: ignore: which rule?"});
    for (const std::string &rule : suppression.rules)
      if (!findRule(rule))
        report.parseErrors.push_back(
            {annotation.range, "warpdrf: ignore: there is no rule '" + rule + "'"});
    suppressions.push_back(std::move(suppression));
  }
  return suppressions;
}

/// A misspelled directive must not pass for one that was followed.
static void refuseUnknownDirectives(const frontend::TranslationUnit &unit, FileReport &report) {
  static const std::set<std::string> known = {"ignore", "launch", "assume", "requires", "pure"};
  for (const frontend::Annotation &annotation : unit.annotations)
    if (!known.contains(annotation.keyword))
      report.parseErrors.push_back(
          {annotation.range, "warpdrf: there is no directive '" + annotation.keyword +
                                 "'; there are: ignore, launch, assume, requires, pure"});
}

static std::vector<KernelPlace> placesOf(const std::vector<contract::Kernel> &kernels) {
  std::vector<KernelPlace> places;
  for (const contract::Kernel &kernel : kernels)
    places.push_back({kernel.symbol, kernel.nameRange, kernel.range});
  return places;
}

/// Says of a shared result whose it is here.
static void rename(contract::KernelResult &result, const contract::Kernel &kernel,
                   const FileCheck &check) {
  result.report.name = kernel.name;
  result.report.instantiation = kernel.instantiation;
  result.report.range = kernel.nameRange;
  result.report.extent = kernel.range;
  for (Finding &finding : result.findings) {
    finding.kernel = kernel.name;
    finding.instantiations = {kernel.instantiation};
    if (finding.witness && !finding.witness->run.empty())
      finding.witness->run = runCommand(check.report.path, kernel.instantiation,
                                        finding.witness->run, check.options.flags);
  }
}

/// What the user said counts as assumed whether or not anything came to rest on it.
static void listUserAssumptions(KernelReport &report, const ChosenContexts &chosen) {
  if (!chosen.contexts.empty()) // all have the same
    for (const std::string &text : chosen.contexts.front().assume)
      report.assumptions.push_back("assume " + text);
}

contract::KernelResult Checker::Impl::checkKernel(const contract::Kernel &kernel,
                                                  const ChosenContexts &chosen,
                                                  const mlir::SymbolTable &symbols,
                                                  const FileCheck &check) {
  Clock::time_point start = Clock::now();
  const contract::Options &options = check.contract;
  contract::KernelKey key = contract::keyOf(kernel.function, symbols, chosen.contexts, options);
  contract::KernelResult result;
  // A stage of the result is known, or made and kept unless another day may give a better one.
  const auto stage = [&](const char *name, const auto &make) {
    if (const contract::KernelResult *known = cache.find(key.cache + name)) {
      result = *known;
      return true;
    }
    bool good = make();
    const bool late = solver.takeLate();
    settled &= solver.failure().empty() && !late;
    good &= !late && !check.cancelled();
    if (good)
      cache.add(key.cache + name, result);
    return good;
  };
  const auto checked = [&] {
    return stage("", [&] {
      result = contract::check(kernel.function, chosen.contexts, options, solver, check.cancelled);
      return true;
    });
  };
  const auto replayed = [&] {
    return stage(" replayed", [&] {
      const bool good = checked();
      const auto module = mlir::cast<mlir::ModuleOp>(symbols.getOp());
      if (!check.cancelled())
        confirm(result.report, result.findings, module, kernel.symbol, check.report.path,
                options.warpWidth, check.cancelled);
      if (!check.cancelled())
        runTrials(result, module, kernel.symbol, check.report.path, options.warpWidth,
                  check.cancelled);
      return good;
    });
  };
  const auto withHints = [&] {
    return stage(" with hints", [&] {
      const bool good = replayed();
      return !check.cancelled() &&
             contract::tellSpareBarriers(kernel.function, chosen.contexts, options, solver,
                                         check.cancelled, check.needed, result) &&
             good;
    });
  };
  check.options.replay ? withHints() : checked();
  rename(result, kernel, check);
  result.report.irHash = key.irHash;
  listUserAssumptions(result.report, chosen);
  check.project.adjust(result.findings);
  suppress(result.findings, check.suppressions);
  revise(result.report, result.findings);
  result.report.timeMs = millisecondsSince(start);
  return result;
}

/// Is the kernel one that the user asked for?
static bool wanted(const std::string &name, const std::string &instantiation, FileCheck &check) {
  const std::optional<std::string> &expression = check.options.kernelRegex;
  bool asked = !expression || std::regex_search(name, std::regex(*expression)) ||
               std::regex_search(instantiation, std::regex(*expression));
  if (!asked)
    check.report.otherKernels.push_back(instantiation);
  // Who names a kernel wants it, whatever the project leaves out.
  return asked && (expression || check.project.admits(name, instantiation));
}

/// Of a kernel that was not checked.
static KernelReport unchecked(const std::string &name, const std::string &instantiation,
                              const Range &range, Verdict verdict, std::string reason) {
  KernelReport report;
  report.name = name;
  report.instantiation = instantiation;
  report.range = range;
  report.verdict = report.memory = report.participation = verdict;
  report.portable = false;
  report.reason = std::move(reason);
  return report;
}

/// A parse error in what the kernel runs. Clang drops statements that it makes nothing of: what is
/// left looks intact, but is not what the user wrote.
static const ParseError *errorWithin(const contract::Kernel &kernel,
                                     const mlir::SymbolTable &symbols,
                                     const std::vector<ParseError> &errors) {
  if (errors.empty())
    return nullptr;
  for (const Range &range : contract::definitionsOf(kernel.function, symbols))
    for (const ParseError &error : errors)
      if (error.range.valid() && error.range.file == range.file &&
          range.begin <= error.range.begin && error.range.begin <= range.end)
        return &error;
  return nullptr;
}

static bool isAboutSpareBarrier(const Finding &finding) {
  return finding.rule == "redundant-barrier" || finding.rule == "weakenable-barrier";
}

/// Notes the barriers of a kernel that no hint of it is about.
static void noteNeeded(const contract::KernelResult &result, std::set<Range> &needed) {
  for (const SyncSite &site : result.report.sites)
    if (std::ranges::none_of(result.findings, [&](const Finding &finding) {
          return isAboutSpareBarrier(finding) && finding.primary == site.range;
        }))
      needed.insert(site.range);
}

/// A barrier of a template is spare where it is so in every instantiation.
static void dropDisputedHints(FileReport &report, const std::set<Range> &needed) {
  std::erase_if(report.findings, [&](const Finding &finding) {
    return isAboutSpareBarrier(finding) && needed.contains(finding.primary);
  });
}

static void tidy(FileReport &report);

/// Tells what is known so far, if there is somebody who wants to hear it and has not just been
/// told.
static void tell(FileCheck &check) {
  constexpr std::chrono::milliseconds pause{250};
  if (!check.progress || check.cancelled() || Clock::now() - check.lastTold < pause)
    return;
  FileReport known = check.report;
  dropDisputedHints(known, check.needed);
  tidy(known);
  check.progress(known);
  check.lastTold = Clock::now();
}

void Checker::Impl::checkKernels(FileCheck &check, mlir::ModuleOp module) {
  const std::vector<contract::Kernel> kernels = contract::kernelsOf(module);
  const std::vector<KernelPlace> places = placesOf(kernels);
  const mlir::SymbolTable symbols(module);
  FileReport &report = check.report;
  const std::chrono::milliseconds budget = check.project.fileBudget(check.options);
  for (std::size_t i = 0; i < kernels.size() && !check.cancelled(); ++i) {
    if (!wanted(kernels[i].name, kernels[i].instantiation, check))
      continue;
    if (const ParseError *error = errorWithin(kernels[i], symbols, check.unit.errors)) {
      report.kernels.push_back(unchecked(
          kernels[i].name, kernels[i].instantiation, kernels[i].nameRange, Verdict::Unsupported,
          "error in line " + std::to_string(error->range.begin.line) + ": " + error->message));
      continue;
    }
    if (Clock::now() - check.start > budget) {
      report.kernels.push_back(unchecked(kernels[i].name, kernels[i].instantiation,
                                         kernels[i].nameRange, Verdict::Unproved,
                                         contract::outOfBudget(budget, "file")));
      continue;
    }
    ChosenContexts chosen =
        chooseContexts(places[i], places, check.unit, check.options.launch, check.options.assume,
                       check.project.factsOf(kernels[i].name, kernels[i].instantiation));
    report.parseErrors.insert(report.parseErrors.end(), chosen.errors.begin(), chosen.errors.end());
    contract::KernelResult result = checkKernel(kernels[i], chosen, symbols, check);
    noteNeeded(result, check.needed);
    report.kernels.push_back(std::move(result.report));
    std::ranges::move(result.findings, std::back_inserter(report.findings));
    if (i + 1 < kernels.size())
      tell(check);
  }
  dropDisputedHints(report, check.needed);
}

static void reportBroken(FileCheck &check) {
  for (const frontend::BrokenKernel &broken : check.unit.broken)
    if (wanted(broken.name, broken.name, check))
      check.report.kernels.push_back(
          unchecked(broken.name, broken.name, broken.range, broken.verdict, broken.reason));
}

/// One order for what came from the source and from instantiations; each error once.
static void tidy(FileReport &report) {
  auto errorKey = [](const ParseError &error) { return std::tie(error.range, error.message); };
  for (std::vector<ParseError> *errors : {&report.parseErrors, &report.projectErrors}) {
    std::ranges::stable_sort(*errors, {}, errorKey);
    auto same = std::ranges::unique(*errors, {}, errorKey);
    errors->erase(same.begin(), same.end());
  }
  std::ranges::stable_sort(report.kernels, {}, [](const KernelReport &kernel) {
    return std::tie(kernel.range, kernel.instantiation);
  });
  mergeFindings(report.findings);
}

/// A file's budget counts time by the clock, and another run may get further. A kernel's counts the
/// processor's: the same work gets as far again.
static bool inTime(const FileCheck &check) {
  return !check.cancelled() &&
         millisecondsSince(check.start) <
             static_cast<double>(check.project.fileBudget(check.options).count());
}

FileReport Checker::check(const std::string &path, const std::optional<std::string> &text,
                          const CheckOptions &options, const contract::Cancelled &given,
                          const Progress &progress) {
  // The layers below just ask.
  const contract::Cancelled cancelled = given ? given : [] { return false; };
  Clock::time_point start = Clock::now();
  impl->cache.nextCheck();
  impl->settled = true;
  FileReport report;
  report.path = path;
  std::string error;
  frontend::CompileCommand command =
      frontend::findCommand(path, options.database, options.flags, options.arch, error);
  report.arch = command.arch;
  report.commandSource = command.source;
  std::ranges::copy(command.problems, std::back_inserter(report.projectErrors));
  const frontend::Project found = frontend::findProject(path);
  std::ranges::copy(found.problems, std::back_inserter(report.projectErrors));
  const ProjectRules project(found, report.projectErrors);

  frontend::TranslationUnit unit =
      impl->frontend.lower(path, text, command, cancelled, options.unsaved);
  report.parseErrors.insert(report.parseErrors.end(), unit.errors.begin(), unit.errors.end());
  FileCheck check{options, cancelled, unit, report, project, project.contract(options),
                  start,   progress,  {},   {}};
  refuseUnknownDirectives(unit, report);
  std::vector<Suppression> suppressions = readSuppressions(unit, report);
  if (options.suppressions)
    check.suppressions = std::move(suppressions);
  report.functions = describeDeviceFunctions(unit);
  report.inactive = unit.preprocessed.inactive;
  report.includes = unit.preprocessed.includes;
  reportBroken(check);
  tell(check);
  if (mlir::ModuleOp module = unit.module())
    impl->checkKernels(check, module);
  tidy(report);
  const bool settled = impl->settled && inTime(check);

  Sources sources;
  for (const auto &[other, content] : options.unsaved)
    sources.set(other, content);
  if (text)
    sources.set(path, *text);
  setFingerprints(report.findings, sources);
  if (options.fixes && !check.cancelled())
    fixes::addFixes(*this, report, {sources.text(path), unit.functions}, options, cancelled);
  impl->settled = settled; // fixes are checked by this function, too
  report.timeMs = millisecondsSince(start);
  return report;
}

std::string Checker::lower(const std::string &path, const std::optional<std::string> &text,
                           const CheckOptions &options, const std::optional<std::string> &kernel,
                           bool locations, std::string &error) {
  frontend::CompileCommand command =
      frontend::findCommand(path, options.database, options.flags, options.arch, error);
  if (!error.empty())
    return "";
  frontend::TranslationUnit unit = impl->frontend.lower(path, text, command);
  for (const ParseError &parseError : unit.errors)
    error += parseError.range.file + ":" + std::to_string(parseError.range.begin.line) + ":" +
             std::to_string(parseError.range.begin.column) + ": error: " + parseError.message +
             "\n";
  mlir::ModuleOp module = unit.module();
  if (!module)
    return "";
  if (kernel && !contract::keepOnly(module, *kernel)) {
    error += path + ": no kernel '" + *kernel + "'";
    const char *separator = "; there are: ";
    for (const contract::Kernel &other : contract::kernelsOf(module)) {
      error += separator + other.instantiation;
      separator = ", ";
    }
    error += "\n";
    return "";
  }
  return ir::print(module, locations);
}

} // namespace warpdrf
