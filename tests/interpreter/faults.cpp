// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that can go wrong in a run, each with its place, in bounded time and memory.
#include "tests/interpreter/support.h"

#include <chrono>

using namespace warpdrf;
using namespace warpdrf::interpreter;

static Execution run(const std::string &body, std::int64_t block = 32) {
  const Program program = test::cuda("__global__ void k(int *out) {\n  __shared__ int s[64];\n"
                                     "  int t = threadIdx.x;\n" +
                                     body + "\n  out[t] = t;\n}\n");
  Launch launch = test::launch(block);
  launch.arguments["out"] = test::zeros(1024);
  launch.limits.steps = 5'000'000;
  return program.run(launch);
}

static std::vector<std::string> rules(const std::string &body, std::int64_t block = 32) {
  std::vector<std::string> names;
  for (const Fault &fault : run(body, block).faults) {
    names.push_back(fault.rule);
    CHECK(fault.place.range.begin.line == 4);
  }
  return names;
}

using Names = std::vector<std::string>;

TEST_CASE("participation") {
  CHECK(rules("__syncwarp();") == Names{});
  CHECK(rules("if (t < 16) __syncwarp(); else s[t] = 0; __syncwarp();") ==
        Names{"divergent-primitive"});
  CHECK(rules("if (t < 16) __syncwarp(0xffff);") == Names{"partial-warp"});
  CHECK(rules("if (t < 17) __syncwarp(0xffff);") ==
        (Names{"mask-mismatch"})); // lane 16 is not in its own mask
  CHECK(rules("__syncwarp(t < 16 ? 0x1ffff : 0xfffe0000);").front() == "mask-mismatch");
  CHECK(rules("if (t >= 16) return; __syncwarp();") == Names{"exited-lanes"});
  CHECK(rules("if (t < 40) __syncthreads(); __syncthreads();", 64) == Names{"divergent-barrier"});
  // Without a number of threads a named barrier is for the whole block, too.
  CHECK(rules("if (t > 0) asm volatile(\"bar.sync 0;\");", 64) == Names{"divergent-barrier"});
  CHECK(rules("if (t > 31) asm volatile(\"bar.sync 0, 32;\");", 64).empty());
  CHECK(rules("if (t < 16) __syncwarp(); else __syncwarp();") ==
        Names{"partial-warp", "partial-warp"}); // together: the warp
  CHECK(rules("if (t >= 40) return; __syncthreads();", 64) == Names{"exited-lanes"});
  // Who goes past and leaves later may be on its way still.
  CHECK(rules("for (int i = 0; i <= t / 32; ++i) __syncthreads();", 64) ==
        Names{"divergent-barrier"});
  CHECK(rules("for (int i = 0; i <= t / 16; ++i) __syncwarp();") == Names{"divergent-primitive"});
  CHECK(rules("__syncwarp();", 40) == Names{}); // the last warp has 8 lanes, all there
}

TEST_CASE("undefined values matter where they arrive") {
  CHECK(rules("if (t < 8) out[64 + t] = __shfl_down_sync(0xff, t, 4);") ==
        (Names{"partial-warp", "undefined-lane-value"}));
  CHECK(rules("int v = 1; if (t < 8) { for (int d = 4; d; d >>= 1) v += __shfl_down_sync(0xff, v, "
              "d); if (t == 0) out[64] = v; }") == Names{"partial-warp"});
  CHECK(rules("int v = 1; if (t < 8) v = __shfl_sync(0xff, t, 9); if (v) out[64] = 1;") ==
        (Names{"partial-warp", "undefined-lane-value"}));
}

TEST_CASE("uninitialised shared memory") {
  CHECK(rules("out[64 + t] = s[t];") == Names{"uninitialized-shared"});
  CHECK(rules("s[t] = 1; out[64 + t] = s[t];") == Names{});
}

static void checkEnding(const std::string &body, Ending ending, const std::string &message,
                        unsigned line, std::int64_t block = 32) {
  const Execution execution = run(body, block);
  CHECK(execution.ending == ending);
  CHECK_THAT(execution.message, ContainsSubstring(message));
  REQUIRE(execution.place);
  CHECK(execution.place->range.begin.line == line);
}

TEST_CASE("runs that end early say where and why") {
  checkEnding("s[t + 40] = 1;", Ending::OutOfBounds, "'s', which has 256 bytes", 4);
  checkEnding("s[-1 - t] = 1;", Ending::OutOfBounds, "byte -4 of 's'", 4);
  checkEnding("*(int *)nullptr = 1;", Ending::OutOfBounds, "a null pointer", 4);
  checkEnding("while (true) s[t] = 0;", Ending::StepLimit, "endless loop", 4);
  checkEnding("asm volatile(\"bar.sync 1, 64;\");", Ending::Deadlock, "32 threads", 4);
  checkEnding("__trap();", Ending::Assumption, "not admissible", 4);
  checkEnding("int a[4]; a[t] = t; out[t] = a[0];", Ending::OutOfBounds,
              "thread 4 accesses 4 bytes at byte 16 of 'a', which has 16 bytes", 4);
  checkEnding("*(int4 *)(s + 4 * t + 2) = make_int4(1, 1, 1, 1);", Ending::OutOfBounds,
              "accesses 16 bytes at byte 8 of 's', which is no multiple of 16", 4);
  checkEnding("out[t + 1000] = 1;", Ending::OutOfBounds, "thread 24", 4);
  checkEnding("if (t < 32) asm volatile(\"bar.sync 1, 64;\"); asm volatile(\"bar.sync 2, 64;\");",
              Ending::Deadlock, "32 threads (thread 0) wait at line 4, 32 threads (thread 32)", 4,
              64);
  checkEnding("asm volatile(\"bar.sync 1, %0;\" :: \"r\"(t < 32 ? 64 : 96));", Ending::Deadlock,
              "is used with 64 and 96 threads at once", 4, 64);
  checkEnding("while (atomicAdd(out, 0) == 0);", Ending::StepLimit, "endless loop", 4);
}

