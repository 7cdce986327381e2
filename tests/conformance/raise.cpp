// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raise/raise.h"
#include "tests/support/catch.h"

using namespace warpdrf;
using namespace warpdrf::test;

namespace {

std::string raised(const std::string &body, const std::string &target = "glsl") {
  std::string error;
  const auto made = raise::raise("module {\n"
                                 "warpdrf.func @k(%out: !warpdrf.ptr) attributes {kernel, "
                                 "warpdrf.param_names = [\"out\"]} {\n" +
                                     body + "}\n}\n",
                                 "test.mlir", "", target, error);
  return made ? made->text.substr(made->text.find("void main")) : error;
}

const std::string thread = "%t = warpdrf.special tid_x\n%one = arith.constant 1 : i32\n";

} // namespace

TEST_CASE("the paper's figure 5 is raised") {
  std::string error;
  const auto made = raise::raise(readFile(sourceDir() / "tests/interpreter/kernels/figure-5.mlir"),
                                 "figure-5.mlir", "", "glsl", error);
  INFO(error);
  REQUIRE(made);
  CHECK_THAT(made->text, ContainsSubstring("for (; int(j) < int(trips); j = j + 1u) {\n"
                                           "      bool t0 = subgroupAny(i == j);\n"));
}

TEST_CASE("a value read from a variable is that of its time") {
  CHECK_THAT(raised(thread + "%v = warpdrf.var \"v\" : <i32>\n"
                             "warpdrf.set %v, %t : <i32>\n"
                             "%old = warpdrf.get %v : <i32>\n"
                             "warpdrf.set %v, %one : <i32>\n"
                             "warpdrf.write %out, %old : i32\n"),
             ContainsSubstring("uint v = threadIndex();\n"
                               "  uint t0 = v;\n"
                               "  v = 1u;\n"
                               "  out_[0u] = t0;\n"));
}

TEST_CASE("what cannot be raised is said, with its line") {
  CHECK_THAT(raised("%x = arith.constant 1.0 : f32\nwarpdrf.write %out, %x : f32\n"),
             ContainsSubstring("test.mlir:3: cannot be raised: floating-point numbers"));
  CHECK_THAT(raised(thread + "%m = warpdrf.primitive \"match\" match_any(%t) : (i32) -> i32\n"),
             ContainsSubstring("the primitive 'match_any'"));
  CHECK_THAT(raised("warpdrf.primitive \"sync\" syncwarp() : () -> ()\n", "hlsl"),
             ContainsSubstring("the primitive 'syncwarp'"));
  CHECK_THAT(raised(thread, "fortran"), ContainsSubstring("no language 'fortran'"));
}
