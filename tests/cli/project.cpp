// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What .warpdrf.json changes, and its schema.
#include "tests/cli/run.h"

#include <set>

using namespace warpdrf;
using namespace warpdrf::test;

TEST_CASE("the project's settings are followed, below the command line's") {
  Folder folder;
  const std::string file = folder.add("racy.cu", replaced(racy, "void go", "//"));
  auto check = [&](const std::string &project, const std::string &options = "") {
    folder.add(".warpdrf.json", project);
    Output output = run("check --format json " + options + " " + file);
    INFO(project);
    CHECK(output.status != 2);
    return Json::parse(output.text);
  };
  CHECK(check("{}")["findings"][0]["severity"] == "error");
  Json lowered = check(R"({"severity": {"race": "information"}})");
  CHECK(lowered["findings"][0]["severity"] == "information");
  CHECK(lowered["summary"]["violated"] == 0);
  CHECK(check(R"({"kernels": {"deny": ["rev"]}})")["summary"]["kernels"] == 0);
  CHECK(check(R"({"kernels": {"allow": ["rev"]}})")["summary"]["kernels"] == 1);
  CHECK(check(R"({"kernels": {"deny": ["rev"]}})", "--kernel reverse")["summary"]["kernels"] == 1);
  Json launched = check(R"({"launch": {"reverse": ["block=32", "block=64"]}})");
  CHECK(launched["files"][0]["kernels"][0]["launches"].size() == 2);
  CHECK(launched["files"][0]["kernels"][0]["launches"][0]["block"] == Json::parse("[32,1,1]"));
  Json assumed = check(R"({"assume": {"reverse": "blockDim.x <= 64"}})");
  CHECK_THAT(assumed["files"][0]["kernels"][0]["assumptions"].dump(),
             ContainsSubstring("assume blockDim.x <= 64"));
}

TEST_CASE("a file whose time is up has a verdict for each kernel, and says why") {
  Folder folder;
  const std::string file =
      folder.add("two.cu", replaced(racy, "void go", "//") + replaced(sound(), "reverse", "other"));
  folder.add(".warpdrf.json", R"({"timeouts": {"file": 0.001}})"); // parsing takes longer
  Output output = run("check --format json " + file);
  CHECK(output.status == 0);
  Json kernels = Json::parse(output.text)["files"][0]["kernels"];
  CHECK(kernels.size() == 2);
  for (const Json &kernel : kernels) {
    CHECK(kernel["verdict"] == "unproved");
    CHECK(kernel["reason"] == "unproved: the budget of 0.001 s for this file ran out");
  }
  CHECK(run("check --fail-on-incomplete " + file).status == 1);
  CHECK(run("check --timeout-per-file 60 " + file).status == 1); // and finds the race
}

TEST_CASE("contract and masks") {
  Folder folder;
  const std::string file = folder.add(
      "half.cu", "__global__ void half(int *d) {\n"
                 "  if (threadIdx.x % 32 < 16)\n"
                 "    d[threadIdx.x] = __shfl_xor_sync(0x0000ffff, d[threadIdx.x], 1);\n}\n");
  CHECK(run("check --launch 'block=64 grid=1' " + file).status == 0);
  folder.add(".warpdrf.json", R"({"masks": "strict"})");
  CHECK(run("check --fail-on warning --launch 'block=64 grid=1' " + file).status == 1);
}

TEST_CASE("the schema has the keys that the program knows") {
  Json schema = Json::parse(std::ifstream(sourceDir() / "docs/warpdrf.schema.json"));
  std::set<std::string> keys;
  for (const auto &[key, value] : schema["properties"].items())
    keys.insert(key);
  Folder folder;
  const std::string file = folder.add("a.cu", sound());
  Json all = {{"$schema", "x"},
              {"flags", {"-DX"}},
              {"arch", "sm_80"},
              {"toolkit", "none"},
              {"contract", "cuda"},
              {"masks", "documented"},
              {"severity", {{"race", "error"}}},
              {"assumptions", {{"layout", true}, {"extents", true}, {"whole warps", true}}},
              {"kernels", {{"allow", {"."}}, {"deny", Json::array()}}},
              {"launch", {{"reverse", "block=64 grid=1"}}},
              {"assume", {{"reverse", {"blockDim.x == 64"}}}},
              {"timeouts", {{"kernel", 5}, {"query", 0.5}, {"file", 60}}}};
  folder.add(".warpdrf.json", all.dump());
  CHECK(run("check " + file).status == 0);
  for (const auto &[key, value] : all.items())
    keys.erase(key);
  CHECK(keys.empty());
  CHECK(schema["properties"].size() == all.size());
}
