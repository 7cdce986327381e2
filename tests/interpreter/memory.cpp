// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What orders memory and what does not: pairs that differ in one thing.
#include "tests/interpreter/support.h"

using namespace warpdrf;
using namespace warpdrf::interpreter;

static Execution run(const std::string &body, Launch launch, const std::string &globals = "") {
  const Program program =
      test::cuda(globals + "__global__ void k(int *out, int *flag) {\n  __shared__ int s[256];\n" +
                 "  int t = threadIdx.x, b = blockIdx.x;\n" + body + "\n}\n");
  launch.arguments["out"] = test::zeros(1024, Element::I32);
  launch.arguments["flag"] = test::zeros(16, Element::I32);
  Execution execution = program.run(launch);
  INFO(execution.message);
  CHECK(execution.finished());
  return execution;
}

static bool races(const std::string &body, std::int64_t block, std::int64_t grid = 1,
                  const std::string &globals = "") {
  return run(body, test::launch(block, grid), globals).hasRace();
}

TEST_CASE("barriers order their participants at their scope") {
  CHECK(races("s[t] = t; out[t] = s[t ^ 1];", 64));
  CHECK_FALSE(races("s[t] = t; __syncthreads(); out[t] = s[t ^ 1];", 64));
  CHECK_FALSE(races("s[t] = t; __syncwarp(); out[t] = s[t ^ 1];", 64));
  CHECK(races("s[t] = t; __syncwarp(); out[t] = s[t ^ 32];", 64));
  CHECK(races("s[t] = t; __shfl_sync(~0u, t, 0); out[t] = s[t ^ 1];", 64));
  CHECK_FALSE(races("s[t] = t; __syncwarp(3u << (t & ~1)); out[t] = s[t ^ 1];", 32));
  CHECK(races("s[t] = t; __syncwarp(3u << (t & ~1)); out[t] = s[t ^ 2];", 32));
  CHECK_FALSE(
      races("s[t] = t; if (t < 16) __syncwarp(); else __syncwarp(); out[t] = s[t ^ 16];", 32));
}

TEST_CASE("a chain runs through relay threads") {
  const std::string relay = "if (t == 5) s[0] = 1; __syncwarp();"
                            "if (t == 0 || t == 32) asm volatile(\"bar.sync 1, 2;\");";
  CHECK_FALSE(races(relay + "__syncwarp(); if (t == 40) out[0] = s[0];", 64));
  CHECK(races(relay + "if (t == 40) out[0] = s[0];", 64));
}

TEST_CASE("fences and atomics order, plain atomics do not") {
  const auto publish = [](const char *before, const char *after) {
    return std::string("if (t == 0) { if (b == 0) { out[0] = 7; ") + before +
           " atomicExch(flag, 1); } else { while (atomicAdd(flag, 0) == 0); " + after +
           " out[1] = out[0]; } }";
  };
  CHECK_FALSE(races(publish("__threadfence();", "__threadfence();"), 32, 2));
  CHECK(races(publish("", "__threadfence();"), 32, 2));
  CHECK(races(publish("__threadfence_block();", "__threadfence();"), 32, 2));
  const Execution noConsumer = run(publish("__threadfence();", ""), test::launch(32, 2));
  CHECK_FALSE(noConsumer.hasRace());
  REQUIRE(noConsumer.races.size() == 1);
  CHECK(noConsumer.races[0].onlyConsumerFence);
}

TEST_CASE("the last of N blocks reads what the others wrote") {
  const auto last = [](const char *fence) {
    return std::string("out[b * 32 + t] = t; __syncthreads();"
                       "__shared__ int mine; if (t == 0) { ") +
           fence +
           " mine = atomicAdd(flag, 1) == gridDim.x - 1; } __syncthreads();"
           "if (mine) { __threadfence(); int sum = 0; for (int i = 0; i < 4; ++i) sum += out[i * "
           "32 + t]; out[512 + t] = sum; }";
  };
  CHECK_FALSE(races(last("__threadfence();"), 32, 4));
  CHECK(races(last(""), 32, 4));
}

