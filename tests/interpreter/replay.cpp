// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding that the interpreter shows is confirmed.
#include "analysis/analysis.h"
#include "tests/support/catch.h"

using namespace warpdrf;

static Confidence confidenceOf(const std::string &body, const std::string &rule,
                               const CheckOptions &options = {}) {
  Checker checker;
  const FileReport report = checker.check(
      "replay.cu", "__global__ void k(int *out, const int *in, int n) {\n" + body + "\n}\n",
      options);
  for (const Finding &finding : report.findings)
    if (finding.rule == rule)
      return finding.confidence;
  FAIL("no " << rule);
  return Confidence::Possible;
}

TEST_CASE("what the interpreter shows is confirmed") {
  CHECK(confidenceOf("out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
  CHECK(confidenceOf("if (threadIdx.x < 16) __syncthreads();", "divergent-barrier") ==
        Confidence::Confirmed);
  // Threads that run one after the other hide the second store's race with itself.
  CHECK(confidenceOf("out[0] = 0; out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
  CHECK(confidenceOf("if (n == 12345) out[0] = threadIdx.x;", "race") == Confidence::Confirmed);
}

TEST_CASE("what is not replayed stays modelled") {
  CheckOptions options;
  options.replay = false;
  CHECK(confidenceOf("out[0] = threadIdx.x;", "race", options) == Confidence::Modelled);
  CHECK(confidenceOf("if (in[0] == 123456) out[0] = threadIdx.x;", "race") == Confidence::Modelled);
}
