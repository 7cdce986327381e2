// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of the interpreter: how they are planned, and what becomes of a child that does not behave.
// The child is this test program again, told to run one of the hidden test cases below.
#include "analysis/report/shell_words.h"
#include "server/lsp/run_plan.h"
#include "server/worker/bounded_child.h"
#include "tests/support/catch.h"

#include <csignal>
#include <iostream>
#include <iterator>
#include <thread>

using namespace warpdrf;
using namespace warpdrf::lsp;
using namespace std::chrono_literals;

TEST_CASE("words of a shell's line") {
  const std::vector<std::string> words = {"a", "b c", "it's", "", "-DX=\"a b\"", "\\", "n=1,2:f32"};
  std::string line;
  for (const std::string &word : words)
    line += " " + shellWord(word);
  CHECK(shellWords(line) == words);
  CHECK(shellWords("  ").empty());
}

TEST_CASE("a grid is cut down, a launch that is known best is taken") {
  KernelReport report;
  LaunchDims vague, known;
  vague.source = "symbolic";
  known.block = {16, 16, 1};
  known.grid = {std::nullopt, 100, 1};
  known.source = "launch at f.cu:3";
  report.launches = {vague, known};
  const RunPlan plan = planOf({"k<2>", {}, {}}, &report);
  CHECK(plan.options == std::vector<std::string>{"--kernel", "k<2>", "--block", "16,16,1", "--grid",
                                                 "2,2,1", "--choose"});
  CHECK(plan.notes ==
        std::vector<std::string>{"block (16,16,1): launch at f.cu:3", "grid (2,2,1): chosen"});
  CHECK(planOf({"k", {}, {}}, nullptr).options[3] == "64,1,1");
}

TEST_CASE("a witness that no run has confirmed is run with its launch and numbers") {
  Finding finding;
  finding.kernel = "k";
  finding.instantiations = {"k<1>"};
  finding.witness = Witness{{64, 1, 1}, {1000, 2, 1}, {{}, {}}, {}};
  finding.witness->threads[1].block = {5, 1, 0};
  finding.witness->threads[1].thread = {33, 0, 0};
  finding.witness->values = {{"n", "7"}, {"iteration i", "2"}, {"in[3]", "1"}, {"gridDim.x", "9"}};
  const RunPlan plan = planOf(finding);
  CHECK(plan.options == std::vector<std::string>{"--kernel", "k<1>", "--block", "64,1,1", "--grid",
                                                 "1000,2,1", "--only-blocks", "0,1005", "--arg",
                                                 "n=7", "--choose"});
  CHECK(plan.follow == std::vector<std::string>{"--follow", "0:0", "--follow", "1005:33"});
  CHECK(plan.notes.size() == 2);
}

TEST_CASE("repeats its input", "[.echo]") {
  std::cerr << "complains";
  std::cout << std::string(std::istreambuf_iterator<char>(std::cin), {}) << std::flush;
  _exit(0);
}
TEST_CASE("never ends", "[.sleep]") {
  std::this_thread::sleep_for(60s);
}
TEST_CASE("writes without end", "[.flood]") {
  for (const std::string much(1 << 16, 'x');;)
    std::cout << much;
}
TEST_CASE("dies", "[.die]") {
  _exit((raise(SIGKILL), 1));
}

static worker::Bounded child(const std::string &tag, std::chrono::milliseconds time = 20s,
                             std::stop_token stop = {}, const std::string &input = "") {
  std::signal(SIGPIPE, SIG_IGN);
  return worker::runBounded({tag}, input, time, 1 << 20, stop);
}

TEST_CASE("a child's text comes and goes whole") {
  const std::string text(300'000, 'a'); // more than a pipe holds
  const worker::Bounded result = child("[.echo]", 20s, {}, text);
  CHECK(result.failure.empty());
  CHECK(result.errors == "complains");
  CHECK(result.output.ends_with(text));
}

TEST_CASE("a child that does not behave is ended") {
  const auto start = std::chrono::steady_clock::now();
  CHECK_THAT(child("[.sleep]", 1s).failure, ContainsSubstring("longer than 1 s"));
  CHECK_THAT(child("[.flood]").failure, ContainsSubstring("larger than 1 MB"));
  CHECK_THAT(child("[.die]").failure, ContainsSubstring("by a signal"));
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(50ms);
    stop.request_stop();
  });
  CHECK(child("[.sleep]", 20s, stop.get_token()).failure == "cancelled");
  CHECK(std::chrono::steady_clock::now() - start < 15s);
}