TEST_CASE("atomics race with plain accesses only") {
  CHECK_FALSE(races("atomicAdd(&out[0], 1);", 64, 2));
  CHECK(races("atomicAdd(&out[0], 1); out[1 + t] = out[0];", 64));
  CHECK(races("if (t) atomicAdd(&out[0], 1); else out[0] = 1;", 64));
  CHECK(races("atomicAdd_block(&out[0], 1);", 32, 2));
  CHECK_FALSE(races("atomicAdd_block(&out[0], 1);", 64, 1));
}

TEST_CASE("cells are as small as the accesses") {
  CHECK_FALSE(races("((char *)s)[t] = 1;", 64));
  CHECK_FALSE(races("((short *)s)[t] = 1;", 64));
  CHECK(races("((char *)s)[t] = 1; if (t == 9) s[0] = 3;", 64));
  CHECK_FALSE(races("((char *)s)[t] = 1; __syncthreads(); if (t == 9) s[0] = 3;", 64));
}

TEST_CASE("all conflicting stores with one value") {
  const Execution same = run("out[0] = 7;", test::launch(64));
  REQUIRE(same.races.size() >= 1);
  CHECK(same.races[0].sameValue);
  const Execution other = run("out[0] = t;", test::launch(64));
  CHECK_FALSE(other.races[0].sameValue);
}

TEST_CASE("asynchronous copies are there after the wait and a barrier") {
  const std::string head = "#include <cuda_pipeline.h>\n";
  const std::string copy = "__pipeline_memcpy_async(&s[t], &flag[t & 7], 4); __pipeline_commit();";
  CHECK_FALSE(
      races(copy + "__pipeline_wait_prior(0); __syncthreads(); out[t] = s[t ^ 1];", 32, 1, head));
  CHECK(races(copy + "__syncthreads(); __pipeline_wait_prior(0); out[t] = s[t ^ 1];", 32, 1, head));
  CHECK(races(copy + "out[t] = s[t];", 32, 1, head));
  CHECK_FALSE(races(copy + "__pipeline_wait_prior(0); out[t] = s[t];", 32, 1, head));
}

TEST_CASE("a group waits for what its threads copy together") {
  const std::string head = "#include <cooperative_groups.h>\n"
                           "#include <cooperative_groups/memcpy_async.h>\n"
                           "namespace cg = cooperative_groups;\n";
  const std::string copy = "auto block = cg::this_thread_block();"
                           "auto tile = cg::tiled_partition<8>(block);"
                           "cg::memcpy_async(tile, s + t / 8 * 8, flag, 32);";
  CHECK_FALSE(races(copy + "cg::wait(tile); out[t] = s[t ^ 1];", 64, 1, head));
  CHECK(races(copy + "cg::wait(tile); out[t] = s[t ^ 32];", 64, 1, head));
  CHECK_FALSE(races(copy + "cg::wait(block); out[t] = s[t ^ 32];", 64, 1, head));
  CHECK(races(copy + "block.sync(); out[t] = s[t];", 64, 1, head));
  CHECK(races(copy + "cg::wait_prior<1>(tile); out[t] = s[t];", 64, 1, head));
}

TEST_CASE("a barrier in memory orders by phase") {
  const std::string head = "#include <cuda/barrier>\n";
  const std::string begin = "__shared__ cuda::barrier<cuda::thread_scope_block> bar, other;"
                            "if (t == 0) { init(&bar, 64); init(&other, 64); } __syncthreads();";
  const std::string write = begin + "s[t] = t; auto token = bar.arrive();";
  const std::string wait = "bar.wait(static_cast<decltype(token) &&>(token));";
  CHECK_FALSE(races(write + wait + "out[t] = s[63 - t];", 64, 1, head));
  CHECK(races(write + "out[t] = s[63 - t];" + wait, 64, 1, head));
  CHECK(races(begin + "auto token = bar.arrive(); s[t] = t; other.arrive();" + wait +
                  "out[t] = s[63 - t];",
              64, 1, head));
  CHECK_FALSE(races(begin + "for (int i = 0; i < 3; ++i) { s[t] = i; bar.arrive_and_wait();"
                            "out[t] = s[63 - t]; bar.arrive_and_wait(); }",
                    64, 1, head));
  CHECK(races(begin + "for (int i = 0; i < 3; ++i) { s[t] = i; bar.arrive_and_wait();"
                      "out[t] = s[63 - t]; }",
              64, 1, head));
  CHECK(races("__shared__ cuda::barrier<cuda::thread_scope_block> bar;"
              "if (t == 0) init(&bar, 64); __syncwarp(); bar.arrive_and_wait();",
              64, 1, head));
}

