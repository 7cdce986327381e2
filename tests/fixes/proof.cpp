// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: fix_proof [--bar PERCENT] [--list] FILE…
// Applies every fix that is offered for a finding of a file, each on its own, and looks at the
// whole file again: it compiles, the finding is gone, none is new, and the interpreter's final
// memory is what it was wherever that was determinate. --list names the findings without a fix;
// --bar asks for a share of races and participation findings that have one. Files with `//- file:`
// are fixtures.
#include "tests/fixes/proof.h"
#include "analysis/analysis.h"
#include "analysis/report/merge.h"
#include "analysis/report/source.h"
#include "analysis/report/suppress.h"
#include "tests/fixtures/fixture.h"

#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace warpdrf;

namespace {

std::string contents(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A file and what it needs, in a folder of its own.
class Subject {
public:
  explicit Subject(const fs::path &original)
      : folder(fs::temp_directory_path() / ("warpdrf-proof-" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    text = contents(original);
    options.contract.queryBudget = std::chrono::seconds(5);
    options.contract.kernelBudget = std::chrono::seconds(60);
    std::string error;
    if (text.find("\n//- file:") == std::string::npos)
      path = (folder / original.filename()).string();
    else
      unpack(test::parseFixture(original, text, error));
  }
  ~Subject() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  FileReport check(const std::string &changed, bool fixes) {
    options.fixes = fixes;
    options.replay = fixes;
    return checker.check(path, changed, options);
  }

  std::string lowered(const std::string &changed) {
    std::ofstream(path, std::ios::binary) << changed;
    std::string error,
        result = Checker().lower(path, std::nullopt, options, std::nullopt, true, error);
    return result;
  }

  std::string path, text;

private:
  void unpack(const test::Fixture &fixture) {
    options.flags = fixture.flags;
    if (fixture.strict)
      options.contract.masks = contract::Masks::Strict;
    if (fixture.smr)
      options.contract.configuration = contract::Configuration::Smr;
    if (fixture.fmr)
      options.contract.configuration = contract::Configuration::Fmr;
    for (const test::FixtureFile &file : fixture.files) {
      fs::create_directories((folder / file.name).parent_path());
      std::ofstream(folder / file.name) << file.text;
    }
    text = fixture.files[fixture.mainFile()].text;
    path = (folder / fixture.files[fixture.mainFile()].name).string();
  }

  fs::path folder;
  CheckOptions options;
  Checker checker;
};

/// Of the findings of a report, or of those that count.
std::multiset<std::string> identities(const FileReport &report, const std::string &text,
                                      bool counted) {
  Sources sources;
  sources.set(report.path, text);
  std::multiset<std::string> result;
  for (const Finding &finding : report.findings)
    if (counts(finding) || (!counted && !finding.suppressed))
      result.insert(identity(finding, sources));
  return result;
}

std::string identityOf(const Finding &finding, const Subject &subject) {
  Sources sources;
  sources.set(subject.path, subject.text);
  return identity(finding, sources);
}

struct Tally {
  unsigned findings = 0, fixed = 0, fixes = 0, compared = 0, determinate = 0, wrong = 0;
};

/// What is wrong with a fix; empty: nothing.
std::string verify(Subject &subject, const FileReport &before, const Finding &finding,
                   const Fix &fix, Tally &tally) {
  const std::string changed = applyEdits(subject.text, fix.edits);
  const FileReport after = subject.check(changed, false);
  if (after.parseErrors.size() > before.parseErrors.size())
    return "does not compile: " + after.parseErrors.back().message;
  if (identities(after, changed, false).contains(identityOf(finding, subject)))
    return "the finding is still there";
  if (!std::ranges::includes(identities(before, subject.text, true),
                             identities(after, changed, true)))
    return "there are new findings";
  if (!fix.verified)
    return "it is not verified";
  const auto report = std::ranges::find(before.kernels, finding.kernel, &KernelReport::name);
  const std::string kernel =
      finding.instantiations.empty() ? finding.kernel : finding.instantiations.front();
  const test::Comparison oracle =
      test::compareMemory(subject.lowered(subject.text), subject.lowered(changed), kernel, finding,
                          report == before.kernels.end() ? nullptr : &*report);
  tally.compared += oracle.compared;
  tally.determinate += oracle.compared > 0;
  return oracle.difference.empty() ? "" : "another final memory " + oracle.difference;
}

void prove(const fs::path &file, bool list, Tally &tally) {
  Subject subject(file);
  const FileReport before = subject.check(subject.text, true);
  for (const Finding &finding : before.findings) {
    const bool counted = counts(finding);
    tally.findings += counted;
    tally.fixed += counted && !finding.fixes.empty();
    const std::string where = file.string() + " [" + finding.rule + " at line " +
                              std::to_string(finding.primary.begin.line) + "]: ";
    if (list && counted)
      std::cout << where << (finding.fixes.empty() ? "no fix" : finding.fixes.front().title)
                << "\n";
    for (const Fix &fix : finding.fixes) {
      ++tally.fixes;
      const std::string problem = verify(subject, before, finding, fix, tally);
      if (problem.empty())
        continue;
      ++tally.wrong;
      std::cout << where << "'" << fix.title << "': " << problem << "\n"
                << applyEdits(subject.text, fix.edits) << "\n";
    }
  }
}

} // namespace

int main(int count, char **arguments) {
  std::vector<fs::path> files;
  unsigned bar = 0;
  bool list = false;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument == "--bar" && i + 1 < count)
      bar = static_cast<unsigned>(std::stoul(arguments[++i]));
    else if (argument == "--list")
      list = true;
    else
      files.push_back(argument);
  }
  Tally tally;
  for (const fs::path &file : files)
    prove(file, list, tally);
  const unsigned percent = tally.findings ? 100 * tally.fixed / tally.findings : 100;
  std::cout << tally.fixed << " of " << tally.findings << " findings have a fix (" << percent
            << " %); " << tally.fixes << " fixes, " << tally.wrong << " wrong; "
            << tally.determinate << " compared with the original's memory on " << tally.compared
            << " inputs\n";
  return tally.wrong == 0 && percent >= bar && !files.empty() ? 0 : 1;
}
