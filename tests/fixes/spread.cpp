// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a guard becomes when it is spread over the statements around a primitive.
#include "tests/fixes/proposals.h"

using namespace warpdrf;
using test::finding;
using test::proposals;

TEST_CASE("a shuffle comes out of its branch under a name") {
  auto found = proposals(finding("divergent-primitive"),
                         "__global__ void k(float *x) {\n"
                         "  int lane = threadIdx.x;\n"
                         "  float v = x[lane];\n"
                         "  for (int d = 16; d; d >>= 1)\n"
                         "    if (lane < d) v = fmaxf(v, $__shfl_down_sync(0xffffffff, v, d)@);\n"
                         "  x[lane] = v;\n"
                         "}\n");
  CHECK(found["hoist '__shfl_down_sync' out of the branch"] ==
        "__global__ void k(float *x) {\n"
        "  int lane = threadIdx.x;\n"
        "  float v = x[lane];\n"
        "  for (int d = 16; d; d >>= 1) {\n"
        "    const auto shuffled = __shfl_down_sync(0xffffffff, v, d);\n"
        "    if (lane < d)\n"
        "      v = fmaxf(v, shuffled);\n"
        "  }\n"
        "  x[lane] = v;\n"
        "}\n");
}

TEST_CASE("what the branch declares stays visible, tabs stay tabs") {
  auto found =
      proposals(finding("divergent-primitive"), "__global__ void k(int *x, int n) {\n"
                                                "\tint i = threadIdx.x;\n"
                                                "\tif (i < n) {\n"
                                                "\t\tint v = x[i];\n"
                                                "\t\tv += $__shfl_xor_sync(0xffffffff, v, 1)@;\n"
                                                "\t\tx[i] = v; // back\n"
                                                "\t}\n"
                                                "}\n");
  CHECK(found["hoist '__shfl_xor_sync' out of the branch"] ==
        "__global__ void k(int *x, int n) {\n"
        "\tint i = threadIdx.x;\n"
        "\tint v = i < n ? x[i] : 0;\n"
        "\tv += __shfl_xor_sync(0xffffffff, v, 1);\n"
        "\tif (i < n)\n"
        "\t\tx[i] = v; // back\n"
        "}\n");
}

TEST_CASE("a vote counts those who were there") {
  auto found = proposals(finding("divergent-primitive"),
                         "__global__ void k(int *x, int n, int *hits) {\n"
                         "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 64) {\n"
                         "    unsigned found = $__ballot_sync(0xffffffff, x[i] == 7)@;\n"
                         "    if (threadIdx.x == 0)\n"
                         "      atomicAdd(hits, __popc(found));\n"
                         "  }\n"
                         "}\n");
  CHECK(found["let all threads go round the loop together"] ==
        "__global__ void k(int *x, int n, int *hits) {\n"
        "  for (int base = blockIdx.x * blockDim.x; base < n; base += 64) {\n"
        "    const int i = base + threadIdx.x;\n"
        "    unsigned found = __ballot_sync(0xffffffff, i < n && x[i] == 7);\n"
        "    if (i < n && threadIdx.x == 0)\n"
        "      atomicAdd(hits, __popc(found));\n"
        "  }\n"
        "}\n");
}

TEST_CASE("a loop that nobody can count goes on by a vote") {
  auto found =
      proposals(finding("divergent-primitive"), "__global__ void k(int *x) {\n"
                                                "  int v = x[threadIdx.x];\n"
                                                "  while (v > 0) {\n"
                                                "    int step = $__shfl_sync(0xffffffff, v, 0)@;\n"
                                                "    v -= step;\n"
                                                "    x[0] += v;\n"
                                                "  }\n"
                                                "}\n");
  CHECK(found["let all threads go round the loop together, by a vote"] ==
        "__global__ void k(int *x) {\n"
        "  int v = x[threadIdx.x];\n"
        "  while (__any_sync(0xffffffff, v > 0)) {\n"
        "    int step = __shfl_sync(0xffffffff, v, 0);\n"
        "    if (v > 0) {\n"
        "      v -= step;\n"
        "      x[0] += v;\n"
        "    }\n"
        "  }\n"
        "}\n");
}

TEST_CASE("an early return becomes a guard") {
  auto found =
      proposals(finding("undefined-lane-value"), "__global__ void k(int *x, int n) {\n"
                                                 "  int i = threadIdx.x;\n"
                                                 "  if (i >= n)\n"
                                                 "    return;\n"
                                                 "  int v = x[i];\n"
                                                 "  v += $__shfl_xor_sync(0xffffffff, v, 1)@;\n"
                                                 "  x[i] = v;\n"
                                                 "}\n");
  CHECK(found["guard the work instead of returning early"] ==
        "__global__ void k(int *x, int n) {\n"
        "  int i = threadIdx.x;\n"
        "  int v = i < n ? x[i] : 0;\n"
        "  v += __shfl_xor_sync(0xffffffff, v, 1);\n"
        "  if (i < n)\n"
        "    x[i] = v;\n"
        "}\n");
}

TEST_CASE("what cannot be written for all is not proposed") {
  // Nobody knows what the others should bring to a match.
  CHECK(proposals(finding("divergent-primitive"),
                  "__global__ void k(unsigned *x, int n) {\n"
                  "  if (threadIdx.x < n)\n"
                  "    x[threadIdx.x] = $__match_any_sync(0xffffffff, x[threadIdx.x])@;\n"
                  "}\n")
            .contains("hoist '__match_any_sync' out of the branch") == false);
  // Nothing is changed inside of a macro.
  CHECK(proposals(finding("divergent-primitive"),
                  "#define HALF(v, t) if (t < 16) v += __shfl_xor_sync(0xffffffff, v, 1)\n"
                  "__global__ void k(int *x) {\n"
                  "  int v = x[threadIdx.x];\n"
                  "  $HALF(v, threadIdx.x)@;\n"
                  "}\n")
            .empty());
}

TEST_CASE("nobody is made to contribute 0 to a maximum") {
  const auto withStep = [](const std::string &step) {
    return proposals(finding("divergent-primitive"), "__global__ void k(int *x, int n) {\n"
                                                     "  int i = threadIdx.x;\n"
                                                     "  if (i < n) {\n"
                                                     "    int v = x[i];\n"
                                                     "    " +
                                                         step +
                                                         "\n"
                                                         "    x[i] = v;\n"
                                                         "  }\n"
                                                         "}\n");
  };
  const std::string title = "hoist '__shfl_xor_sync' out of the branch";
  CHECK(withStep("v += $__shfl_xor_sync(0xffffffff, v, 1)@;").contains(title));
  CHECK_FALSE(withStep("v = max(v, $__shfl_xor_sync(0xffffffff, v, 1)@);").contains(title));
}
