// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: compare [--seed N] [--count M] [--shrink K] [--show]
// Generates M kernels from the seeds N, N+1, …, checks each and runs it in the interpreter. Prints
// how often each verdict and rule came, and every disagreement; the first K of each kind (1 unless
// told) made minimal. --show prints the kernels. Exit status 1 if there was a disagreement.
#include "analysis/fuzz/generate.h"
#include "analysis/fuzz/shrink.h"
#include "tests/differential/compare.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace warpdrf;
using namespace warpdrf::test;

namespace {

struct Options {
  std::uint64_t seed = 1, count = 200, shrink = 1;
  bool show = false;
};

struct Counts {
  std::map<std::string, unsigned> verdicts, rules, kinds;
  unsigned programs = 0, broken = 0, runs = 0, finished = 0, replayed = 0, sameValue = 0,
           notRun = 0, inputsNotFound = 0, hidden = 0;
};

const Disagreement *ofKind(const Comparison &comparison, const std::string &kind) {
  for (const Disagreement &each : comparison.disagreements)
    if (each.kind == kind)
      return &each;
  return nullptr;
}

/// The smallest that can be had by taking away one part after the other.
fuzz::Program minimal(Comparer &comparer, fuzz::Program program, const std::string &kind,
                      Disagreement &left) {
  for (bool smallest = false; !smallest;) {
    std::vector<fuzz::Program> candidates = fuzz::smaller(program);
    std::ranges::stable_sort(candidates, {}, [](const fuzz::Program &each) {
      return fuzz::text(each, "k").size() + (each.block ? 0 : 1) + (each.grid ? 0 : 1) +
             (each.rows > 1 ? 1 : 0);
    });
    smallest = true;
    constexpr std::size_t batch = 12;
    for (std::size_t i = 0; i < candidates.size() && smallest; i += batch) {
      const std::vector<fuzz::Program> some(
          candidates.begin() + static_cast<std::ptrdiff_t>(i),
          candidates.begin() + static_cast<std::ptrdiff_t>(std::min(i + batch, candidates.size())));
      const std::vector<Comparison> results = comparer.compare(some);
      for (std::size_t j = 0; j < results.size(); ++j)
        if (const Disagreement *still = ofKind(results[j], kind)) {
          left = *still;
          program = some[j];
          smallest = false;
          break;
        }
    }
  }
  return program;
}

const char *word(Verdict verdict) {
  const char *words[] = {"ok", "unproved", "unsupported", "violated"};
  return words[static_cast<int>(verdict)];
}

std::string launchOf(const fuzz::Program &program) {
  return "block=" + (program.block ? std::to_string(*program.block) : "*") +
         (program.rows > 1 ? "," + std::to_string(program.rows) : "") +
         " grid=" + (program.grid ? std::to_string(*program.grid) : "*");
}

/// The whole file.
std::string fileOf(const fuzz::Program &program) {
  const std::string kernel = fuzz::text(program, "k");
  return fuzz::helpers(kernel) + kernel;
}

void report(Comparer &comparer, const fuzz::Program &program, std::uint64_t seed,
            const Comparison &comparison, const Options &options, Counts &counts) {
  for (const Disagreement &each : comparison.disagreements) {
    std::printf("seed %llu: %s: %s\n", static_cast<unsigned long long>(seed), each.kind.c_str(),
                each.detail.c_str());
    if (counts.kinds[each.kind]++ >= options.shrink)
      continue;
    Disagreement left = each;
    const fuzz::Program small = minimal(comparer, program, each.kind, left);
    std::printf("  minimal (%s): %s\n%s", launchOf(small).c_str(), left.detail.c_str(),
                fileOf(small).c_str());
  }
  std::fflush(stdout);
}

void count(const Comparison &comparison, Counts &counts) {
  ++counts.programs;
  if (!comparison.compiled) {
    ++counts.broken;
    return;
  }
  ++counts.verdicts[word(comparison.verdict)];
  for (const std::string &rule : comparison.rules)
    ++counts.rules[rule];
  counts.runs += comparison.runs;
  counts.finished += comparison.finished;
  counts.replayed += comparison.replayed;
  counts.sameValue += comparison.sameValue;
  counts.notRun += comparison.notRun;
  counts.inputsNotFound += comparison.inputsNotFound;
  counts.hidden += comparison.hidden;
}

void print(const Counts &counts, const Comparer &comparer) {
  std::printf("%u programs, %u of which do not compile\n", counts.programs, counts.broken);
  for (const auto &[verdict, number] : counts.verdicts)
    std::printf("  %-22s %6u  %4.1f%%\n", verdict.c_str(), number,
                100.0 * number / counts.programs);
  for (const auto &[rule, number] : counts.rules)
    std::printf("  with %-17s %6u\n", rule.c_str(), number);
  std::printf("%u runs of what is called ok, %u to their end\n", counts.runs, counts.finished);
  std::printf("%u findings reproduced, %u with the same value, %u hidden behind another race on "
              "their object, %u not with these contents of `in`, %u could not be run\n",
              counts.replayed, counts.sameValue, counts.hidden, counts.inputsNotFound,
              counts.notRun);
  std::printf("seconds: %.1f front end, %.1f checker, %.1f interpreter\n", comparer.lowerSeconds,
              comparer.checkSeconds, comparer.runSeconds);
  unsigned all = 0;
  for (const auto &[kind, number] : counts.kinds) {
    std::printf("disagreement: %s: %u\n", kind.c_str(), number);
    all += number;
  }
  std::printf("%u disagreements\n", all);
}

bool parse(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::uint64_t *number = !std::strcmp(argv[i], "--seed")     ? &options.seed
                            : !std::strcmp(argv[i], "--count")  ? &options.count
                            : !std::strcmp(argv[i], "--shrink") ? &options.shrink
                                                                : nullptr;
    if (!std::strcmp(argv[i], "--show"))
      options.show = true;
    else if (number && i + 1 < argc)
      *number = std::strtoull(argv[++i], nullptr, 10);
    else
      return false;
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs("usage: compare [--seed N] [--count M] [--shrink K] [--show]\n", stderr);
    return 2;
  }
  Comparer comparer;
  Counts counts;
  constexpr std::uint64_t batch = 50;
  for (std::uint64_t done = 0; done < options.count; done += batch) {
    std::vector<fuzz::Program> programs;
    for (std::uint64_t i = done; i < std::min(done + batch, options.count); ++i)
      programs.push_back(fuzz::generate(options.seed + i));
    const std::vector<Comparison> results = comparer.compare(programs);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::uint64_t seed = options.seed + done + i;
      count(results[i], counts);
      if (options.show)
        std::printf("seed %llu (%s): %s %s\n%s", static_cast<unsigned long long>(seed),
                    launchOf(programs[i]).c_str(), word(results[i].verdict),
                    results[i].reason.c_str(), fileOf(programs[i]).c_str());
      report(comparer, programs[i], seed, results[i], options, counts);
    }
  }
  print(counts, comparer);
  return counts.kinds.empty() ? 0 : 1;
}
