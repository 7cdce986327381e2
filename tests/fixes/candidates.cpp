// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fixes propose, before anything is checked: the text after each candidate. Whether it
// holds is tested by tests/fixtures/fixes.
#include "tests/fixes/proposals.h"

using namespace warpdrf;
using test::finding;
using test::proposals;

TEST_CASE("a barrier between two accesses") {
  auto found = proposals(finding("race", Scope::Block), "__global__ void k(int *s) {\n"
                                                        "  $s[0] = 1;\n"
                                                        "  if (s[2])\n"
                                                        "    s[1] = $s[0];\n"
                                                        "}\n");
  CHECK(found["insert '__syncthreads();' before line 3"] == "__global__ void k(int *s) {\n"
                                                            "  s[0] = 1;\n"
                                                            "  __syncthreads();\n"
                                                            "  if (s[2])\n"
                                                            "    s[1] = s[0];\n"
                                                            "}\n");
  CHECK(found.size() == 1);
}

TEST_CASE("a barrier at the end of a loop, and the weakest first") {
  std::string text = "__global__ void k(int *s) {\n"
                     "  for (int i = 0; i < 9; ++i) {\n"
                     "    s[i] = $s[0];\n"
                     "  }\n"
                     "}\n";
  auto found = proposals(finding("race", Scope::Warp), text);
  CHECK(found["insert '__syncwarp();' at the end of the loop body"] ==
        "__global__ void k(int *s) {\n"
        "  for (int i = 0; i < 9; ++i) {\n"
        "    s[i] = s[0];\n"
        "    __syncwarp();\n"
        "  }\n"
        "}\n");
  CHECK(found.contains("insert '__syncthreads();' at the end of the loop body"));
}

TEST_CASE("a loop body without braces gets some") {
  auto found = proposals(finding("race", Scope::Block), "__global__ void k(int *s) {\n"
                                                        "  for (int i = 0; i < 9; ++i)\n"
                                                        "    s[i] = $s[0];\n"
                                                        "}\n");
  CHECK(found["insert '__syncthreads();' at the end of the loop body"] ==
        "__global__ void k(int *s) {\n"
        "  for (int i = 0; i < 9; ++i)\n"
        "    { s[i] = s[0]; __syncthreads(); }\n"
        "}\n");
}

TEST_CASE("nothing orders blocks") {
  CHECK(proposals(finding("race", Scope::Grid),
                  "__global__ void k(int *s) {\n  $s[0] = 1;\n  $s[1] = 2;\n}\n")
            .empty());
}

TEST_CASE("a barrier at the end of a branch moves behind it") {
  auto found = proposals(finding("divergent-barrier"), "__global__ void k(int *s) {\n"
                                                       "  if (threadIdx.x < 9) {\n"
                                                       "    s[0] = 1;\n"
                                                       "    $__syncthreads();\n"
                                                       "  }\n"
                                                       "}\n");
  CHECK(found["hoist the barrier out of the branch"] == "__global__ void k(int *s) {\n"
                                                        "  if (threadIdx.x < 9) {\n"
                                                        "    s[0] = 1;\n"
                                                        "  }\n"
                                                        "  __syncthreads();\n"
                                                        "}\n");
}

TEST_CASE("a barrier in the middle splits the branch") {
  std::string text = "__global__ void k(int *s, int n) {\n"
                     "  int t = threadIdx.x;\n"
                     "  if (t < n) {\n"
                     "    s[t] = 1;\n"
                     "    $__syncthreads();\n"
                     "    s[t] += s[0];\n"
                     "  }\n"
                     "}\n";
  CHECK(proposals(finding("divergent-barrier"), text)["split the 'if' around the barrier"] ==
        "__global__ void k(int *s, int n) {\n"
        "  int t = threadIdx.x;\n"
        "  if (t < n) {\n"
        "    s[t] = 1;\n"
        "  }\n"
        "  __syncthreads();\n"
        "  if (t < n) {\n"
        "    s[t] += s[0];\n"
        "  }\n"
        "}\n");
  // The condition must mean the same the second time.
  text.replace(text.find("s[t] = 1;"), 9, "n = t - 1;");
  CHECK(proposals(finding("divergent-barrier"), text).empty());
  text.replace(text.find("n = t - 1;"), 10, "s[t] = 1;");
  text.replace(text.find("t < n"), 5, "s[n] > 0");
  CHECK(proposals(finding("divergent-barrier"), text).empty());
}

TEST_CASE("a branch with nothing else in it goes") {
  CHECK(proposals(finding("divergent-barrier"), "__global__ void k(int n) {\n"
                                                "  if (threadIdx.x < n)\n"
                                                "    $__syncthreads();\n"
                                                "}\n")["hoist the barrier out of the branch"] ==
        "__global__ void k(int n) {\n"
        "  __syncthreads();\n"
        "}\n");
}

TEST_CASE("the barriers of both arms become one") {
  CHECK(proposals(finding("divergent-barrier"),
                  "__global__ void k(int *s) {\n"
                  "  if (threadIdx.x < 9) {\n"
                  "    s[0] = 1;\n"
                  "    $__syncthreads();\n"
                  "  } else {\n"
                  "    __syncthreads();\n"
                  "  }\n"
                  "}\n")["merge the barriers of both branches behind the 'if'"] ==
        "__global__ void k(int *s) {\n"
        "  if (threadIdx.x < 9) {\n"
        "    s[0] = 1;\n"
        "  } else {\n"
        "  }\n"
        "  __syncthreads();\n"
        "}\n");
}

TEST_CASE("barriers with operands and other primitives stay") {
  CHECK(proposals(finding("divergent-barrier"), "__global__ void k(int *s) {\n"
                                                "  if (threadIdx.x < 9)\n"
                                                "    $__syncwarp(0x1ff);\n"
                                                "}\n")
            .empty());
}
