// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch dimensions that follow from conditions around the launch, from loops before it, and from
// the calls that lead to it; and those that do not.
#include "tests/frontend/workspace.h"

#include <algorithm>

using namespace warpdrf;
using frontend::Launch;

namespace {

std::string number(const std::optional<std::int64_t> &value) {
  return value ? std::to_string(*value) : "*";
}

/// The x of the block of every launch, in source order: "32 64 *".
std::string blocksOf(const std::string &text) {
  auto unit = test::parseText("__global__ void k(int *p);\n"
                              "__global__ void k(int *p) { p[0] = 0; }\n"
                              "template <int N> __global__ void t(int *p) { p[N] = 0; }\n"
                              "struct Sizes { long n; int m; };\n"
                              "void unknown(int &);\n" +
                              text);
  REQUIRE(unit.errors.empty());
  std::vector<std::string> blocks;
  for (const Launch &launch : unit.launches)
    blocks.push_back(number(launch.block[0]));
  std::ranges::sort(blocks);
  std::string result;
  for (const std::string &block : blocks)
    result += (result.empty() ? "" : " ") + block;
  return result;
}

std::string blocksIn(const std::string &body) {
  return blocksOf("void host(int *p, int n, Sizes s, const Sizes &r, bool b) {\n" + body + "\n}\n");
}

} // namespace

TEST_CASE("a condition around a launch is a fact", "[frontend]") {
  CHECK(blocksIn("if (n == 64) k<<<1, n>>>(p);") == "64");
  CHECK(blocksIn("if (n != 64) { k<<<1, n>>>(p); } else k<<<1, n * 2>>>(p);") == "* 128");
  CHECK(blocksIn("if (b && r.n == 64) { int t = r.n; k<<<1, t>>>(p); }") == "64");
  CHECK(blocksIn("if (b || n == 64) k<<<1, n>>>(p);") == "*");
  CHECK(blocksIn("if (n != 96) return; k<<<1, n>>>(p);") == "96");
  CHECK(blocksIn("const dim3 d(b ? 64 : 32); if (b) k<<<1, d>>>(p); else k<<<1, d>>>(p);") ==
        "32 64");
  CHECK(blocksIn("const int m = s.n; if (m == 64) k<<<1, m>>>(p);") == "64");
  CHECK(blocksIn("switch (n) { case 32: k<<<1, n>>>(p); break; case 64: k<<<1, n>>>(p);"
                 " default: k<<<1, n>>>(p); }") == "* 32 64");
  CHECK(blocksIn("switch (n) { case 32: case 64: k<<<1, n>>>(p); }") == "*");
}

TEST_CASE("a condition says nothing about what changes later", "[frontend]") {
  CHECK(blocksIn("if (n == 64) { n = 32; k<<<1, n>>>(p); }") == "32");
  CHECK(blocksIn("if (n == 64) { unknown(n); k<<<1, n>>>(p); }") == "*");
  CHECK(blocksIn("int m = s.m; if (m == 64) k<<<1, m>>>(p); unknown(m);") == "*");
  CHECK(blocksIn("s.m = 1; if (s.m == 64) k<<<1, s.m>>>(p);") == "*");
  CHECK(blocksIn("if (n == 64) goto out; k<<<1, 2>>>(p); out: k<<<1, n>>>(p);") == "* 2");
  CHECK(blocksIn("int t = n; t += 1; if (t == 64) k<<<1, t>>>(p);") == "64");
  // The lower half is lost in the conversion: other values pass the test, too.
  CHECK(blocksIn("if ((char)n == 64) k<<<1, n>>>(p);") == "*");
}

TEST_CASE("a loop over known values is run", "[frontend]") {
  CHECK(blocksIn("int t = 32; while (t < 200) t *= 2; k<<<1, t>>>(p);") == "256");
  CHECK(blocksIn("int t = 1; for (int i = 0; i < 5; ++i) t <<= 1; k<<<1, t>>>(p);") == "32");
  CHECK(blocksIn("int t = 32; do { t += 32; if (t == 96) break; } while (true); k<<<1, t>>>(p);") ==
        "96");
  CHECK(blocksIn("int t = 32; while (t < s.n && t < 1024) t *= 2; dim3 d(t);"
                 "if (s.n == 256) k<<<1, d>>>(p); if (s.n == 5000) k<<<1, d>>>(p);"
                 "k<<<1, d>>>(p);") == "* 1024 256");
  CHECK(blocksIn("int t = 32; const int first = t; t = 64; k<<<1, first>>>(p);") == "32");
  CHECK(blocksIn(
            "int t = 32; dim3 d(t); t = 64; while (t < (int)d.x * 4) t += 32; k<<<1, t>>>(p);") ==
        "128");
  CHECK(blocksIn("int t = 32; if (b) { t = 64; k<<<1, t>>>(p); }") == "64");
}

