// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/annotations.h"

#include "tests/support/catch.h"

using namespace warpdrf;

TEST_CASE("annotations are split and find their line", "[frontend]") {
  const std::string text = "// warpdrf: launch block=(64,1,1) grid=(*,1,1)\n"
                           "/// warpdrf: assume n > 0\n"
                           "\n"
                           "__global__ void k(int n) {\n"
                           "  x = 1; // warpdrf: ignore race, mask-mismatch -- all write 1\n"
                           "  // warpdrf: ignore unproved\n"
                           "  #pragma unroll\n"
                           "  for (;;) ;\n"
                           "  s = \"// warpdrf: pure\";\n"
                           "  // a remark on warpdrf: pure\n"
                           "}\n"
                           "// warpdrf: requires converged(warp)\n";
  auto found = frontend::findAnnotations("a.cu", text);
  REQUIRE(found.size() == 5);
  CHECK(found[0].keyword == "launch");
  CHECK(found[0].text == "block=(64,1,1) grid=(*,1,1)");
  CHECK(found[0].line == 4);
  CHECK(found[1].keyword == "assume");
  CHECK(found[1].text == "n > 0");
  CHECK(found[1].line == 4);
  CHECK(found[2].text == "race, mask-mismatch");
  CHECK(found[2].reason == "all write 1");
  CHECK(found[2].line == 5);
  CHECK(found[2].range == Range{"a.cu", {5, 10}, {5, 63}});
  CHECK(found[3].line == 8); // not the pragma
  CHECK(found[4].keyword == "requires");
  CHECK(found[4].line == 12); // nothing follows
}
