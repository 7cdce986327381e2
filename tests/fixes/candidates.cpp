// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fixes propose, before anything is checked: the text after each candidate. Whether it
// holds is tested by tests/fixtures/fixes.
#include "analysis/fixes/fixes.h"
#include "analysis/report/source.h"
#include "tests/support/catch.h"

using namespace warpdrf;

namespace {

/// The position of the first `$` in the text, which is taken out.
Position takeMark(std::string &text) {
  std::size_t at = text.find('$');
  REQUIRE(at != std::string::npos);
  std::size_t line = text.rfind('\n', at) + 1;
  Position position{static_cast<unsigned>(std::count(text.begin(), text.begin() + at, '\n')) + 1,
                    static_cast<unsigned>(at - line) + 1};
  text.erase(at, 1);
  return position;
}

/// All candidates for a finding at the first `$` (and an access at the second), as title and text.
std::map<std::string, std::string> proposals(Finding finding, std::string text) {
  const std::string path = "fix_test.cu";
  Position first = takeMark(text);
  finding.primary = {path, first, {first.line, first.column + 1}};
  if (text.find('$') != std::string::npos) {
    Position other = takeMark(text);
    finding.related.push_back(
        {Related::Role::Access, "", {path, other, {other.line, other.column + 1}}});
  }
  std::string error;
  frontend::Frontend frontend;
  frontend::TranslationUnit unit =
      frontend.lower(path, text, frontend::findCommand(path, "", {}, std::nullopt, error));
  std::map<std::string, std::string> result;
  for (const fixes::Candidate &candidate : fixes::candidates({finding, unit.functions, text, path}))
    result.emplace(candidate.title, applyEdits(text, candidate.edits));
  return result;
}

Finding race(Scope scope) {
  Finding finding;
  finding.rule = "race";
  finding.scope = scope;
  return finding;
}

Finding divergentBarrier() {
  Finding finding;
  finding.rule = "divergent-barrier";
  return finding;
}

} // namespace

TEST_CASE("a barrier between two accesses") {
  auto found = proposals(race(Scope::Block), "__global__ void k(int *s) {\n"
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
  auto found = proposals(race(Scope::Warp), text);
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
  auto found = proposals(race(Scope::Block), "__global__ void k(int *s) {\n"
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
  CHECK(proposals(race(Scope::Grid), "__global__ void k(int *s) {\n  $s[0] = 1;\n  $s[1] = 2;\n}\n")
            .empty());
}

TEST_CASE("a barrier at the end of a branch moves behind it") {
  auto found = proposals(divergentBarrier(), "__global__ void k(int *s) {\n"
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
  CHECK(proposals(divergentBarrier(), text)["split the 'if' around the barrier"] ==
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
  CHECK(proposals(divergentBarrier(), text).empty());
  text.replace(text.find("n = t - 1;"), 10, "s[t] = 1;");
  text.replace(text.find("t < n"), 5, "s[n] > 0");
  CHECK(proposals(divergentBarrier(), text).empty());
}

TEST_CASE("a branch with nothing else in it goes") {
  CHECK(proposals(divergentBarrier(), "__global__ void k(int n) {\n"
                                      "  if (threadIdx.x < n)\n"
                                      "    $__syncthreads();\n"
                                      "}\n")["hoist the barrier out of the branch"] ==
        "__global__ void k(int n) {\n"
        "  __syncthreads();\n"
        "}\n");
}

TEST_CASE("the barriers of both arms become one") {
  CHECK(proposals(divergentBarrier(),
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
  CHECK(proposals(divergentBarrier(), "__global__ void k(int *s) {\n"
                                      "  if (threadIdx.x < 9)\n"
                                      "    $__syncwarp(0x1ff);\n"
                                      "}\n")
            .empty());
}
