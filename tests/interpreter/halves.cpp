// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16 of CUDA are computed, each with its own rounding.
#include "tests/interpreter/support.h"

using namespace warpdrf;
using namespace warpdrf::interpreter;

/// What `body` leaves in `out`, as numbers. `h` holds 1, 2, 0.1, `b` the same as bfloat16.
static std::vector<double> results(const std::string &body) {
  const Program program =
      test::cuda("#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n"
                 "__global__ void k(float *out, half *h, __nv_bfloat16 *b, half2 *pair) {\n" +
                 body + "\n}\n");
  Array numbers;
  numbers.fill = Array::Fill::Values;
  numbers.values = {1, 2, 0.1};
  numbers.count = 3;
  Launch launch = test::launch(1);
  launch.arguments["out"] = test::zeros(2);
  launch.arguments["h"] = launch.arguments["b"] = numbers; // of what the parameters say
  launch.arguments["pair"] = test::iota(4, std::nullopt);
  const Execution execution = program.run(launch);
  INFO(body << "\n" << execution.message);
  REQUIRE(execution.finished());
  std::vector<double> values;
  for (const FinalArray &array : execution.memory)
    if (array.name == "out")
      for (std::size_t i = 0; i < array.bytes.size(); i += 4)
        values.push_back(std::stod(elementText(Element::F32, array.bytes.data() + i)));
  return values;
}

using Values = std::vector<double>;

TEST_CASE("half and bfloat16 round to their precision") {
  // 0.1 in 11 bits and in 8; three times that lies between two halves, and goes to the even one.
  CHECK(results("out[0] = __half2float(h[2]); out[1] = __bfloat162float(b[2]);") ==
        Values{0.099975586, 0.100097656});
  CHECK(results("out[0] = __half2float(__hadd(h[2], __hmul(h[1], h[2])));") ==
        Values{0.2998047, 0});
  CHECK(results("out[0] = __half2float(__float2half(2049.0f)); "
                "out[1] = __bfloat162float(__float2bfloat16(257.0f));") == Values{2048, 256});
  CHECK(results("out[0] = __half2float(__float2half(70000.0f)) > 65504.0f;") == Values{1, 0});
}

TEST_CASE("operators and conversions of the classes") {
  CHECK(results("half x = h[0]; x += h[1]; x = x * half(2.0f) - half(1); out[0] = x; "
                "out[1] = float(-x / h[1]);") == Values{5, -2.5});
  CHECK(results("__nv_bfloat16 x = b[1]; x *= b[1]; ++x; out[0] = float(x); out[1] = int(x);") ==
        Values{5, 5});
  CHECK(results("out[0] = h[0] < h[1]; out[1] = __hgt(h[0], h[1]) || h[0] == h[1];") ==
        Values{1, 0});
  CHECK(results("h[0] = 3.0f; out[0] = h[0]; out[1] = __half2int_rz(__float2half(-2.5f));") ==
        Values{3, -2});
}

TEST_CASE("pairs of halves") {
  // pair[1] is (2, 3).
  CHECK(results("float2 f = __half22float2(__hfma2(pair[1], pair[1], pair[1])); "
                "out[0] = f.x; out[1] = f.y;") == Values{6, 12});
  CHECK(results("half2 x = __floats2half2_rn(4.0f, 9.0f); "
                "out[0] = __low2float(h2sqrt(x)); out[1] = __high2float(x * x);") == Values{2, 81});
  CHECK(results("half2 x = __halves2half2(h[0], h[1]); out[0] = __low2float(x) + "
                "__half2float(__high2half(x)); out[1] = __low2float(__lowhigh2highlow(x));") ==
        Values{3, 2});
}

TEST_CASE("halves travel through shuffles and atomics") {
  const Program program = test::cuda("#include <cuda_fp16.h>\n__global__ void k(half *h) {\n"
                                     "  half v = __shfl_down_sync(~0u, h[threadIdx.x], 1);\n"
                                     "  h[threadIdx.x] = v;\n}\n");
  Launch launch = test::launch(32);
  launch.arguments["h"] = test::iota(32, std::nullopt);
  const Execution execution = program.run(launch);
  REQUIRE(execution.finished());
  CHECK(execution.memory[0].element == Element::F16);
  CHECK(elementText(Element::F16, execution.memory[0].bytes.data()) == "1");
  CHECK(elementText(Element::F16, execution.memory[0].bytes.data() + 60) == "31");
}
