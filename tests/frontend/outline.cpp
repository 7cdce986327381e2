// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/frontend/workspace.h"

using namespace warpdrf;
using frontend::Statement;
using Kind = Statement::Kind;

namespace {

std::string place(const Range &range) {
  auto text = [](Position at) { return std::to_string(at.line) + ":" + std::to_string(at.column); };
  return text(range.begin) + "-" + text(range.end);
}

} // namespace

TEST_CASE("statements have their ranges, with the semicolon", "[frontend]") {
  auto unit = test::parseText("#define STORE(p) do { *(p) = 1; } while (0)\n"
                              "__global__ void k(int *p, int n) {\n"
                              "  int i = 0;\n"
                              "  if (n > 1) {\n"
                              "    p[0] = n;\n"
                              "  } else\n"
                              "    return;\n"
                              "  #pragma unroll\n"
                              "  for (i = 0; i < 4; ++i)\n"
                              "    p[i] = i ;\n"
                              "  do { if (n) break; continue; } while (n);\n"
                              "  switch (n) {\n"
                              "  case 1: __syncthreads(); break;\n"
                              "  }\n"
                              "  STORE(p);\n"
                              "}\n"
                              "template <int N> __device__ int f() { return N; }\n"
                              "template __device__ int f<3>();\n");
  REQUIRE(unit.errors.empty());
  REQUIRE(unit.functions.size() == 2);
  const Statement &body = unit.functions[0];
  CHECK(body.kind == Kind::Compound);
  CHECK(place(body.range) == "2:34-16:2");
  REQUIRE(body.children.size() == 6);

  CHECK(place(body.children[0].range) == "3:3-3:13");
  CHECK(body.children[1].kind == Kind::If);
  CHECK(place(body.children[1].range) == "4:3-7:12");
  REQUIRE(body.children[1].children.size() == 2);
  CHECK(body.children[1].children[0].kind == Kind::Compound);
  CHECK(body.children[1].children[1].kind == Kind::Return);

  CHECK(body.children[2].kind == Kind::Loop);
  CHECK(place(body.children[2].range) == "8:3-10:15"); // from the pragma on
  CHECK(body.children[3].kind == Kind::Loop);
  CHECK(place(body.children[3].range) == "11:3-11:44");
  CHECK(body.children[3].children[0].children[1].kind == Kind::Continue);
  CHECK(body.children[4].kind == Kind::Switch);
  CHECK(place(body.children[5].range) == "15:3-15:12");
  CHECK(body.children[5].children.empty());               // a macro's inside is no place for text
  CHECK(place(unit.functions[1].range) == "17:37-17:50"); // the template, once
}

TEST_CASE("conditions, headers and declarations have their parts", "[frontend]") {
  auto unit = test::parseText("__global__ void k(int *p, int n) {\n"
                              "  int i = n + 1, j = 0;\n"
                              "  const int m = p[n] ;\n"
                              "  for (int l = m; l < n; l += 2)\n"
                              "    if (l > 1)\n"
                              "      p[l] = 1;\n"
                              "  while (int rest = n - i)\n"
                              "    ++i;\n"
                              "}\n");
  REQUIRE(unit.errors.empty());
  const Statement &body = unit.functions.at(0);
  REQUIRE(body.children.size() == 4);
  CHECK(body.children[0].kind == Kind::Declaration);
  CHECK(body.children[0].name.empty()); // two of them
  CHECK(body.children[1].name == "m");
  CHECK(place(body.children[1].value) == "3:17-3:21");
  const Statement &loop = body.children[2];
  CHECK(loop.name == "l");
  CHECK(place(loop.value) == "4:16-4:17");
  CHECK(place(loop.condition) == "4:19-4:24");
  CHECK(place(loop.step) == "4:26-4:32");
  CHECK(place(loop.children[0].condition) == "5:9-5:14");
  CHECK(!body.children[3].condition.valid()); // it declares
}
