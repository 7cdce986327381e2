// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/json.h"

#include "tests/render/example.h"
#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

using namespace warpdrf;
using Json = nlohmann::ordered_json;

static Json publicJson(const render::RunReport &run) {
  return Json::parse(render::toJson(run, render::JsonDetail::Public));
}

TEST_CASE("the shape of the JSON") {
  Json root = publicJson(test::exampleRun());
  CHECK(root.begin().key() == "version");
  CHECK(root["version"] == 1);
  CHECK(root["summary"] == Json::parse(R"({"kernels":3, "ok":0, "violated":2, "unproved":0,
    "unsupported":1, "time_ms":12.5})"));
  CHECK(root["files"][1]["parse_errors"] == Json::parse(R"([{"message":"unknown type name 'x'",
    "file":"broken.cu", "line":1, "column":1, "end_line":1, "end_column":2}])"));
  CHECK(root["files"][0]["kernels"][0] == Json::parse(R"({"name":"reverse", "line":1,
    "instantiation":"reverse<float>", "verdict":"violated", "memory":"violated",
    "participation":"ok", "portable":true,
    "reason":"'s[63 - threadIdx.x]' is read while another thread may write it",
    "launches":[{"block":[64,1,1], "grid":[null,1,1], "source":"launch at reverse.cu:9",
      "verdict":"violated"}],
    "assumptions":["no alias"], "primitives":1, "accesses":4, "time_ms":1.5})"));
}

TEST_CASE("a finding in JSON") {
  Json finding = publicJson(test::exampleRun())["findings"][0];
  CHECK(finding == Json::parse(R"({"rule":"race", "severity":"error", "confidence":"modelled",
    "kernel":"reverse", "instantiations":["reverse<float>","reverse<int>"], "scope":"block",
    "space":"shared", "object":"s",
    "message":"'s[63 - threadIdx.x]' is read while another thread may write it",
    "primary":{"file":"reverse.cu","line":4,"column":20,"end_line":4,"end_column":39},
    "related":[{"role":"access","message":"the write","file":"reverse.cu","line":3,"column":2,
      "end_line":3,"end_column":16}],
    "witness":{"block":[64,1,1],"grid":[1,1,1],
      "threads":[{"block":[0,0,0],"thread":[0,0,0],"lane":0,"warp":0,"index":"s[63]"},
                 {"block":[0,0,0],"thread":[63,0,0],"lane":31,"warp":1,"index":"s[63]"}],
      "values":{"n":"64"}},
    "fixes":[{"title":"insert '__syncthreads();' before line 4","verified":true,
      "edits":[{"file":"reverse.cu","line":4,"column":3,"end_line":4,"end_column":3,
        "text":"__syncthreads();\n  "}]}],
    "suppressed":null, "fingerprint":"00112233445566ff"})"));
}

TEST_CASE("suppressions and absent values in JSON") {
  render::RunReport run = test::exampleRun();
  run.findings[0].suppressed = "known";
  run.findings[0].space.reset();
  run.findings[0].object.clear();
  run.findings[0].witness.reset();
  Json finding = publicJson(run)["findings"][0];
  CHECK(finding["suppressed"] == Json::parse(R"({"reason":"known"})"));
  CHECK(finding["space"].is_null());
  CHECK(finding["object"].is_null());
  CHECK(finding["witness"].is_null());
}

TEST_CASE("what a worker sends comes back the same") {
  render::RunReport run = test::exampleRun();
  run.findings[0].suppressed = "";
  std::string sent = render::toJson(run, render::JsonDetail::Wire);
  CHECK(std::ranges::count(sent, '\n') == 1);
  std::optional<render::RunReport> received = render::fromJson(sent);
  REQUIRE(received);
  CHECK(render::toJson(*received, render::JsonDetail::Wire) == sent);
}

TEST_CASE("what is no report is refused") {
  std::string sent = render::toJson(test::exampleRun(), render::JsonDetail::Wire);
  CHECK_FALSE(render::fromJson(""));
  CHECK_FALSE(render::fromJson("[]"));
  CHECK_FALSE(render::fromJson(sent.substr(0, sent.size() / 2)));
  Json root = Json::parse(sent);
  root["findings"][0]["severity"] = "fatal";
  CHECK_FALSE(render::fromJson(root.dump()));
}

TEST_CASE("bytes that are no UTF-8 do not stop the output") {
  render::RunReport run = test::exampleRun();
  run.findings[0].message = "caf\xe9";
  CHECK_NOTHROW(publicJson(run));
}
