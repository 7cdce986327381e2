// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The paper's figures, from the dialect and from CUDA, with the participants the paper states.
#include "tests/interpreter/support.h"

using namespace warpdrf;
using namespace warpdrf::interpreter;

namespace {

Program fromDialect(const char *name, const char *kernel = "") {
  const auto path = test::sourceDir() / "tests/interpreter/kernels" / name;
  std::string error;
  std::optional<Program> program =
      Program::load(test::readFile(path), path.string(), kernel, error);
  INFO(error);
  REQUIRE(program);
  return std::move(*program);
}

void checkFigure2(const Program &program) {
  Launch launch = test::launch(2);
  launch.arguments["out"] = test::zeros(4);
  const Execution execution = program.run(launch);
  REQUIRE(execution.finished());
  REQUIRE(execution.instances.size() == 2);
  CHECK(execution.instances[0].participants == Lanes(0b01)); // A
  CHECK(execution.instances[1].participants == Lanes(0b11)); // B
  CHECK(execution.hasFault("divergent-primitive"));
  REQUIRE(execution.races.size() == 1); // the peek at g[1]; B orders the last reads
  CHECK(execution.races[0].object == "g");
  CHECK(execution.races[0].offset == 4);
  CHECK(execution.races[0].scope == Scope::Warp);
  CHECK(execution.weakest == Configuration::Smr);
}

void checkFigure5(const Program &program) {
  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(32);
  const Execution execution = program.run(launch);
  REQUIRE(execution.finished());
  REQUIRE(execution.instances.size() == 16);
  for (const Instance &instance : execution.instances) {
    REQUIRE(instance.coordinates.size() == 2);
    const bool shared = instance.coordinates[0] < 2 && instance.coordinates[1] < 2;
    CHECK(instance.participants.count() == (shared ? 32u : 16u));
    CHECK((instance.weakest == Configuration::Cuda) == shared);
  }
  CHECK(execution.races.empty());
  CHECK(execution.hasFault("divergent-primitive"));
}

} // namespace

TEST_CASE("figure 2: a barrier in a branch") {
  checkFigure2(fromDialect("figure-2.mlir"));
  const std::string sample = (test::sourceDir() / "samples/figure-2-barrier-in-branch.cu").string();
  checkFigure2(test::cudaFile(sample, "neighbours"));

  Launch launch = test::launch(2);
  launch.arguments["out"] = test::zeros(4);
  const Execution fixed = test::cudaFile(sample, "neighboursFixed").run(launch);
  CHECK(fixed.races.empty());
  CHECK(fixed.faults.empty());
  CHECK(fixed.weakest == Configuration::Cuda);
}

TEST_CASE("figure 5: a vote in nested loops") {
  checkFigure5(fromDialect("figure-5.mlir"));
  const std::string sample =
      (test::sourceDir() / "samples/figure-5-vote-in-nested-loops.cu").string();
  checkFigure5(test::cudaFile(sample, "agree"));

  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(32);
  const Execution fixed = test::cudaFile(sample, "agreeFixed").run(launch);
  CHECK(fixed.faults.empty());
  CHECK(fixed.weakest == Configuration::Cuda);
}

TEST_CASE("a primitive after a loop has no count of it: all meet there") {
  const Program program = test::cuda("__global__ void k(int *out) {\n"
                                     "  int n = 0;\n"
                                     "  while (n < (int)threadIdx.x % 5) ++n;\n"
                                     "  out[threadIdx.x] = __shfl_sync(~0u, n, 4);\n"
                                     "}\n");
  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(32);
  const Execution execution = program.run(launch);
  REQUIRE(execution.instances.size() == 1);
  CHECK(execution.instances[0].participants.count() == 32);
  CHECK(test::integers(execution, "out") == std::vector<std::int32_t>(32, 4));
}

TEST_CASE("a case reached through different selectors is beyond smr") {
  const char *text = "__global__ void k(int *out) {\n"
                     "  int v = 0;\n"
                     "  switch (threadIdx.x %% 4) {\n"
                     "  case 0: v = 1; %s\n"
                     "  case 1: v += __popc(__ballot_sync(%s, 1)); break;\n"
                     "  }\n"
                     "  out[threadIdx.x] = v;\n"
                     "}\n";
  char falls[512], breaks[512];
  std::snprintf(falls, sizeof falls, text, "", "0x33333333");
  std::snprintf(breaks, sizeof breaks, text, "break;", "0x22222222");
  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(32);
  CHECK(test::cuda(falls).run(launch).weakest == Configuration::Fmr);
  CHECK(test::cuda(breaks).run(launch).weakest == Configuration::Smr);
}

TEST_CASE("the weakest configuration that admits a program, from the dialect") {
  const auto votes = [](const char *kernel, unsigned width) {
    Launch launch = test::launch(32, 1, width);
    launch.arguments["out"] = test::zeros(32);
    const Execution execution = fromDialect("switch.mlir", kernel).run(launch);
    REQUIRE(execution.finished());
    return execution;
  };
  const Execution falls = votes("falls", 32), stays = votes("stays", 32);
  REQUIRE(falls.instances.size() == 1);
  CHECK(falls.instances[0].participants == Lanes(0x33333333)); // selectors 0 and 1 meet
  CHECK(falls.weakest == Configuration::Fmr);
  REQUIRE(stays.instances.size() == 1);
  CHECK(stays.instances[0].participants == Lanes(0x22222222));
  CHECK(stays.weakest == Configuration::Smr);
  // In a warp of its own every lane that comes there came through one selector.
  const Execution whole = votes("whole", 4);
  REQUIRE(whole.instances.size() == 2);
  for (const Instance &instance : whole.instances)
    CHECK(instance.participants == Lanes(0xf));
  CHECK(whole.weakest == Configuration::Cuda);
  CHECK(votes("falls", 1).weakest == Configuration::Cuda);
}
