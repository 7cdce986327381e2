// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/arguments.h"

#include "analysis/contract/launch_spec.h"
#include "server/cli/files.h"
#include "tests/support/catch.h"

#include <fstream>

using namespace warpdrf;
using namespace warpdrf::cli;

namespace {

/// A command's arguments, parsed.
struct Parsed {
  std::string name;
  unsigned jobs = 1;
  bool strict = false;
  std::vector<std::string> places, flags;
  int exitCode = -1; ///< set where the command should not go on

  explicit Parsed(const std::vector<std::string> &arguments) {
    Arguments parser("test", "A test.");
    parser.option("--name", "NAME", "a name", text(name));
    parser.option("-j", "N", "jobs", number(jobs, 1));
    parser.flag("--strict", "strictly", [&] { strict = true; });
    parser.positional(places);
    parser.rest(flags);
    parser.parse(arguments, exitCode);
  }
};

} // namespace

TEST_CASE("options, places, and what follows --") {
  Parsed parsed({"a.cu", "--name", "x", "-j4", "--strict", "b.cu", "--", "-I", "--strict"});
  CHECK(parsed.exitCode == -1);
  CHECK(parsed.name == "x");
  CHECK(parsed.jobs == 4);
  CHECK(parsed.strict);
  CHECK(parsed.places == std::vector<std::string>{"a.cu", "b.cu"});
  CHECK(parsed.flags == std::vector<std::string>{"-I", "--strict"});
  CHECK(Parsed({"--name=a=b"}).name == "a=b");
  CHECK(Parsed({"-"}).places == std::vector<std::string>{"-"});
}

TEST_CASE("bad arguments end with 2") {
  using Bad = std::vector<std::string>;
  for (const Bad &bad : {Bad{"--nam"}, {"--name"}, {"--strict=1"}, {"-j", "0"}, {"-jx"}, {"-x"}})
    CHECK(Parsed(bad).exitCode == 2);
  CHECK(Parsed({"--help"}).exitCode == 0);
}

TEST_CASE("launches are read") {
  std::string error;
  auto read = [&](const std::string &spec) { return contract::parseLaunchSpec(spec, error); };
  auto full = read("block=(256,2,1) grid=(*,1,1)");
  REQUIRE(full);
  CHECK(full->block == std::array<std::optional<std::int64_t>, 3>{256, 2, 1});
  CHECK(full->grid == std::array<std::optional<std::int64_t>, 3>{std::nullopt, 1, 1});
  auto brief = read("block = 64");
  REQUIRE(brief);
  CHECK(brief->block == std::array<std::optional<std::int64_t>, 3>{64, 1, 1});
  CHECK(brief->grid == std::array<std::optional<std::int64_t>, 3>{});
  for (const char *bad : {"", "block", "block=", "block=(1", "block=0", "block=(1,2,3,4)", "warp=3",
                          "block=(a,1,1)", "block=1 junk"}) {
    INFO(bad);
    error.clear();
    CHECK_FALSE(read(bad));
    CHECK_FALSE(error.empty());
  }
}

TEST_CASE("folders are searched for CUDA files") {
  namespace fs = std::filesystem;
  fs::path root = fs::temp_directory_path() / "warpdrf-cli-files";
  fs::remove_all(root);
  for (const char *folder : {"b", ".git", "empty"})
    fs::create_directories(root / folder);
  for (const char *file : {"z.cu", "b/a.cu", "b/a.cuh", "b/notes.txt", ".git/hidden.cu"})
    std::ofstream(root / file) << "\n";
  NamedFiles found = findFiles({root.string(), "given.cuh"});
  CHECK(found.files == std::vector<std::string>{(root / "b/a.cu").string(),
                                                (root / "z.cu").string(), "given.cuh"});
  CHECK(found.errors.empty());
  CHECK(findFiles({(root / "empty").string()}).errors.size() == 1);
  fs::remove_all(root);
}
