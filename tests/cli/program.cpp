// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program from outside: arguments in, exit status and output out. Toolkit or not, the answers
// are the same.
#include "tests/cli/run.h"

using namespace warpdrf;
using namespace warpdrf::test;

TEST_CASE("a race: exit status, text, fix") {
  Folder folder;
  std::string file = folder.add("racy.cu", racy);
  Output text = run("check " + file);
  CHECK(text.status == 1);
  CHECK_THAT(text.text, ContainsSubstring("[race]") && ContainsSubstring("^~") &&
                            ContainsSubstring("1 violated") &&
                            ContainsSubstring("fix: insert '__syncthreads();' before line 4"));
  CHECK(run("check --fail-on never " + file).status == 0);
}

TEST_CASE("a race as JSON, and the JSON is the same each time") {
  Folder folder;
  std::string file = folder.add("racy.cu", racy);
  Json root = Json::parse(run("check --format json " + file).text);
  REQUIRE(root["findings"].size() == 1);
  CHECK(root["findings"][0]["rule"] == "race");
  CHECK(root["findings"][0]["space"] == "shared");
  CHECK(root["findings"][0]["primary"]["file"] == file);
  REQUIRE(root["findings"][0]["fixes"].size() == 1);
  CHECK(root["files"][0]["kernels"][0]["launches"][0]["block"] == Json::parse("[64,1,1]"));
  Json again = Json::parse(run("check -j 2 --format json " + file).text);
  for (Json *json : {&root, &again}) {
    json->at("summary").erase("time_ms");
    for (Json &kernel : json->at("files")[0]["kernels"])
      kernel.erase("time_ms");
  }
  CHECK(root == again);
}

TEST_CASE("a sound kernel is ok") {
  Folder folder;
  Output text = run("check " + folder.add("sound.cu", sound()));
  CHECK(text.status == 0);
  CHECK(text.text == "  what is ok assumes: alone, launches seen, width\n"
                     "1 kernel in 1 file: 1 ok, 0 violated, 0 unproved, 0 unsupported\n");
}

TEST_CASE("suppressed findings") {
  Folder folder;
  std::string text = replaced(racy, "  d[threadIdx.x] = s",
                              "  // warpdrf: ignore race -- known\n"
                              "  d[threadIdx.x] = s");
  std::string file = folder.add("quiet.cu", text);
  Json root = Json::parse(run("check --format json " + file).text);
  CHECK(root["findings"][0]["suppressed"]["reason"] == "known");
  CHECK(root["summary"]["ok"] == 1);
  CHECK(run("check " + file).status == 0);
  CHECK(run("check --no-suppressions " + file).status == 1);
}

TEST_CASE("what cannot be checked does not hide the rest") {
  Folder folder;
  folder.add("broken.cu", "__global__ void k(int *d) { d[0] = nobody; }\n#include \"absent.h\"\n");
  folder.add("racy.cu", racy);
  Output json = run("check --format json " + folder.path.string());
  CHECK(json.status == 2);
  Json root = Json::parse(json.text);
  CHECK(root["files"].size() == 2);
  CHECK(root["files"][0]["parse_errors"].size() > 0);
  CHECK(root["findings"].size() == 1);
}

TEST_CASE("mistakes have messages") {
  for (const char *arguments : {"",
                                "chek",
                                "check",
                                "check --format xml f.cu",
                                "check --kernel '(' f.cu",
                                "check --launch block f.cu",
                                "explain",
                                "explain nonsense",
                                "check /nowhere/absent.cu",
                                "lower /nowhere/absent.cu",
                                "doctor",
                                "fuzz --seed x -o /tmp",
                                "fuzz --seed 1",
                                "raise --to basic f.mlir",
                                "raise --to cuda /nowhere/absent.mlir",
                                "conform --seeds 5..1",
                                "conform --seeds 1..2 --device nonsense",
                                "devices extra",
                                "run --block 0 f.cu",
                                "run /nowhere/absent.cu",
                                "fix /nowhere"}) {
    INFO(arguments);
    Output output = run(std::string(arguments) + " 2>&1");
    CHECK(output.status == 2);
    CHECK_FALSE(output.text.empty());
  }
}

