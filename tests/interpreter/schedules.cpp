// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For a program without races every schedule gives the same participants, reads and memory.
#include "tests/interpreter/support.h"

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
  launch.schedule = Schedule::Random;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    launch.seed = seed;
    const Execution execution = program.run(launch);
    REQUIRE(execution.finished());
    CHECK(execution.races.empty());
    CHECK(instances(execution) == instances(reference));
    CHECK(execution.readsHash == reference.readsHash);
    for (std::size_t i = 0; i < reference.memory.size(); ++i)
      CHECK(execution.memory[i].bytes == reference.memory[i].bytes);
  }
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