TEST_CASE("what a loop or branch nobody knows changes is unknown", "[frontend]") {
  CHECK(blocksIn("int t = 32; while (t < n) t *= 2; k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("int t = 32; if (b) t = 64; k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("int t = 32; unknown(t); k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("for (int t = 32; t < 200; t *= 2) k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("int t = 32; while (t > 0) t = 32; k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("int t = 32; for (int i = 0; i < 4; ++i) { if (b) break; t *= 2; }"
                 "k<<<1, t>>>(p);") == "*");
  CHECK(blocksIn("int t = 32; auto f = [&] { k<<<1, t>>>(p); }; t = 64; f();") == "*");
  CHECK(blocksIn("int t = 16; t *= 2; auto f = [=] { k<<<1, t>>>(p); }; t = 64; f();") == "32");
  CHECK(blocksIn("int t = 32; switch (n) { case 1: t = 64; } k<<<1, t>>>(p);") == "*");
}

TEST_CASE("calls carry values and conditions into functions of this unit", "[frontend]") {
  CHECK(blocksOf("static void run(int *p, int t) { k<<<1, t>>>(p); }\n"
                 "void host(int *p, int n) { run(p, 32); run(p, 64); if (n == 96) run(p, n); }") ==
        "32 64 96");
  // Other units may call it as well; "launches seen" is an assumption, listed in the result.
  CHECK(blocksOf("void run(int *p, int t) { k<<<1, t>>>(p); }\n"
                 "void host(int *p) { run(p, 32); }") == "32");
  CHECK(blocksOf("void run(int *p, int t) { k<<<1, t>>>(p); }") == "*");
  CHECK(blocksOf("static void run(int *p, int t) { k<<<1, t>>>(p); }\n"
                 "void (*pointer)(int *, int) = run; void host(int *p) { run(p, 32); }") == "*");
  CHECK(blocksOf("static void run(int *p, int t) { k<<<1, t>>>(p); if (t > 1) run(p, t / 2); }\n"
                 "void host(int *p) { run(p, 32); }") == "* 32");
  // The branch is never taken with this argument.
  CHECK(blocksOf("static void run(int *p, int t) { if (t == 64) k<<<1, t>>>(p); }\n"
                 "void host(int *p) { run(p, 32); run(p, 64); }") == "64");
  // No call seen launches it; others might.
  CHECK(blocksOf("void run(int *p, int t) { if (t == 64) k<<<1, t>>>(p); }\n"
                 "void host(int *p) { run(p, 32); }") == "64");
}

TEST_CASE("a generic lambda sees what it captured", "[frontend]") {
  const std::string helper =
      "template <int V> struct Constant { static constexpr int value = V; };\n"
      "template <int... Ns> static void pick(int *p, const Sizes &s, dim3 block) {\n"
      "  auto one = [=](auto c) -> bool {\n"
      "    constexpr int n = decltype(c)::value;\n"
      "    if (s.n == n) { t<n><<<1, block>>>(p); return true; }\n"
      "    return false;\n"
      "  };\n"
      "  if ((one(Constant<Ns>{}) || ...)) return;\n"
      "  t<0><<<1, block>>>(p);\n"
      "}\n";
  CHECK(blocksOf(helper + "void host(int *p, const Sizes &s) {\n"
                          "  int b = 32;\n"
                          "  const long n = s.n;\n"
                          "  while (b < n && b < 128) b *= 2;\n"
                          "  const dim3 block(b);\n"
                          "  pick<32, 64, 500>(p, s, block);\n"
                          "}\n") == "* 128 32 64");
  CHECK(blocksOf("void host(int *p, int n) {\n"
                 "  int b = 32; if (n) b = 64;\n"
                 "  auto f = [&](auto) { k<<<1, b>>>(p); };\n"
                 "  f(1);\n"
                 "}\n") == "*");
}
