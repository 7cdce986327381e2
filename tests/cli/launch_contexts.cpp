// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/launch_contexts.h"

#include "tests/support/catch.h"

using namespace warpdrf;

namespace {

/// Two kernels, at lines 10 and 20, and the facts about them.
struct Facts {
  std::vector<KernelPlace> kernels = {{"a", {"f.cu", {10, 17}, {10, 18}}, {}},
                                      {"b", {"f.cu", {20, 17}, {20, 18}}, {}}};
  frontend::TranslationUnit unit;
  std::optional<contract::LaunchContext> given;

  void annotate(unsigned line, const std::string &spec) {
    unit.annotations.push_back({"launch", spec, "", {"f.cu", {line - 1, 1}, {line - 1, 9}}, line});
  }
  void launch(const std::string &kernel, std::optional<std::int64_t> block) {
    unit.launches.push_back(
        {kernel, {"f.cu", {30, 1}, {30, 9}}, {block, 1, 1}, {std::nullopt, 1, 1}, {}});
  }
  ChosenContexts of(std::size_t kernel) {
    return chooseContexts(kernels[kernel], kernels, unit, given, {});
  }
};

} // namespace

TEST_CASE("a kernel without facts is checked under the symbolic launch") {
  ChosenContexts chosen = Facts().of(0);
  REQUIRE(chosen.contexts.size() == 1);
  CHECK(chosen.contexts[0].source == "symbolic");
  CHECK_FALSE(chosen.contexts[0].block[0]);
}

TEST_CASE("launches of this kernel, equal ones once") {
  Facts facts;
  for (int block : {64, 128, 64})
    facts.launch("a", block);
  facts.launch("b", 32);
  ChosenContexts chosen = facts.of(0);
  REQUIRE(chosen.contexts.size() == 2);
  CHECK(chosen.contexts[0].block[0] == 64);
  CHECK(chosen.contexts[1].block[0] == 128);
  CHECK(chosen.contexts[0].seen);
  CHECK(chosen.contexts[0].source == "launch at f.cu:30");
}

TEST_CASE("an annotation speaks of the next kernel") {
  Facts facts;
  facts.annotate(9, "block=64"); // the kernel's template header
  facts.annotate(20, "block=32");
  CHECK(facts.of(0).contexts[0].block[0] == 64);
  REQUIRE(facts.of(1).contexts.size() == 1);
  CHECK(facts.of(1).contexts[0].block[0] == 32);
}

TEST_CASE("an annotation covers launches that it fits, and no others") {
  Facts facts;
  facts.annotate(10, "block=64");
  facts.launch("a", std::nullopt);
  CHECK(facts.of(0).contexts.size() == 1);
  facts.launch("a", 128);
  CHECK(facts.of(0).contexts.size() == 2);
}

TEST_CASE("the command line comes first") {
  Facts facts;
  facts.annotate(10, "block=64");
  facts.given.emplace().block[0] = 256;
  ChosenContexts chosen = facts.of(0);
  REQUIRE(chosen.contexts.size() == 1);
  CHECK(chosen.contexts[0].block[0] == 256);
}

TEST_CASE("an annotation that makes no sense is an error") {
  Facts facts;
  facts.annotate(10, "block=many");
  ChosenContexts chosen = facts.of(0);
  CHECK(chosen.errors.size() == 1);
  CHECK(chosen.contexts.size() == 1);
}
