// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a program without races every schedule gives the same participants, reads and memory: of
// chosen kernels, and of generated ones whose reference run shows no race and no undefined value,
// be their participants guaranteed or not. Kernels with atomics are left out there: what an atomic
// returns depends on the order by its nature.
#include "analysis/fuzz/generate.h"
#include "analysis/ir/dialect.h"
#include "analysis/ir/text.h"
#include "tests/interpreter/support.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <set>
#include <tuple>

using namespace warpdrf;
using namespace warpdrf::interpreter;

namespace {

/// Instances without their order.
auto instances(const Execution &execution) {
  std::multiset<std::tuple<std::uint32_t, std::vector<std::uint64_t>, std::uint32_t, std::uint32_t,
                           std::string, std::vector<std::string>>>
      result;
  for (const Instance &each : execution.instances) {
    std::vector<std::string> warps;
    for (const Lanes &lanes : each.warps)
      warps.push_back(lanes.to_string());
    result.emplace(each.site, each.coordinates, each.block, each.warp,
                   each.participants.to_string(), warps);
  }
  return result;
}

/// Runs with random schedules and seeds from 0 on are like the reference run.
void checkLikeReference(const Program &program, Launch launch, const Execution &reference,
                        std::uint64_t seeds) {
  launch.schedule = Schedule::Random;
  for (launch.seed = 0; launch.seed < seeds; ++launch.seed) {
    const Execution execution = program.run(launch);
    INFO("seed " << launch.seed << " " << execution.message);
    REQUIRE(execution.finished());
    CHECK(execution.races.empty());
    CHECK(instances(execution) == instances(reference));
    CHECK(execution.readsHash == reference.readsHash);
    for (std::size_t i = 0; i < reference.memory.size(); ++i)
      CHECK(execution.memory[i].bytes == reference.memory[i].bytes);
  }
}

void checkSchedules(const std::string &body, std::int64_t block, std::int64_t grid) {
  const Program program =
      test::cuda("__global__ void k(int *out, int *x) {\n  __shared__ int s[256];\n"
                 "  int t = threadIdx.x, b = blockIdx.x, v = 0;\n" +
                 body + "\n  out[b * blockDim.x + t] = v;\n}\n");
  Launch launch = test::launch(block, grid);
  launch.arguments["out"] = test::zeros(static_cast<std::uint64_t>(block * grid));
  launch.arguments["x"] = test::iota(1024);
  launch.hashReads = true;
  const Execution reference = program.run(launch);
  INFO(body << "\n" << reference.message);
  REQUIRE(reference.finished());
  REQUIRE(reference.races.empty());
  checkLikeReference(program, launch, reference, 12);
}

} // namespace

TEST_CASE("race-free programs do not notice the schedule") {
  checkSchedules("s[t] = x[t]; __syncthreads(); for (int d = 32; d; d >>= 1) { if (t < d) s[t] += "
                 "s[t + d]; __syncthreads(); } v = s[0];",
                 64, 3);
  checkSchedules("for (int i = 0; i < t % 5; ++i) { if (i == t % 3) continue; if (i > 3) break; v "
                 "+= __popc(__ballot_sync(~0u, i & 1)); } v += __shfl_xor_sync(~0u, v, 1);",
                 64, 2);
  checkSchedules("switch (t % 4) { case 0: v = __popc(__activemask()); case 1: v += "
                 "__popc(__activemask()); break; case 2: return; default: v = 9; } "
                 "v += __popc(__activemask());",
                 64, 2);
  checkSchedules("if (t < 32) { s[t] = t; __syncwarp(); v = s[t ^ 3]; asm volatile(\"bar.arrive 1, "
                 "64;\"); } else { asm volatile(\"bar.sync 1, 64;\"); v = s[t - 32]; }",
                 64, 1);
}

TEST_CASE("random schedules do differ where there is a race") {
  const Program program = test::cuda("__global__ void k(int *out) { out[0] = threadIdx.x; }\n");
  Launch launch = test::launch(64);
  launch.arguments["out"] = test::zeros(1);
  launch.schedule = Schedule::Random;
  std::set<std::int32_t> seen;
  for (launch.seed = 0; launch.seed < 20; ++launch.seed) {
    const Execution execution = program.run(launch);
    CHECK(execution.hasRace());
    seen.insert(test::integers(execution, "out")[0]);
  }
  CHECK(seen.size() > 1);
}

TEST_CASE("generated programs without races do not notice the schedule") {
  std::vector<fuzz::Program> programs;
  std::string text;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    fuzz::Program program = fuzz::generate(seed);
    const std::string kernel = fuzz::text(program, "k" + std::to_string(programs.size()));
    const auto has = [&](const char *word) { return kernel.find(word) != std::string::npos; };
    if (has("atomic") || has("asm volatile(\"red.") || has("asm volatile(\"atom."))
      continue; // what they find is up to the order
    text += kernel;
    programs.push_back(std::move(program));
  }
  std::string error;
  const auto context = ir::makeContext();
  const mlir::OwningOpRef<mlir::ModuleOp> module = ir::parse(test::lowered(text), *context, error);
  REQUIRE(module);
  std::size_t tried = 0, divergent = 0, withPrimitives = 0;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const std::string name = "k" + std::to_string(i);
    const std::optional<Program> program = Program::compile(*module, "k.cu", name, error);
    if (!program) // a statement that Clang rejects
      continue;
    Launch launch = test::launch(std::min<std::int64_t>(programs[i].block.value_or(64), 128),
                                 std::min<std::int64_t>(programs[i].grid.value_or(2), 3));
    for (const char *array : {"g", "h", "count", "in"})
      launch.arguments[array] = test::iota(fuzz::arrayElements);
    launch.arguments["n"] = Scalar(std::int64_t{5});
    launch.limits.steps = 5'000'000;
    launch.hashReads = true;
    const Execution reference = program->run(launch);
    if (!reference.finished() || !reference.races.empty() ||
        reference.hasFault("undefined-lane-value") || reference.hasFault("uninitialized-shared"))
      continue;
    ++tried;
    withPrimitives += !reference.instances.empty();
    divergent += reference.weakest != Configuration::Cuda;
    INFO(fuzz::text(programs[i], name));
    checkLikeReference(*program, launch, reference, 5);
  }
  INFO(tried << " programs, " << withPrimitives << " with primitives, " << divergent
             << " divergent");
  CHECK(tried >= 50);
  CHECK(withPrimitives >= 30);
  CHECK(divergent >= 3);
}
