// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results kept between runs: used as long as nothing that they rest on has changed, and not a run
// longer.
#include "server/cli/stored_results.h"
#include "tests/cli/run.h"

using namespace warpdrf;
using namespace warpdrf::test;

namespace fs = std::filesystem;

namespace {

/// The kernel has its barrier where BARRIER says so.
const char *const switched = "#include \"barrier.h\"\n"
                             "__global__ void reverse(int *d) {\n"
                             "  __shared__ int s[64];\n"
                             "  s[threadIdx.x] = d[threadIdx.x];\n"
                             "  BARRIER;\n"
                             "  d[threadIdx.x] = s[63 - threadIdx.x];\n"
                             "}\n"
                             "void go(int *d) { reverse<<<1, 64>>>(d); }\n";

std::vector<fs::path> entries() {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry &entry :
       fs::directory_iterator(Folder::place() / ".cache/warpdrf", error))
    found.push_back(entry.path());
  return found;
}

/// What a run says. The times that the kernels took are in it: two checks never have the same.
Json checked(const std::string &arguments) {
  Json root = Json::parse(run("check --format json --fail-on never " + arguments).text);
  root.erase("summary");
  return root;
}

bool isOk(const Json &root) {
  return root["files"][0]["kernels"][0]["verdict"] == "ok";
}

std::string content(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

} // namespace

TEST_CASE("stored: the second run says the same, and does not check again") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const Json first = checked(file);
  CHECK(entries().size() == 1);
  CHECK(checked(file) == first);
  const Output text = run("check " + file);
  CHECK_THAT(text.text, ContainsSubstring("[race]") && ContainsSubstring("1 violated"));
  CHECK(run("check " + file).text == text.text);
  CHECK(text.status == 1);
  CHECK(entries().size() == 1); // whatever becomes of the result
  CHECK(checked("--no-cache " + file) != first);
}

TEST_CASE("stored: the file, a header, an absent header") {
  Folder folder;
  folder.add("second/barrier.h", "#define BARRIER\n");
  const std::string file = folder.add("k.cu", switched);
  const std::string arguments = file + " -- -I" + (folder.path / "first").string() + " -I" +
                                (folder.path / "second").string();
  CHECK_FALSE(isOk(checked(arguments)));
  folder.add("second/barrier.h", "#define BARRIER __syncthreads()\n");
  CHECK(isOk(checked(arguments)));
  CHECK(checked(arguments) == checked(arguments));
  folder.add("k.cu", replaced(switched, "BARRIER;", ""));
  CHECK_FALSE(isOk(checked(arguments)));
  folder.add("k.cu", switched);
  CHECK(isOk(checked(arguments)));
  folder.add("first/barrier.h", "#define BARRIER\n"); // found first from now on
  CHECK_FALSE(isOk(checked(arguments)));
  fs::remove(folder.path / "first/barrier.h");
  CHECK(isOk(checked(arguments)));
}

TEST_CASE("stored: options, flags, the project's file, the command, the environment") {
  Folder folder;
  const std::string file = folder.add("k.cu", replaced(switched, "#include \"barrier.h\"\n", ""));
  const std::string with = "'-DBARRIER=__syncthreads()'", without = "-DBARRIER=";
  const std::string sound = file + " -- " + with, faulty = file + " -- " + without;
  CHECK(isOk(checked(sound)));
  CHECK_FALSE(isOk(checked(faulty)));
  auto rule = [&](const std::string &launch) {
    return checked("--launch '" + launch + "' " + faulty)["findings"][0]["rule"];
  };
  CHECK(rule("block=1 grid=1") == "uninitialized-shared");
  CHECK(rule("block=64 grid=1") == "race");
  CHECK(checked("--arch sm_90 " + sound)["files"][0]["arch"] == "sm_90");
  CHECK(checked("--kernel other " + sound)["files"][0]["kernels"].empty());

  folder.add(".warpdrf.json", R"({"flags": ["-DBARRIER="]})");
  CHECK_FALSE(isOk(checked(file)));
  folder.add(".warpdrf.json", R"x({"flags": ["-DBARRIER=__syncthreads()"]})x");
  CHECK(isOk(checked(file)));
  folder.add(".warpdrf.json", R"({"severity": {"race": "information"}})");
  CHECK(checked(faulty)["findings"][0]["severity"] == "information");
  fs::remove(folder.path / ".warpdrf.json");

  auto command = [&](const std::string &flag) {
    folder.add("compile_commands.json", R"([{"directory": ".", "file": "k.cu", "arguments":
        ["nvcc", "k.cu", ")" + flag + "\"]}]");
  };
  command("-DBARRIER=");
  CHECK_FALSE(isOk(checked(file)));
  command("-DBARRIER=__syncthreads()");
  CHECK(isOk(checked(file)));

  setenv("CPATH", (folder.path / "headers").c_str(), 1);
  folder.add("k.cu", switched);
  CHECK_FALSE(checked(file)["files"][0]["parse_errors"].size() == 0);
  folder.add("headers/barrier.h", "");
  CHECK(isOk(checked(file)));
  unsetenv("CPATH");
  CHECK_FALSE(checked(file)["files"][0]["parse_errors"].size() == 0);
}

TEST_CASE("stored: a damaged entry is replaced") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const Json first = checked(file);
  REQUIRE(entries().size() == 1);
  const fs::path entry = entries().front();
  const std::string whole = content(entry);
  for (const std::string &damaged :
       {std::string(), whole.substr(0, 20), whole.substr(0, whole.size() / 2), whole + "x",
        replaced(whole, "reverse", "Reverse"), "0\n" + whole, std::string(1000, '\n')}) {
    std::ofstream(entry, std::ios::binary) << damaged;
    const Json again = checked(file);
    CHECK(again != first);
    CHECK(again["findings"][0]["fingerprint"] == first["findings"][0]["fingerprint"]);
    CHECK(checked(file) == again); // it is whole again
  }
}