TEST_CASE("copies complete on a barrier in memory") {
  const std::string head = "#include <cuda/barrier>\n";
  const std::string begin = "__shared__ cuda::barrier<cuda::thread_scope_block> bar;"
                            "if (t == 0) init(&bar, 64); __syncthreads();"
                            "cuda::memcpy_async(&s[t], &flag[t & 7], sizeof(int), bar);";
  CHECK_FALSE(races(begin + "bar.arrive_and_wait(); out[t] = s[63 - t];", 64, 1, head));
  CHECK(races(begin + "__syncthreads(); out[t] = s[63 - t];", 64, 1, head));
  CHECK(races(begin + "bar.arrive(); out[t] = s[t];", 64, 1, head));
}

TEST_CASE("a grid barrier orders blocks") {
  const std::string head = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n";
  const std::string tail = "out[512 + b * 32 + t] = out[(b ^ 1) * 32 + t];";
  CHECK_FALSE(races("out[b * 32 + t] = t; cg::this_grid().sync();" + tail, 32, 2, head));
  CHECK(races("out[b * 32 + t] = t; __syncthreads();" + tail, 32, 2, head));
}

TEST_CASE("a matrix access is one access by its warp") {
  const auto run = [](const std::string &body, std::int64_t block, std::uint64_t elements) {
    const Program program =
        test::cuda("#include <mma.h>\nusing namespace nvcuda;\n"
                   "__global__ void k(const half *a, float *c) {\n"
                   "  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;\n"
                   "  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;\n"
                   "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;\n"
                   "  wmma::fill_fragment(fc, 0.0f);\n" +
                   body + "\n}\n");
    Launch launch = test::launch(block);
    launch.arguments["a"] = test::zeros(elements);
    launch.arguments["c"] = test::zeros(256);
    return program.run(launch);
  };
  const std::string product = "wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, a, "
                              "16); wmma::mma_sync(fc, fa, fb, fc); "
                              "wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);";
  const Execution alone = run(product, 32, 256);
  CHECK(alone.finished());
  CHECK(alone.races.empty());
  REQUIRE(alone.instances.size() == 5);
  CHECK(alone.sites[alone.instances[4].site].name == "wmma::store_matrix_sync");
  CHECK(alone.instances[4].participants == Lanes(0xffffffff));

  const Execution two = run(product, 64, 256); // both warps store the same tile
  REQUIRE(two.races.size() == 1);
  CHECK(two.races[0].scope == Scope::Block);
  CHECK(two.races[0].first.byWarp);

  // Which lane stores what is not said, so only a warp barrier makes it safe to read.
  const Execution read = run(product + " c[threadIdx.x] += 1;", 32, 256);
  REQUIRE_FALSE(read.races.empty());
  CHECK(read.races[0].scope == Scope::Warp);
  CHECK(run(product + " __syncwarp(); c[threadIdx.x] += 1;", 32, 256).races.empty());

  const Execution outside = run(product, 32, 250);
  CHECK(outside.ending == Ending::OutOfBounds);
  CHECK_THAT(outside.message, ContainsSubstring("32 bytes at byte 480 of 'a'"));
  REQUIRE(outside.place);
  CHECK(outside.place->range.begin.line == 8);

  const Execution half = run("if (threadIdx.x < 16) { " + product + " }", 32, 256);
  CHECK(half.hasFault("divergent-primitive"));
}
