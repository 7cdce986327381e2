// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The witness of a confirmed finding is a command: `warpdrf run` with it shows the finding.
#include "tests/cli/run.h"

using namespace warpdrf::test;

/// The only finding of a rule in a file, from `check --format json`.
static Json finding(const std::string &file, const std::string &rule) {
  const Json root = Json::parse(run("check --no-cache --format json --fail-on never " + file).text);
  Json result;
  for (const Json &each : root.at("findings"))
    if (each.at("rule") == rule) {
      REQUIRE(result.is_null());
      result = each;
    }
  REQUIRE(!result.is_null());
  return result;
}

/// What the witness's command prints.
static Output replayed(const Json &finding) {
  const std::string command = finding.at("witness").at("run");
  REQUIRE(command.starts_with("warpdrf run "));
  return run(command.substr(8));
}

static void check(const std::string &name, const std::string &body, const std::string &rule,
                  const std::string &shown,
                  const std::string &parameters = "int *out, const int *in, int n") {
  static Folder folder;
  const std::string file =
      folder.add(name + ".cu", "__global__ void k(" + parameters + ") {\n" + body + "\n}\n");
  const Json found = finding(file, rule);
  INFO(found.dump(2));
  CHECK(found.at("confidence") == "confirmed");
  const Output output = replayed(found);
  INFO(output.text);
  CHECK(output.status == 1);
  CHECK_THAT(output.text, ContainsSubstring(shown));
}

TEST_CASE("a witness's command shows the finding") {
  check("store", "out[0] = threadIdx.x;", "race", "race on 'out[0]'");
  check("blocks", "if (threadIdx.x == 0) out[0] = blockIdx.x;", "race", "between blocks");
  check("scalar", "if (n == 12345) out[3] = threadIdx.x;", "race", "race on 'out[3]'");
  check("barrier", "if (threadIdx.x < 16) __syncthreads();", "divergent-barrier",
        "divergent-barrier");
  check("lane", "out[threadIdx.x] = __shfl_down_sync(0xffffu, in[threadIdx.x], 8) + n;",
        "mask-mismatch", "mask-mismatch");
}

TEST_CASE("a witness holds the contents that it takes") {
  check("content", "if (in[5] == 123456) out[0] = threadIdx.x;", "race", "race on 'out[0]'");
  check("loaded", "if (in[threadIdx.x] > n) out[7] = threadIdx.x;", "race", "race on 'out[7]'");
}

TEST_CASE("what is possible in the model and happens in a run is an error") {
  check("vote",
        "__shared__ int s[1024];\nif (__any_sync(~0u, in[threadIdx.x] < n)) {\n"
        "  s[threadIdx.x] = n;\n"
        "  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];\n}",
        "race", "race on 's[");
}

TEST_CASE("what a witness says of its threads is of these, the primary access's first") {
  static Folder folder;
  const std::string file = folder.add(
      "bins.cu", "// warpdrf: launch block=(64,1,1) grid=(1,1,1)\n"
                 "__global__ void k(int *out, const int *in, int n) {\n  __shared__ int bin[256];\n"
                 "  for (int i = threadIdx.x; i < 256; i += 64)\n    bin[i] = 0;\n"
                 "  for (int i = threadIdx.x; i < n; i += 64)\n    atomicAdd(&bin[in[i]], 1);\n"
                 "  __syncthreads();\n  out[threadIdx.x] = bin[threadIdx.x];\n}\n");
  const Json found = finding(file, "race"), &witness = found.at("witness");
  INFO(found.dump(2));
  CHECK(found.at("primary").at("line") == 7);
  CHECK(witness.at("values").contains("iteration of the loop at line 6 of the first thread"));
  CHECK(witness.at("values").contains("iteration of the loop at line 4 of the second thread"));
  const std::string cell = witness.at("threads").at(0).at("index");
  CHECK(witness.at("threads").at(1).at("index") == cell);
  CHECK_THAT(replayed(found).text, ContainsSubstring("race on '" + cell + "'"));
}

TEST_CASE("a seen launch that is too large runs with the blocks of the witness") {
  static Folder folder;
  const std::string file = folder.add(
      "large.cu", "__global__ void k(float *out) {\n  __shared__ float s[1024];\n"
                  "  s[threadIdx.x] = out[threadIdx.x];\n  out[threadIdx.x] = s[threadIdx.x ^ 1];\n"
                  "}\nvoid go(float *p) { k<<<4096, 1024>>>(p); }\n");
  const Json root = Json::parse(run("check --no-cache --format json --fail-on never " + file).text);
  bool ran = false;
  for (const Json &each : root.at("findings"))
    if (each.at("object") == "s") {
      CHECK(each.at("confidence") == "confirmed");
      CHECK(each.at("witness").at("grid") == Json{4096, 1, 1});
      const Output output = replayed(each);
      INFO(output.text);
      CHECK(output.status == 1);
      CHECK_THAT(output.text, ContainsSubstring("race on 's["));
      ran = true;
    }
  CHECK(ran);
}
