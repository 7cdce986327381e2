// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a preamble and without, a file means the same.
#include "tests/frontend/workspace.h"

using namespace warpdrf;

namespace {

const char *header = "#pragma once\n"
                     "__global__ void plain(int *p) { p[0] = 1; }\n"
                     "template <int N> __global__ void sized(int *p) { p[0] = N; }\n"
                     "template <int N> void launch(int *p) { sized<N><<<1, N>>>(p); }\n"
                     "inline void all(int *p) { plain<<<1, 8>>>(p); launch<32>(p); }\n";

const char *source = "#include \"k.cuh\"\n"
                     "void host(int *p) { launch<64>(p); }\n";

std::vector<std::string> launchesOf(const frontend::TranslationUnit &unit) {
  std::vector<std::string> result;
  for (const frontend::Launch &launch : unit.launches)
    result.push_back(launch.kernel + " " + std::to_string(launch.block[0].value_or(0)));
  return result;
}

} // namespace

TEST_CASE("a preamble changes no result", "[frontend]") {
  test::Workspace workspace;
  workspace.write("k.cuh", header);
  const std::string file = workspace.write("a.cu", source);
  auto command = test::commandOf(file);
  frontend::Frontend frontend;
  auto direct = frontend.lower(file, std::nullopt, command);
  REQUIRE(direct.errors.empty());
  CHECK(direct.launches.size() == 3);
  auto built = frontend.lower(file, std::string(source), command);
  auto reused = frontend.lower(file, std::string(source) + "// more\n", command);
  CHECK(launchesOf(built) == launchesOf(direct));
  CHECK(launchesOf(reused) == launchesOf(direct));
}

TEST_CASE("a preamble is rebuilt when a header or the flags change", "[frontend]") {
  test::Workspace workspace;
  workspace.write("k.cuh", header);
  const std::string file = workspace.write("a.cu", source);
  auto command = test::commandOf(file);
  frontend::Frontend frontend;
  CHECK(frontend.lower(file, std::string(source), command).launches.size() == 3);

  workspace.write("k.cuh", std::string(header) + "inline void more(int *p) { launch<128>(p); }\n");
  CHECK(frontend.lower(file, std::string(source), command).launches.size() == 4);

  workspace.write("k.cuh", "#include \"absent.h\"\n#ifdef FLAG\n#error flag\n#endif\n" +
                               std::string(header));
  CHECK(frontend.lower(file, std::string(source), command).errors.size() == 1);
  CHECK(frontend.lower(file, std::string(source), command).errors.size() == 1); // kept with it
  command.flags.push_back("-DFLAG");
  CHECK(frontend.lower(file, std::string(source), command).errors.size() == 2);
}
