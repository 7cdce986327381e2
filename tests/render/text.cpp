// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/text.h"

#include "server/render/snippet.h"
#include "tests/render/example.h"
#include "tests/support/catch.h"

using namespace warpdrf;

static const char *const expected =
    R"(broken.cu:1:1: error: unknown type name 'x'
reverse.cu:4:20: error: 's[63 - threadIdx.x]' is read while another thread may write it [race]
    4 |   d[threadIdx.x] = s[63 - threadIdx.x];
      |                    ^~~~~~~~~~~~~~~~~~~
reverse.cu:3:2: note: the write
    3 | 	s[threadIdx.x] = d[threadIdx.x];
      | 	^~~~~~~~~~~~~~
  example: block=(64,1,1) grid=(1,1,1), n = 64
    thread (0,0,0)   block (0,0,0)  warp 0   lane 0   s[63]
    thread (63,0,0)  block (0,0,0)  warp 1   lane 31  s[63]
  in reverse<float>, reverse<int>
  assuming: no alias
  fix: insert '__syncthreads();' before line 4 (checked: the finding is gone)

  unsupported: 'odd': a function pointer is called at line 8
3 kernels (2 distinct) in 2 files: 0 ok, 2 violated, 0 unproved, 1 unsupported; 1 file with errors
)";

TEST_CASE("a report as text") {
  Sources sources;
  test::addExampleSource(sources);
  CHECK(render::toText(test::exampleRun(), sources, {}) == expected);
}

TEST_CASE("suppressed findings are counted, not printed") {
  Sources sources;
  render::RunReport run = test::exampleRun();
  run.findings[0].suppressed = "known";
  std::string text = render::toText(run, sources, {});
  CHECK(text.find("[race]") == std::string::npos);
  CHECK_THAT(text, ContainsSubstring("1 finding suppressed"));
}

TEST_CASE("information takes one line") {
  Sources sources;
  test::addExampleSource(sources);
  render::RunReport run = test::exampleRun();
  run.files.clear();
  run.findings[0].severity = Severity::Information;
  std::string text = render::toText(run, sources, {});
  CHECK(text.starts_with("reverse.cu:4:20: info: "));
  CHECK(std::ranges::count(text, '\n') == 2);
}

TEST_CASE("colours only when asked for") {
  Sources sources;
  CHECK(render::toText(test::exampleRun(), sources, {}).find('\033') == std::string::npos);
  CHECK(render::toText(test::exampleRun(), sources, {true}).find('\033') != std::string::npos);
}

TEST_CASE("carets under what is meant") {
  Sources sources;
  sources.set("f.cu", "\tint \xc3\xa4 = b;\nlast");
  render::Paint plain;
  CHECK(render::snippet({"f.cu", {1, 11}, {1, 12}}, sources, plain) ==
        "    1 | \tint \xc3\xa4 = b;\n      | \t        ^\n");
  // A range over several lines marks the rest of its first one.
  CHECK(render::snippet({"f.cu", {1, 11}, {2, 3}}, sources, plain) ==
        "    1 | \tint \xc3\xa4 = b;\n      | \t        ^~\n");
  CHECK(render::snippet({"f.cu", {2, 9}, {2, 12}}, sources, plain) ==
        "    2 | last\n      |     ^\n");
  CHECK(render::snippet({"f.cu", {9, 1}, {9, 2}}, sources, plain).empty());
  CHECK(render::snippet({"absent.cu", {1, 1}, {1, 2}}, sources, plain).empty());
}
