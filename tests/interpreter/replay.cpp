// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding that the interpreter shows is confirmed, one that it refutes is no more than possible.
#include "analysis/replay.h"
#include "tests/interpreter/support.h"

using namespace warpdrf;
using namespace warpdrf::interpreter;

static Finding found(const std::string &body, const std::string &rule,
                     const CheckOptions &options = {}) {
  const FileReport report = test::checker().check(
      "replay.cu", "__global__ void k(int *out, const int *in, int n) {\n" + body + "\n}\n",
      options);
  for (const Finding &finding : report.findings)
    if (finding.rule == rule)
      return finding;
  FAIL("no " << rule);
  return {};
}

static Confidence confidenceOf(const std::string &body, const std::string &rule,
                               const CheckOptions &options = {}) {
  return found(body, rule, options).confidence;
}

TEST_CASE("what the interpreter shows is confirmed") {
  CHECK(confidenceOf("out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
  CHECK(confidenceOf("if (threadIdx.x < 16) __syncthreads();", "divergent-barrier") ==
        Confidence::Confirmed);
  // Threads that run one after the other hide the second store's race with itself.
  CHECK(confidenceOf("out[0] = 0; out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
  CHECK(confidenceOf("if (n == 12345) out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
}

TEST_CASE("an undefined value that a branch uses is seen where the branch is") {
  const std::string body = "int v = threadIdx.x; v += __shfl_down_sync(~0u, v, 1);\n"
                           "if (v > 0)\n  out[blockIdx.x] = 0;";
  CheckOptions options;
  options.launch = contract::LaunchContext{};
  options.launch->block = {48, 1, 1};
  CHECK(confidenceOf(body, "undefined-lane-value", options) == Confidence::Confirmed);
}

TEST_CASE("what is not replayed stays modelled") {
  CheckOptions options;
  options.replay = false;
  CHECK(confidenceOf("out[0] = threadIdx.x;", "race", options) == Confidence::Modelled);
  // What the solver takes for a function gives this for none of the contents tried.
  CHECK(confidenceOf("if (__umulhi(in[0], 12345) == 31) out[0] = threadIdx.x;", "race") ==
        Confidence::Modelled);
  // Nobody has looked for bits that give it.
  CHECK(confidenceOf("if (__popc(in[0]) == 31) out[0] = threadIdx.x;", "race") ==
        Confidence::Possible);
}

TEST_CASE("the model's contents of an array are those of the run") {
  const Finding finding = found("if (in[3] == 123456) out[0] = threadIdx.x;", "race");
  CHECK(finding.confidence == Confidence::Confirmed);
  CHECK(finding.witness->values.at("in").ends_with(",3=123456"));
}

TEST_CASE("what is possible in the model and happens in a run is an error") {
  const std::string body = "__shared__ int s[32];\n"
                           "if (__any_sync(~0u, in[threadIdx.x] < n)) {\n"
                           "  s[threadIdx.x] = n;\n  out[threadIdx.x] = s[31 - threadIdx.x];\n}";
  CheckOptions options;
  options.replay = false;
  const Finding before = found(body, "race", options), after = found(body, "race");
  CHECK(before.confidence == Confidence::Possible);
  CHECK(before.severity == Severity::Warning);
  CHECK_THAT(before.message, ContainsSubstring("rests on"));
  CHECK(after.confidence == Confidence::Confirmed);
  CHECK(after.severity == Severity::Error);
  CHECK_THAT(after.message, !ContainsSubstring("rests on"));
}

TEST_CASE("duplicates in contents of ours prove nothing of an index array") {
  const std::string index = "in[blockIdx.x * blockDim.x + threadIdx.x]";
  CHECK(confidenceOf("out[" + index + "] += n;", "race") == Confidence::Possible);
  // The same behind a shuffle that leaves every lane its own.
  CHECK(confidenceOf("out[__shfl_sync(~0u, " + index + ", threadIdx.x & 31)] += n;", "race") ==
        Confidence::Possible);
}

/// The store of `k` at line 2, as a race with itself, with a witness of one warp.
static Finding raceOfStore(const std::string &text) {
  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(64);
  const Execution execution = test::cuda(text).run(launch);
  REQUIRE(execution.races.size() == 1);
  Finding finding;
  finding.rule = "race";
  finding.primary = execution.races[0].first.place.range;
  finding.related = {{Related::Role::Access, "", finding.primary}};
  finding.witness = Witness{.block = {32, 1, 1}, .grid = {1, 1, 1}, .threads = {}, .values = {}};
  return finding;
}

TEST_CASE("a run with nothing left to choose refutes what it does not show") {
  const std::string head = "__global__ void k(int *out) {\n  ";
  Finding finding = raceOfStore(head + "out[0] = threadIdx.x;\n}\n");
  const Program sound = test::cuda(head + "out[threadIdx.x] = 1;\n}\n");
  finding.primary.end.column += 10; // `threadIdx.x` for `0`
  finding.related[0].range = finding.primary;
  CHECK(replay(sound, finding, 32, ReplayLimits()) == Replay::NotReproduced);
  finding.witness->exact = true;
  CHECK(replay(sound, finding, 32, ReplayLimits()) == Replay::Refuted);
  // Another run may have another order.
  const Program atomic = test::cuda(head + "out[threadIdx.x] = 1; atomicAdd(out, 1);\n}\n");
  CHECK(replay(atomic, finding, 32, ReplayLimits()) != Replay::Refuted);
}

TEST_CASE("a race of values that turn out to be equal is possible, not seen") {
  // What the checker does not know of memory: a thread's own zeros come back from there.
  const auto copying = [](const std::string &value) {
    return "__shared__ int s[32]; s[threadIdx.x & 31] = " + value +
           "; __syncthreads(); out[0] = s[(threadIdx.x & 1) * 7];";
  };
  CHECK(confidenceOf(copying("(threadIdx.x & 1) * 0.5f > 1"), "race") == Confidence::Possible);
  CHECK(confidenceOf(copying("threadIdx.x"), "race") == Confidence::Confirmed);
}

TEST_CASE("with a focus every pair of the places is told") {
  const Program program = test::cuda("__global__ void k(int *out) {\n"
                                     "  out[0] = 1;\n  out[0] = 2;\n}\n");
  Launch launch = test::launch(64, 2);
  launch.arguments["out"] = test::zeros(1);
  const Execution all = program.run(launch);
  const auto ofLineTwoAlone = [](const Execution &execution) {
    return std::ranges::count_if(execution.races, [](const Race &race) {
      return race.first.place.range.begin.line == 2 && race.second.place.range.begin.line == 2;
    });
  };
  CHECK(ofLineTwoAlone(all) == 0); // the second store hides the first
  launch.focus = {{all.races[0].first.place.range.file, {2, 1}, {3, 1}}};
  CHECK(ofLineTwoAlone(program.run(launch)) == 3); // within a warp, a block, the grid
}

TEST_CASE("some blocks of a grid") {
  const Program program = test::cuda("__global__ void k(int *out) {\n"
                                     "  out[blockIdx.x] = gridDim.x;\n}\n");
  Launch launch = test::launch(1, 5);
  launch.arguments["out"] = test::zeros(5);
  launch.onlyBlocks = {1, 3};
  const Execution execution = program.run(launch);
  CHECK(execution.races.empty());
  CHECK(test::integers(execution, "out") == std::vector<std::int32_t>{0, 5, 0, 5, 0});
  launch.onlyBlocks = {5};
  CHECK(program.run(launch).ending == Ending::BadArgument);
}
