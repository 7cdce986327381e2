// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/compare.h"
#include "analysis/conformance/reduce.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <set>

using namespace warpdrf::conformance;

namespace {

Test made(std::uint64_t seed, Contract contract, unsigned width = 8,
          const Parameters &parameters = {}) {
  std::string error;
  std::optional<Test> test = makeTest(seed, contract, width, parameters, error);
  INFO(error);
  REQUIRE(test);
  return std::move(*test);
}

void collect(const Block &block, std::set<unsigned> &sites) {
  for (const Statement &statement : block) {
    if (statement.kind == Statement::Kind::Site)
      sites.insert(statement.number);
    for (const Arm &arm : statement.arms)
      collect(arm.body, sites);
  }
}

std::set<unsigned> sitesOf(const Test &test) {
  std::set<unsigned> sites;
  for (const Block &function : test.program.functions)
    collect(function, sites);
  return sites;
}

/// FNV-1a: the same everywhere, unlike std::hash.
std::uint64_t digest(const std::string &text) {
  std::uint64_t value = 0xcbf29ce484222325ull;
  for (unsigned char c : text)
    value = (value ^ c) * 0x100000001b3ull;
  return value;
}

} // namespace

TEST_CASE("a seed gives the same bytes with every compiler") {
  // Who changes the generator on purpose changes this number with it.
  std::string all;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    all += made(seed, Contract::Fmr).text;
  CHECK(digest(all) == 16339993038470727312ull);
}

TEST_CASE("tests of cuda are part of those of smr, and those of fmr's") {
  std::size_t grown = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::set<unsigned> cuda = sitesOf(made(seed, Contract::Cuda)),
                             smr = sitesOf(made(seed, Contract::Smr)),
                             fmr = sitesOf(made(seed, Contract::Fmr));
    CHECK(!cuda.empty());
    CHECK(std::ranges::includes(smr, cuda));
    CHECK(std::ranges::includes(fmr, smr));
    grown += (cuda != smr) + (smr != fmr);
  }
  CHECK(grown > 10);
}

TEST_CASE("under cuda every primitive is executed by complete warps") {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const Participants &instance : made(seed, Contract::Cuda).expected.instances)
      CHECK(instance.lanes.size() == 8);
}

TEST_CASE("parameters shape programs") {
  Parameters parameters;
  CHECK(setParameter(parameters, "loop=0").empty());
  CHECK(setParameter(parameters, "warps=2").empty());
  CHECK(!setParameter(parameters, "warps=0").empty());
  CHECK(!setParameter(parameters, "lop=0").empty());
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Test test = made(seed, Contract::Fmr, 4, parameters);
    CHECK(test.text.find("warpdrf.loop") == std::string::npos);
    CHECK(test.layout.threads == 8);
  }
}

TEST_CASE("what a device did otherwise is found, and made small") {
  const Test test = made(3, Contract::Fmr);
  CHECK(!compare(test, test.expected.memory));
  Memory wrong = test.expected.memory;
  wrong.results[0] ^= 1; // place 0, visit 0, thread 0: a lane that was not there
  const std::optional<Difference> difference = compare(test, wrong);
  REQUIRE(difference);
  CHECK(text(*difference) ==
        "place 0, visit 0, thread 0: expected lanes 0-7, seen 1-7 (1 cells differ)");
  // A device that gets every note wrong: one note is left.
  const auto hasNote = [](const Test &candidate) {
    return candidate.text.find("warpdrf.get") != std::string::npos &&
           std::ranges::any_of(candidate.program.functions[0], [](const Statement &statement) {
             return statement.kind == Statement::Kind::Note;
           });
  };
  Parameters parameters;
  parameters.note = 100;
  const Test large = made(1, Contract::Fmr, 8, parameters);
  REQUIRE(hasNote(large));
  CHECK(statements(reduce(large, hasNote).program) == 1);
}
