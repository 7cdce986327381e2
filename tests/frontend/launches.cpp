// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/frontend/workspace.h"

using namespace warpdrf;
using frontend::Launch;

namespace {

std::string number(const std::optional<std::int64_t> &value) {
  return value ? std::to_string(*value) : "*";
}

std::string show(const Launch &launch) {
  auto list = [](const auto &values) {
    std::string text;
    for (const auto &value : values)
      text += (text.empty() ? "" : ",") + number(value);
    return "(" + text + ")";
  };
  return "grid=" + list(launch.grid) + " block=" + list(launch.block) +
         " arguments=" + list(launch.arguments);
}

/// The one launch of kernel `k` in a host function with this body.
std::string launchIn(const std::string &body) {
  auto unit = test::parseText("__global__ void k(int *p, int n) { p[0] = n; }\n"
                              "static int ceilDiv(int a, int b) { return (a + b - 1) / b; }\n"
                              "void host(int *p, int n) {\n" +
                              body + "\n}\n");
  REQUIRE(unit.errors.empty());
  REQUIRE(unit.launches.size() == 1);
  CHECK(unit.launches[0].kernel == "k");
  return show(unit.launches[0]);
}

} // namespace

TEST_CASE("launch dimensions are constants where they are", "[frontend]") {
  CHECK(launchIn("k<<<2, 64>>>(p, 7);") == "grid=(2,1,1) block=(64,1,1) arguments=(*,7)");
  CHECK(launchIn("k<<<dim3(2, 3), dim3{4, 5, 6}>>>(p, n);") ==
        "grid=(2,3,1) block=(4,5,6) arguments=(*,*)");
  CHECK(launchIn("int t = 256; const dim3 b(t, 2); dim3 g(ceilDiv(1000, t), n);"
                 "k<<<g, b>>>(p, -1);") == "grid=(4,*,1) block=(256,2,1) arguments=(*,-1)");
  CHECK(launchIn("dim3 b(8); k<<<b.x * 2, b>>>(p, sizeof(int));") ==
        "grid=(16,1,1) block=(8,1,1) arguments=(*,4)");
  CHECK(launchIn("const bool big = true; k<<<1, big ? 512 : n>>>(p, n);") ==
        "grid=(1,1,1) block=(512,1,1) arguments=(*,*)");
  CHECK(launchIn("auto run = [&](int q) { k<<<q, 96>>>(p, 1); }; run(3);") ==
        "grid=(*,1,1) block=(96,1,1) arguments=(*,1)");
}

TEST_CASE("what may change is not a constant", "[frontend]") {
  CHECK(launchIn("dim3 b(1); b.y = 7; k<<<1, b>>>(p, n);") ==
        "grid=(1,1,1) block=(*,*,*) arguments=(*,*)");
  CHECK(launchIn("int t = 32; while (t < n) t *= 2; k<<<1, t>>>(p, n);") ==
        "grid=(1,1,1) block=(*,1,1) arguments=(*,*)");
  CHECK(launchIn("int t = 32; int *q = &t; *q = n; k<<<1, t>>>(p, n);") ==
        "grid=(1,1,1) block=(*,1,1) arguments=(*,*)");
  CHECK(launchIn("int t = 32; [&] { t = n; }(); k<<<1, t>>>(p, n);") ==
        "grid=(1,1,1) block=(*,1,1) arguments=(*,*)");
}

TEST_CASE("each instantiation has its launch", "[frontend]") {
  auto unit = test::parseText(
      "template <int N> __global__ void t(float *p) { p[N] = 0; }\n"
      "template <int N> void helper(float *p) { constexpr int b = N * 2; t<N><<<1, b>>>(p); }\n"
      "void host(float *p) { helper<32>(p); helper<64>(p); }\n"
      "template <int N> void unused(float *p) { t<N><<<9, 9>>>(p); }\n");
  REQUIRE(unit.errors.empty());
  REQUIRE(unit.launches.size() == 2);
  CHECK(unit.launches[0].kernel != unit.launches[1].kernel);
  CHECK(number(unit.launches[0].block[0]) == "64");
  CHECK(number(unit.launches[1].block[0]) == "128");
  CHECK(unit.launches[0].range.begin == Position{2, 67});
}