TEST_CASE("no worker goes on when the program is ended") {
  Folder folder;
  for (int number = 0; number < 16; ++number)
    folder.add("k" + std::to_string(number) + ".cu", racy);
  const std::string check = "WARPDRF_NO_TOOLKIT=1 " + program().string() +
                            " check --no-cache -j 2 " + folder.path.string();
  const Output states = shell(check + " >/dev/null 2>&1 & parent=$!\n"
                                      "while [ -z \"$workers\" ] && kill -0 $parent; do\n"
                                      "  sleep 0.3; workers=$(cat /proc/$parent/task/*/children)\n"
                                      "done\n"
                                      "kill -KILL $parent; sleep 1\n"
                                      "for each in $workers; do\n"
                                      "  grep -v '^State:.*[ZX] ' /proc/$each/status | grep State\n"
                                      "done 2>/dev/null");
  CHECK(states.text == "");
}

TEST_CASE("annotations with mistakes are errors of the file") {
  Folder folder;
  std::string file =
      folder.add("typo.cu", replaced(sound(), "  d[", "  // warpdrf: ignore rcae\n  d["));
  Output output = run("check " + file);
  CHECK(output.status == 2);
  CHECK_THAT(output.text, ContainsSubstring("there is no rule 'rcae'"));
}

TEST_CASE("rules, explain, lower, doctor, help") {
  Folder folder;
  std::string file = folder.add("racy.cu", racy);
  CHECK_THAT(run("rules").text, ContainsSubstring("divergent-barrier"));
  CHECK_THAT(run("explain race").text, ContainsSubstring("## Faulty"));
  CHECK_THAT(run("lower --kernel reverse " + file).text, ContainsSubstring("warpdrf.func"));
  CHECK_THAT(run("doctor " + file).text, ContainsSubstring("sm_80") &&
                                             ContainsSubstring("bundled") &&
                                             ContainsSubstring("block=(64,1,1)"));
  CHECK(run("--help").status == 0);
  CHECK(run("check --help").status == 0);
}

TEST_CASE("a baseline: only new findings count") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const std::string baseline = (folder.path / "baseline.json").string();
  CHECK(run("check --write-baseline " + baseline + " " + file).status == 1);
  Output old = run("check --format json --baseline " + baseline + " " + file);
  CHECK(old.status == 0);
  Json root = Json::parse(old.text);
  CHECK(root["findings"][0]["suppressed"]["reason"] == "in the baseline");
  CHECK(root["summary"]["ok"] == 1);

  // Moved, and a new one beside it.
  std::string second = replaced(replaced(racy, "reverse(", "again("), "reverse<<<", "again<<<");
  folder.add("racy.cu", "\n\n" + std::string(racy) + replaced(second, "void go(", "void to("));
  root = Json::parse(run("check --format json --baseline " + baseline + " " + file).text);
  CHECK(root["summary"]["ok"] == 1);
  CHECK(root["summary"]["violated"] == 1);

  folder.add("racy.cu", sound());
  Output gone = run("check --baseline " + baseline + " " + file + " 2>&1");
  CHECK(gone.status == 0);
  CHECK_THAT(gone.text, ContainsSubstring("1 finding is not found any more"));
}

TEST_CASE("SARIF: a thread flow for each thread, and what could not be checked") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  Json sarif = Json::parse(run("check --format sarif " + file).text)["runs"][0];
  REQUIRE(sarif["results"].size() == 1);
  const Json &result = sarif["results"][0];
  CHECK(result["ruleId"] == "race");
  CHECK(sarif["tool"]["driver"]["rules"][result["ruleIndex"].get<int>()]["id"] == "race");
  CHECK(result["codeFlows"][0]["threadFlows"].size() == 2);
  CHECK(result["locations"][0]["physicalLocation"]["region"]["startLine"] == 3);
  CHECK(result["fixes"].size() == 1);
  CHECK(sarif["invocations"][0]["executionSuccessful"] == true);

  Output broken = run("check --format sarif " + folder.add("broken.cu", "#include \"absent.h\"\n"));
  CHECK(broken.status == 2);
  CHECK(Json::parse(broken.text)["runs"][0]["invocations"][0]["executionSuccessful"] == false);
}
