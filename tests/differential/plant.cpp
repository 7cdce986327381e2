// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: plant [--seed N] [--count M] [BUG…]
// Plants one bug after the other in the checker (analysis/contract/planted.h; all unless some are
// named) and looks for the first generated kernel, of the seeds N, N+1, …, on which checker and
// interpreter no longer agree. Prints how many kernels that took; exit status 1 if M do not do.
#include "analysis/contract/planted.h"
#include "analysis/fuzz/generate.h"
#include "tests/differential/compare.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace warpdrf;
using namespace warpdrf::test;
using contract::Bug;

namespace {

struct Planted {
  Bug bug;
  const char *name, *belief;
  bool wanted = false;
  std::uint64_t programs = 0; ///< until it was caught; 0: it was not
  std::string kind;
};

std::vector<Planted> allBugs() {
  return {
#define WARPDRF_BUG(name, belief) {Bug::name, #name, belief, false, 0, {}},
      WARPDRF_BUGS(WARPDRF_BUG)
#undef WARPDRF_BUG
  };
}

struct Options {
  std::uint64_t seed = 1, count = 2000;
};

bool parse(int argc, char **argv, Options &options, std::vector<Planted> &bugs) {
  bool named = false;
  for (int i = 1; i < argc; ++i) {
    std::uint64_t *number = !std::strcmp(argv[i], "--seed")    ? &options.seed
                            : !std::strcmp(argv[i], "--count") ? &options.count
                                                               : nullptr;
    if (number) {
      if (++i == argc)
        return false;
      *number = std::strtoull(argv[i], nullptr, 10);
      continue;
    }
    const auto bug = std::ranges::find_if(
        bugs, [&](const Planted &each) { return !std::strcmp(each.name, argv[i]); });
    if (bug == bugs.end())
      return false;
    bug->wanted = named = true;
  }
  for (Planted &each : bugs)
    each.wanted |= !named;
  return true;
}

/// Nothing that the comparison looks at differs.
bool sameAnswer(const contract::KernelResult &a, const contract::KernelResult &b) {
  return a.report.memory == b.report.memory && a.report.participation == b.report.participation &&
         std::ranges::equal(a.findings, b.findings, [](const Finding &x, const Finding &y) {
           return x.rule == y.rule && x.primary == y.primary && x.message == y.message &&
                  x.severity == y.severity && x.confidence == y.confidence;
         });
}

/// Tries the bugs that are still at large on one kernel, the `number`th.
void tryOn(Comparer &comparer, const Subject &subject, std::uint64_t number,
           std::vector<Planted> &bugs) {
  contract::askedBugs.reset();
  const contract::KernelResult sound = comparer.check(subject);
  const auto asked = contract::askedBugs;
  std::optional<bool> agreed; // without a bug
  for (Planted &each : bugs) {
    if (!each.wanted || each.programs || !asked[static_cast<std::size_t>(each.bug)])
      continue;
    contract::plantedBug = each.bug;
    const contract::KernelResult answer = comparer.check(subject);
    contract::plantedBug = Bug::none;
    if (sameAnswer(sound, answer))
      continue;
    const Comparison comparison = comparer.judge(subject, answer);
    if (comparison.disagreements.empty())
      continue;
    if (!agreed)
      agreed = comparer.judge(subject, sound).disagreements.empty();
    if (!*agreed)
      return;
    each.programs = number;
    each.kind = comparison.disagreements.front().kind;
    std::printf("%-20s %6llu  %-60s %s\n", each.name, static_cast<unsigned long long>(number),
                each.kind.c_str(), each.belief);
    std::fflush(stdout);
  }
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  std::vector<Planted> bugs = allBugs();
  if (!parse(argc, argv, options, bugs)) {
    std::fputs("usage: plant [--seed N] [--count M] [BUG...]\nbugs:\n", stderr);
    for (const Planted &each : bugs)
      std::fprintf(stderr, "  %-20s %s\n", each.name, each.belief);
    return 2;
  }
  const auto atLarge = [&] {
    return std::ranges::count_if(bugs,
                                 [](const Planted &each) { return each.wanted && !each.programs; });
  };
  std::printf("%-20s %6s  %-60s %s\n", "bug", "after", "caught by", "the checker believes");
  Comparer comparer;
  constexpr std::uint64_t batch = 20;
  for (std::uint64_t done = 0; done < options.count && atLarge(); done += batch) {
    std::vector<fuzz::Program> programs;
    for (std::uint64_t i = done; i < std::min(done + batch, options.count); ++i)
      programs.push_back(fuzz::generate(options.seed + i));
    comparer.forEach(programs, [&](std::size_t index, const Subject &subject) {
      tryOn(comparer, subject, done + index + 1, bugs);
    });
  }
  for (const Planted &each : bugs)
    if (each.wanted && !each.programs)
      std::printf("%-20s  never  %-60s %s\n", each.name, "", each.belief);
  const auto wanted = std::ranges::count_if(bugs, [](const Planted &each) { return each.wanted; });
  std::printf("%td of %td caught within %llu kernels\n", wanted - atLarge(), wanted,
              static_cast<unsigned long long>(options.count));
  return atLarge() ? 1 : 0;
}