TEST_CASE("a division by zero ends a run, the other arm of its test does not divide") {
  for (const char *operation : {"7 / t", "7 % t", "7u / (unsigned)t", "7u % (unsigned)t",
                                "7ll / (long long)t", "(char)7 / (char)t"})
    checkEnding(std::string("s[t] = ") + operation + ";", Ending::DivisionByZero,
                "division by zero by thread 0", 4);
  CHECK(rules("s[t] = t ? 7 / t : 0; s[t] += t && 7 % t;") == Names{});
  CHECK(run("s[t] = (-2147483647 - 1 + 0 * t) / (t < 64 ? -1 : 1);").finished());
}

TEST_CASE("runs are bounded in time and memory") {
  const auto ending = [](const std::string &body, std::uint64_t memory, double seconds) {
    const Program program = test::cuda(
        "__global__ void k(int *x, int n) {\n  int t = threadIdx.x, v = 0;\n" + body + "\n}\n");
    Launch launch = test::launch(512, 64);
    launch.arguments["x"] = test::zeros(1 << 20);
    launch.arguments["n"] = Scalar(std::int64_t{1 << 20});
    launch.limits.memory = memory;
    launch.limits.seconds = seconds;
    const auto start = std::chrono::steady_clock::now();
    const Execution execution = program.run(launch);
    INFO(execution.message);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    REQUIRE(execution.place);
    CHECK(execution.place->range.begin.line == 3);
    return execution.ending;
  };
  // What atomics release, who reads a cell, and a loop that touches no memory.
  CHECK(ending("for (int i = t; i < n; i += 512) { __threadfence(); atomicAdd(&x[i], 1); "
               "atomicAdd(&x[i ^ 512], 1); }",
               96 << 20, 60) == Ending::MemoryLimit);
  CHECK(ending("for (int i = 0; i < 4096; ++i) v += x[i]; if (v) x[t] = v;", 96 << 20, 60) ==
        Ending::MemoryLimit);
  CHECK(ending("for (unsigned i = 0; i >= 0; ++i) v ^= i; x[t] = v;", 512 << 20, 0.2) ==
        Ending::TimeLimit);
}

TEST_CASE("arguments are never made up") {
  const Program program = test::cuda("__global__ void k(int *out, int n) { out[n] = n; }\n");
  Launch launch = test::launch(1);
  Execution execution = program.run(launch);
  CHECK(execution.ending == Ending::MissingArgument);
  CHECK(execution.message == "missing argument: 'out' (32-bit array), 'n' (32-bit number); for "
                             "example --arg out=random:1 --arg n=1, or --choose for any");
  REQUIRE(execution.place);
  CHECK(execution.place->range.begin.line == 1);
  launch.arguments["out"] = test::zeros(4);
  launch.arguments["n"] = Scalar(std::int64_t{3});
  execution = program.run(launch);
  CHECK(execution.finished());
  CHECK(test::integers(execution, "out") == std::vector<std::int32_t>{0, 0, 0, 3});
  launch.arguments["m"] = Scalar(std::int64_t{3});
  CHECK(program.run(launch).ending == Ending::BadArgument);
  launch.arguments.erase("m");
  for (const Scalar &wrong : {Scalar(1.5), Scalar(1e30), Scalar(std::int64_t{1} << 32)}) {
    launch.arguments["n"] = wrong;
    CHECK(program.run(launch).ending == Ending::BadArgument);
  }
  launch.arguments["n"] = Scalar(std::int64_t{0xffffffff});
  CHECK(program.run(launch).ending == Ending::OutOfBounds); // -1
  launch.limits.memory = 1 << 10;
  launch.arguments["out"] = test::zeros(1 << 20);
  CHECK(program.run(launch).ending == Ending::MemoryLimit);
}

TEST_CASE("what is not implemented is named") {
  const Program program = test::dialect("    warpdrf.unsupported \"goto\"");
  Launch launch = test::launch(1);
  launch.arguments["out"] = test::zeros(1, Element::I32);
  const Execution execution = program.run(launch);
  CHECK(execution.ending == Ending::Unsupported);
  CHECK(execution.message == "unsupported: goto");
  CHECK(execution.place->range.begin.line == 4);
}
