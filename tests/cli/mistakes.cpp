// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bad input: each kind gets an error that says what to do, and the exit status 2.
#include "tests/cli/run.h"

#include <sys/stat.h>

using namespace warpdrf;
using namespace warpdrf::test;

static void refused(const std::string &arguments, const std::string &says) {
  INFO(arguments);
  Output output = run(arguments + " 2>&1");
  CHECK(output.status == 2);
  CHECK_THAT(output.text, ContainsSubstring(says));
}

TEST_CASE("only regular files are read") {
  Folder folder;
  const std::string pipe = (folder.path / "pipe.cu").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  for (const char *command : {"check", "lower", "doctor"}) {
    refused(std::string(command) + " /dev/zero", "a device; only regular files are read");
    refused(std::string(command) + " " + pipe, "a named pipe; only regular files are read");
  }
  refused("check -p " + pipe + " " + folder.add("a.cu", sound()), "a named pipe");
  refused("check " + folder.add("b.cu", "#include \"pipe.cu\"\n"), "pipe.cu");
  std::filesystem::create_symlink(folder.path / "a.cu", folder.path / "link.cu");
  CHECK(run("check " + (folder.path / "link.cu").string()).status == 0);
}

TEST_CASE("a folder or file that may not be read") {
  if (geteuid() == 0 && shell("setpriv --reuid=65534 --clear-groups true 2>/dev/null").status != 0)
    return skip("root may read everything, and setpriv is absent");
  Folder folder;
  folder.add("shut/a.cu", sound());
  const std::string file = folder.add("b.cu", sound());
  std::filesystem::permissions(folder.path / "shut", std::filesystem::perms::none);
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const std::string user = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
  for (const std::string &path : {(folder.path / "shut").string(), file}) {
    Output output = shell(user + program().string() + " check " + path + " 2>&1");
    CHECK(output.status == 2);
    CHECK_THAT(output.text, ContainsSubstring("ermission denied"));
  }
  std::filesystem::permissions(folder.path / "shut", std::filesystem::perms::owner_all);
}

TEST_CASE("options with values that mean nothing") {
  Folder folder;
  const std::string file = folder.add("a.cu", sound());
  refused("check --arch foo " + file, "there is no architecture 'foo'");
  refused("check --kernel nomatch " + file, "no kernel matches 'nomatch'; there are: reverse");
  refused("doctor --kernel nomatch " + file, "there are: reverse");
  refused("lower --kernel nomatch " + file, "there are: reverse");
  refused("check --launch 'block=(64,32,1)' " + file, "the block has 2048 threads");
  refused("check --launch 'block=(1,1,65)' " + file, "dimension z of the block is 65");
  refused("check --launch 'block=32 grid=(1,65536)' " + file, "dimension y of the grid");
  CHECK(run("check --launch 'block=(64,1,1) grid=1' --kernel rev " + file).status == 0);
}

TEST_CASE("baselines that are none") {
  Folder folder;
  const std::string file = folder.add("a.cu", sound());
  refused("check --format xml " + file, "expected text, json or sarif");
  refused("check --baseline /nowhere/none.json " + file, "--write-baseline makes one");
  const std::pair<const char *, const char *> cases[] = {
      {"", "not JSON from line 1"},
      {"{\"version\": 1,\n\"findings\": [\n{\"finger", "not JSON from line 3"},
      {"[]", "it has no version"},
      {"{\"version\": 2}", "its version is 2"},
      {"{\"version\": 1}", "no list of findings"},
      {"{\"version\": 1, \"findings\": [1]}", "has no fingerprint: 1"},
  };
  for (const auto &[text, says] : cases) {
    refused("check --baseline " + folder.add("b.json", text) + " " + file, says);
    refused("check --baseline " + (folder.path / "b.json").string() + " " + file,
            "make a new one with --write-baseline");
  }
}

TEST_CASE("mistakes in .warpdrf.json are shown in their place, and the check goes on") {
  struct Case {
    const char *text, *place, *says;
  };
  const Case cases[] = {
      {"{\n  \"arch\": \"sm_80\",\n", ":3:", "this is not JSON"},
      {"[]", ":1:1", "expected an object, got a list"},
      {"{\n  \"flag\": []\n}", ":2:3", "unknown key 'flag'; did you mean 'flags'?"},
      {"{\n  \"flags\": \"-DX\"\n}", ":2:12", "expected a list of strings, got a string"},
      {"{\"flags\": [\"-DX\", 3]}", ":1:19", "expected a string, got a number"},
      {"{\"arch\": \"foo\"}", ":1:10", "there is no architecture 'foo'"},
      {"{\"contract\": \"smt\"}", ":1:14", "expected 'cuda', 'smr' or 'fmr', got 'smt'"},
      {"{\"severity\": {\"rcae\": \"error\"}}", ":1:15", "there is no rule 'rcae'"},
      {"{\"severity\": {\"race\": \"bad\"}}", ":1:23", "expected 'error'"},
      {"{\"assumptions\": {\"layuot\": false}}", ":1:18", "did you mean 'layout'?"},
      {"{\"kernels\": {\"allow\": [\"(\"]}}", ":1:24", "not a regular expression"},
      {"{\"launch\": {\"k\": \"block=2048\"}}", ":1:18", "at most 1024"},
      {"{\"assume\": {\"k\": \"n +\"}}", ":1:18", "expected an expression"},
      {"{\"timeouts\": {\"kernel\": \"10\"}}", ":1:25", "expected a number of seconds"},
      {"{\"devices\": {}}", ":1:2", "not supported in this version"},
      {"{\"\\\"\\u00e4\\\\\": 1,\n \"flag\": 1}", ":2:2", "did you mean 'flags'?"},
  };
  for (const Case &one : cases) {
    INFO(one.text);
    Folder folder;
    folder.add(".warpdrf.json", one.text);
    const std::string file = folder.add("racy.cu", racy);
    Output output = run("check " + file);
    CHECK(output.status == 2);
    CHECK_THAT(output.text, ContainsSubstring(".warpdrf.json" + std::string(one.place)) &&
                                ContainsSubstring(one.says) && ContainsSubstring("[race]"));
  }
  Folder folder;
  folder.add(".warpdrf.json", std::string(1000000, '['));
  refused("check " + folder.add("a.cu", sound()), "nests too deeply");
}