TEST_CASE("stored: nowhere to keep anything") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  CHECK(run("check --no-cache " + file).status == 1);
  CHECK(entries().empty());
  folder.add("occupied/warpdrf", "");
  const std::vector<std::string> places = {
      "XDG_CACHE_HOME=/proc/nowhere", "XDG_CACHE_HOME=relative HOME=", "XDG_CACHE_HOME= HOME=/proc",
      "XDG_CACHE_HOME=" + (folder.path / "occupied").string()};
  for (const std::string &place : places) {
    INFO(place);
    Output output =
        shell(place + " WARPDRF_NO_TOOLKIT=1 " + program().string() + " check " + file + " 2>&1");
    CHECK(output.status == 1);
    CHECK_THAT(output.text, ContainsSubstring("1 violated") && !ContainsSubstring("warpdrf:"));
  }
}

TEST_CASE("stored: an entry in a folder that cannot be written to is used") {
  if (geteuid() == 0)
    return skip("root may write everywhere");
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const Json first = checked(file);
  const fs::path cache = Folder::place() / ".cache/warpdrf";
  fs::permissions(cache, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK(checked(file) == first);
  folder.add("racy.cu", sound());
  CHECK(isOk(checked(file)));
  fs::permissions(cache, fs::perms::owner_all);
}

TEST_CASE("stored: nothing of a check that ran out of time, or of a file that cannot be read") {
  Folder folder;
  folder.add(".warpdrf.json", R"({"timeouts": {"kernel": 0.001, "file": 0.001}})");
  const std::string file = folder.add("racy.cu", racy);
  CHECK_THAT(checked(file)["files"][0]["kernels"][0]["reason"].get<std::string>(),
             ContainsSubstring("ran out"));
  CHECK(entries().empty());
  CHECK(run("check " + (folder.path / "absent.cu").string()).status == 2);
  CHECK(entries().empty());
}

TEST_CASE("stored: several runs at once") {
  Folder folder;
  const std::string file = folder.add("racy.cu", racy);
  const std::string one = "XDG_CACHE_HOME=" + (folder.path / ".cache").string() +
                          " WARPDRF_NO_TOOLKIT=1 " + program().string() + " check " + file;
  Output output = shell("for i in 1 2 3; do " + one + " > " + (folder.path / "out").string() +
                        "$i & done; wait; cd " + folder.path.string() +
                        " && grep -c '1 violated' out1 out2 out3");
  CHECK(output.text == "out1:1\nout2:1\nout3:1\n");
  CHECK(entries().size() == 1);
  CHECK(checked(file) == checked(file));
}

TEST_CASE("stored: what was not used for longest goes first") {
  Folder folder;
  setenv("XDG_CACHE_HOME", (folder.path / ".cache").c_str(), 1);
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 10; ++i) {
    folder.add(".cache/warpdrf/" + std::to_string(i), std::string(1000, 'x'));
    fs::last_write_time(folder.path / ".cache/warpdrf" / std::to_string(i),
                        now - std::chrono::hours(i));
  }
  CheckOptions options;
  cli::StoredResults stored(options, "");
  stored.trim(10000);
  CHECK(entries().size() == 10);
  stored.trim(9999);
  CHECK(entries().size() == 7); // three quarters
  CHECK(fs::exists(folder.path / ".cache/warpdrf/6"));
  CHECK_FALSE(fs::exists(folder.path / ".cache/warpdrf/7"));
  unsetenv("XDG_CACHE_HOME");
}
