// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/render/example.h"

namespace warpdrf::test {

void addExampleSource(Sources &sources) {
  sources.set("reverse.cu", "__global__ void reverse(int *d) {\n"
                            "  __shared__ int s[64];\n"
                            "\ts[threadIdx.x] = d[threadIdx.x];\n"
                            "  d[threadIdx.x] = s[63 - threadIdx.x];\n"
                            "}\n");
}

static Finding race() {
  Finding finding;
  finding.rule = "race";
  finding.kernel = "reverse";
  finding.instantiations = {"reverse<float>", "reverse<int>"};
  finding.scope = Scope::Block;
  finding.space = Space::Shared;
  finding.object = "s";
  finding.message = "'s[63 - threadIdx.x]' is read while another thread may write it";
  finding.primary = {"reverse.cu", {4, 20}, {4, 39}};
  finding.related = {{Related::Role::Access, "the write", {"reverse.cu", {3, 2}, {3, 16}}}};
  finding.witness =
      Witness{{64, 1, 1},
              {1, 1, 1},
              {{{0, 0, 0}, {0, 0, 0}, 0, 0, "s[63]"}, {{0, 0, 0}, {63, 0, 0}, 31, 1, "s[63]"}},
              {{"n", "64"}}};
  finding.fixes = {{"insert '__syncthreads();' before line 4",
                    true,
                    {{{"reverse.cu", {4, 3}, {4, 3}}, "__syncthreads();\n  "}}}};
  finding.fingerprint = "00112233445566ff";
  return finding;
}

static KernelReport violated(const std::string &instantiation) {
  KernelReport kernel;
  kernel.name = "reverse";
  kernel.instantiation = instantiation;
  kernel.range = {"reverse.cu", {1, 17}, {1, 24}};
  kernel.verdict = kernel.memory = Verdict::Violated;
  kernel.reason = race().message;
  kernel.launches = {
      {{64, 1, 1}, {std::nullopt, 1, 1}, "launch at reverse.cu:9", Verdict::Violated}};
  kernel.assumptions = {"no alias"};
  kernel.primitives = 1;
  kernel.accesses = 4;
  kernel.irHash = "aa";
  kernel.timeMs = 1.5;
  return kernel;
}

static KernelReport unsupported() {
  KernelReport kernel;
  kernel.name = kernel.instantiation = "odd";
  kernel.range = {"reverse.cu", {7, 17}, {7, 20}};
  kernel.verdict = kernel.memory = kernel.participation = Verdict::Unsupported;
  kernel.portable = false;
  kernel.reason = "a function pointer is called at line 8";
  return kernel;
}

render::RunReport exampleRun() {
  FileReport good, bad;
  good.path = "reverse.cu";
  good.arch = "sm_80";
  good.commandSource = "default";
  good.kernels = {violated("reverse<float>"), violated("reverse<int>"), unsupported()};
  good.findings = {race()};
  bad.path = "broken.cu";
  bad.arch = "sm_80";
  bad.commandSource = "compile_commands.json";
  bad.parseErrors = {{{"broken.cu", {1, 1}, {1, 2}}, "unknown type name 'x'"}};
  return render::joinFiles({good, bad}, 12.5);
}

} // namespace warpdrf::test
