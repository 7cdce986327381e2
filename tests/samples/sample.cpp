// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: sample FILE…
// Checks samples against their headers: `// verdict: KERNEL = drf` is a kernel with verdict ok and
// no warning or error; `race(SPACE)`, `divergent-participation` and `divergent-barrier` are kernels
// with a fitting finding on a line marked `// FAULT`, and none elsewhere. Each file is checked
// twice: as the machine is, and as if it had no CUDA toolkit. Exit: 0 as stated, 1 not.
#include "analysis/analysis.h"
#include "analysis/report/names.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>

using namespace warpdrf;

namespace {

struct Expected {
  std::string kernel;
  std::string kind; ///< drf, race, divergent-participation, divergent-barrier
  std::string space;
};

struct Sample {
  std::string path;
  std::vector<Expected> expected;
  std::set<unsigned> faults; ///< lines
};

const std::map<std::string, std::set<std::string>> rulesOf = {
    {"race", {"race", "uninitialized-shared"}},
    {"divergent-participation",
     {"divergent-primitive", "mask-mismatch", "exited-lanes", "activemask",
      "undefined-lane-value"}},
    {"divergent-barrier", {"divergent-barrier"}},
};

Sample read(const std::string &path) {
  static const std::regex verdict(R"(^// verdict: (\w+) = ([\w-]+)(?:\((\w+)\))?.*$)");
  static const std::regex fault(R"(.*// FAULT \w+$)");
  Sample sample{path, {}, {}};
  std::ifstream stream(path);
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, verdict))
      sample.expected.push_back({match[1], match[2], match[3]});
    if (std::regex_match(line, fault))
      sample.faults.insert(number);
  }
  return sample;
}

bool isLoud(const Finding &finding) {
  return finding.severity >= Severity::Warning && !finding.suppressed;
}

bool touchesFault(const Sample &sample, const Finding &finding) {
  if (sample.faults.count(finding.primary.begin.line))
    return true;
  for (const Related &related : finding.related)
    if (sample.faults.count(related.range.begin.line))
      return true;
  return false;
}

bool answers(const Expected &expected, const Sample &sample, const Finding &finding) {
  return finding.kernel == expected.kernel && rulesOf.at(expected.kind).count(finding.rule) &&
         touchesFault(sample, finding) &&
         (expected.kind != "race" || (finding.space && name(*finding.space) == expected.space));
}

/// What is wrong with the report about one kernel; empty if nothing.
std::string problem(const Expected &expected, const Sample &sample, const FileReport &report) {
  const KernelReport *kernel = nullptr;
  for (const KernelReport &candidate : report.kernels)
    if (candidate.name == expected.kernel)
      kernel = &candidate;
  if (!kernel)
    return "not reported";
  bool found = false;
  for (const Finding &finding : report.findings) {
    if (finding.kernel != expected.kernel || !isLoud(finding))
      continue;
    if (expected.kind == "drf" || !touchesFault(sample, finding))
      return "line " + std::to_string(finding.primary.begin.line) + ": " + finding.message;
    found |= answers(expected, sample, finding);
  }
  if (expected.kind == "drf")
    return kernel->verdict == Verdict::Ok
               ? ""
               : std::string(name(kernel->verdict)) + ": " + kernel->reason;
  return found ? "" : "fault not found";
}

bool run(const Sample &sample, const char *view) {
  CheckOptions options;
  // What is right must not depend on how busy the machine is.
  options.contract.queryBudget = std::chrono::seconds(5);
  options.contract.kernelBudget = std::chrono::seconds(60);
  FileReport report = Checker().check(sample.path, std::nullopt, options);
  bool fine = true;
  for (const ParseError &error : report.parseErrors) {
    fine = false;
    std::cout << "FAILED: " << sample.path << " (" << view << "): " << error.message << "\n";
  }
  for (const Expected &expected : sample.expected) {
    std::string wrong = problem(expected, sample, report);
    fine &= wrong.empty();
    if (!wrong.empty())
      std::cout << "FAILED: " << sample.path << " (" << view << "): " << expected.kernel
                << ": expected " << expected.kind << ", " << wrong << "\n";
  }
  return fine;
}

} // namespace

int main(int argc, char **argv) {
  bool fine = argc > 1;
  for (int i = 1; i < argc; ++i) {
    Sample sample = read(argv[i]);
    if (sample.expected.empty()) {
      std::cout << "FAILED: " << argv[i] << " states no verdict\n";
      fine = false;
    }
    fine &= run(sample, "as the machine is");
    ::setenv("WARPDRF_NO_TOOLKIT", "1", 1);
    fine &= run(sample, "without a toolkit");
    ::unsetenv("WARPDRF_NO_TOOLKIT");
  }
  return fine ? 0 : 1;
}