TEST_CASE("a project's mistake is told once, however many files it has") {
  Folder folder;
  folder.add(".warpdrf.json", "{\"flag\": 1}");
  folder.add("a.cu", sound());
  folder.add("b.cu", sound());
  Output output = run("check " + folder.path.string());
  std::size_t first = output.text.find("unknown key");
  CHECK(first != std::string::npos);
  CHECK(output.text.find("unknown key", first + 1) == std::string::npos);
  Json root = Json::parse(run("check --format json " + folder.path.string()).text);
  CHECK(root["files"][1]["parse_errors"][0]["line"] == 1);
}

TEST_CASE("mistakes in compile_commands.json") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  auto with = [&](const std::string &entries) {
    folder.add("compile_commands.json", entries);
    return run("check " + file);
  };
  const std::string good = R"(, {"directory": ".", "file": "racy.cu", "command": "nvcc racy.cu"}])";
  for (const char *bad : {"[\n3", "[\n{\"file\": 1}", "[\n{\"file\": \"a\", \"arguments\": [1]}",
                          "[\n{\"file\": \"a\", \"command\": []}", "[\n{\"file\": \"a\"}"}) {
    INFO(bad);
    Output output = with(bad + good);
    CHECK(output.status == 2);
    CHECK_THAT(output.text,
               ContainsSubstring("compile_commands.json:2:") && ContainsSubstring("[race]"));
  }
  CHECK_THAT(with("{}").text, ContainsSubstring("expected a list of commands"));
  CHECK_THAT(with("[").text, ContainsSubstring("this is not JSON"));
  CHECK(with("[" + good.substr(1)).status == 1);
}

TEST_CASE("assumptions are listed, and contradictions prove nothing") {
  Folder folder;
  const std::string file =
      folder.add("a.cu", "__global__ void k(int *d, int n) {\n"
                         "  for (int i = threadIdx.x; i < n; i += blockDim.x) d[i] = i;\n}\n");
  auto kernel = [&](const std::string &options) {
    Json root = Json::parse(run("check --format json " + options + " " + file).text);
    return root["files"][0]["kernels"][0];
  };
  CHECK_THAT(kernel("--assume 'n > 4'")["assumptions"].dump(), ContainsSubstring("assume n > 4"));
  for (const char *options : {"--assume 'n > 4' --assume 'n < 3'", "--assume 'blockDim.x == 2048'",
                              "--launch 'block=64' --assume 'blockDim.x == 32'"}) {
    INFO(options);
    Json result = kernel(options);
    CHECK(result["verdict"] == "unproved");
    CHECK_THAT(result["reason"].get<std::string>(),
               ContainsSubstring("assumptions contradict each other"));
  }
}

TEST_CASE("a worker that somebody kills is started again") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  Output output = shell("WARPDRF_NO_TOOLKIT=1 " + program().string() + " check --no-cache " + file +
                        " & parent=$!\n"
                        "for i in $(seq 5000); do\n"
                        "  child=$(cat /proc/$parent/task/$parent/children)\n"
                        "  [ -n \"$child\" ] && kill -9 $child && break\n"
                        "done\n"
                        "wait $parent");
  CHECK(output.status == 1);
  CHECK_THAT(output.text, ContainsSubstring("[race]"));
}

TEST_CASE("who looks for a kernel in a file that kills the checker is told of that") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  Output output = shell("WARPDRF_NO_TOOLKIT=1 " + program().string() +
                        " check --no-cache --kernel reverse " + file +
                        " 2>&1 & parent=$!\n"
                        "for i in $(seq 20000); do\n"
                        "  kill -0 $parent || break\n"
                        "  child=$(cat /proc/$parent/task/$parent/children)\n"
                        "  [ -n \"$child\" ] && kill -9 $child\n"
                        "done 2>/dev/null\n"
                        "wait $parent");
  CHECK(output.status == 2);
  CHECK_THAT(output.text, ContainsSubstring("this file was not checked") &&
                              !ContainsSubstring("no kernel matches"));
  refused("check --kernel reverse /nowhere/absent.cu", "cannot read the file");
  CHECK_THAT(run("check --kernel reverse /nowhere/absent.cu 2>&1").text,
             !ContainsSubstring("no kernel"));
}

TEST_CASE("a file that is named twice is checked once") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const std::string again = (folder.path / "." / "racy.cu").string();
  CHECK_THAT(run("check " + file + " " + again + " " + folder.path.string()).text,
             ContainsSubstring("1 kernel in 1 file"));
}

TEST_CASE("a misspelled directive") {
  Folder folder;
  refused("check " + folder.add("a.cu", "// warpdrf: asume n % 32 == 0\n" + sound()),
          "a.cu:1:1: error: warpdrf: there is no directive 'asume'");
}

TEST_CASE("what is no CUDA, and an absent header") {
  Folder folder;
  refused("check " + folder.add("noise.cu", std::string("\0\xff\xfe\x80 \x01{{{", 9)),
          "noise.cu:1");
  refused("check " + folder.add("a.cu", "#include \"absent.h\"\n" + sound()),
          "'absent.h' file not found; is its folder among the flags (-I)?");
}
