// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the widths and roundings of its types; collectives' results.
#include "tests/interpreter/support.h"

using namespace warpdrf;
using namespace warpdrf::interpreter;
using test::computed;

static std::uint64_t binary(const std::string &op, const std::string &type, const std::string &a,
                            const std::string &b) {
  return computed("    %a = arith.constant " + a + " : " + type + "\n    %b = arith.constant " + b +
                      " : " + type + "\n    %r = arith." + op + " %a, %b : " + type,
                  type);
}

TEST_CASE("integers wrap at their width") {
  CHECK(binary("addi", "i8", "100", "100") == 200);
  CHECK(binary("muli", "i16", "300", "300") == (90000 & 0xffff));
  CHECK(binary("subi", "i32", "0", "1") == 0xffffffffu);
  CHECK(binary("divsi", "i32", "-7", "2") == 0xfffffffdu);
  CHECK(binary("remsi", "i32", "-7", "2") == 0xffffffffu);
  CHECK(binary("divui", "i8", "-1", "2") == 127);
  CHECK(binary("shrsi", "i32", "-8", "1") == 0xfffffffcu);
  CHECK(binary("shrui", "i8", "-8", "1") == 124);
  CHECK(binary("shli", "i32", "1", "40") == 0);
  CHECK(binary("minsi", "i32", "-1", "1") == 0xffffffffu);
  CHECK(binary("minui", "i32", "-1", "1") == 1);
}

TEST_CASE("floats round to their own precision") {
  CHECK(binary("addf", "f32", "0.1", "0.2") == 0x3e99999au);
  CHECK(binary("addf", "f16", "2048.0", "1.0") == 0x6800);  // ties to even: still 2048
  CHECK(binary("addf", "f16", "2048.0", "3.0") == 0x6802);  // 2052
  CHECK(binary("mulf", "f16", "256.0", "256.0") == 0x7c00); // infinity
  CHECK(binary("addf", "bf16", "256.0", "1.0") == 0x4380);  // 256
  CHECK(binary("divf", "f64", "1.0", "3.0") == 0x3fd5555555555555ull);
  CHECK(computed("    %a = arith.constant 6.0e-8 : f32\n    %r = arith.truncf %a : f32 to f16",
                 "f16") == 1); // the smallest subnormal
  CHECK(computed("    %a = arith.constant -3.7 : f32\n    %r = arith.fptosi %a : f32 to i32",
                 "i32") == 0xfffffffdu);
  CHECK(computed("    %a = arith.constant 16777217 : i32\n    %r = arith.sitofp %a : i32 to f32",
                 "f32") == 0x4b800000u);
}

TEST_CASE("uninterpreted functions depend on name and arguments only") {
  const auto apply = [](const char *name, int argument) {
    return computed("    %a = arith.constant " + std::to_string(argument) +
                        " : i32\n    %r = warpdrf.apply \"" + name + "\"(%a) : (i32) -> i32",
                    "i32");
  };
  CHECK(apply("f", 1) == apply("f", 1));
  CHECK(apply("f", 1) != apply("f", 2));
  CHECK(apply("f", 1) != apply("g", 1));
  CHECK(apply("__popc", 255) == 8);
  CHECK(apply("__ffs", 8) == 4);
  CHECK(apply("__clz", 1) == 31);
}

/// What lane i gets, for a warp of 32.
static std::vector<std::int32_t> perLane(const std::string &expression) {
  const Program program = test::cuda(
      "__global__ void k(int *out) { int t = threadIdx.x; out[t] = " + expression + "; }\n");
  Launch launch = test::launch(32);
  launch.arguments["out"] = test::zeros(32);
  const Execution execution = program.run(launch);
  INFO(execution.message);
  REQUIRE(execution.finished());
  CHECK(execution.faults.empty());
  return test::integers(execution, "out");
}

TEST_CASE("collectives compute over their participants") {
  std::vector<std::int32_t> down(32), up(32), exchange(32), segment(32), groups(32);
  for (int lane = 0; lane < 32; ++lane) {
    down[lane] = lane + 3 < 32 ? lane + 3 : lane;
    up[lane] = lane >= 3 ? lane - 3 : lane;
    exchange[lane] = lane ^ 5;
    segment[lane] = lane / 8 * 8 + 2;
    groups[lane] = 0x11111111 << (lane % 4);
  }
  CHECK(perLane("__shfl_down_sync(~0u, t, 3)") == down);
  CHECK(perLane("__shfl_up_sync(~0u, t, 3)") == up);
  CHECK(perLane("__shfl_xor_sync(~0u, t, 5)") == exchange);
  CHECK(perLane("__shfl_sync(~0u, t, 2, 8)") == segment);
  CHECK(perLane("__match_any_sync(~0u, t % 4)") == groups);
  CHECK(perLane("__ballot_sync(~0u, t < 4)") == std::vector<std::int32_t>(32, 15));
  CHECK(perLane("__any_sync(~0u, t == 7)") == std::vector<std::int32_t>(32, 1));
  CHECK(perLane("__all_sync(~0u, t == 7)") == std::vector<std::int32_t>(32, 0));
  CHECK(perLane("__reduce_add_sync(~0u, t)") == std::vector<std::int32_t>(32, 496));
  CHECK(perLane("__reduce_max_sync(~0u, t)") == std::vector<std::int32_t>(32, 31));
  CHECK(perLane("__syncthreads_count(t < 5)") == std::vector<std::int32_t>(32, 5));
}

TEST_CASE("warps have any width up to 128") {
  const Program program = test::dialect(R"(
    %t = warpdrf.special tid_x
    %one = arith.constant 1 : i32
    %w = warpdrf.special warp_size
    %v = warpdrf.primitive "up" shfl_up(%t, %one, %w) : (i32, i32, i32) -> i32
    %x = arith.extui %t : i32 to i64
    %c4 = arith.constant 4 : i64
    %b = arith.muli %x, %c4 : i64
    %p = warpdrf.offset %out, %b
    warpdrf.write %p, %v : i32)");
  for (unsigned width : {1u, 8u, 64u, 128u}) {
    Launch launch = test::launch(128, 1, width);
    launch.arguments["out"] = test::zeros(128);
    const Execution execution = program.run(launch);
    REQUIRE(execution.finished());
    CHECK(execution.instances.size() == 128 / width);
    CHECK(execution.instances.front().participants.count() == width);
    const std::vector<std::int32_t> values = test::integers(execution, "out");
    for (int t = 0; t < 128; ++t)
      CHECK(values[t] == (t % width ? t - 1 : t));
  }
}
