// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cannot be parsed gives a clear message, and what can is still looked at.
#include "tests/frontend/workspace.h"

using namespace warpdrf;

namespace {

frontend::TranslationUnit lowerFile(const std::string &path) {
  return frontend::Frontend().lower(path, std::nullopt, test::commandOf(path));
}

} // namespace

TEST_CASE("a missing include does not hide the rest", "[frontend]") {
  auto unit = test::parseText("#include \"absent.h\"\n"
                              "__global__ void good(int *p) { p[0] = 1; }\n"
                              "__global__ void bad(int *p) { p[0] = nobody; }\n"
                              "void host(int *p) { good<<<1, 2>>>(p); }\n");
  REQUIRE(unit.errors.size() == 2);
  CHECK_THAT(unit.errors[0].message, ContainsSubstring("absent.h"));
  CHECK(unit.errors[0].range.begin == Position{1, 10});
  CHECK(unit.errors[0].range.file == "test.cu");
  CHECK_THAT(unit.errors[1].message, ContainsSubstring("nobody"));
  CHECK(unit.errors[1].range.begin == Position{3, 38});
  REQUIRE(unit.launches.size() == 1);
  REQUIRE(unit.broken.size() == 1);
  CHECK(unit.broken[0].name == "bad");
}

TEST_CASE("files that cannot be read", "[frontend]") {
  test::Workspace workspace;
  auto absent = lowerFile(workspace.path("absent.cu"));
  REQUIRE(absent.errors.size() == 1);
  CHECK_THAT(absent.errors[0].message, ContainsSubstring("cannot read the file"));
  std::filesystem::create_directory(workspace.path("folder.cu"));
  CHECK(lowerFile(workspace.path("folder.cu")).errors.size() == 1);
}

TEST_CASE("files that are not CUDA", "[frontend]") {
  CHECK(test::parseText("").errors.empty());
  CHECK_FALSE(test::parseText("import os\ndef f(x):\n  return x\n").errors.empty());
  std::string bytes;
  for (unsigned i = 0; i < 4096; ++i)
    bytes += static_cast<char>(i * 167 % 256);
  auto binary = test::parseText(bytes);
  CHECK_FALSE(binary.errors.empty());
  CHECK(binary.errors.size() <= 101); // the rest is counted
}

TEST_CASE("deep nesting is survived", "[frontend]") {
  std::string sum = "__global__ void k(int *p, int n) { p[0] = n";
  for (int i = 0; i < 20000; ++i)
    sum += " + n";
  CHECK(test::parseText(sum + "; }\n").errors.empty());
  std::string parentheses = "__global__ void k(int *p) { p[0] = " + std::string(5000, '(');
  CHECK_FALSE(test::parseText(parentheses + "1; }\n").errors.empty());
}

TEST_CASE("a cancelled run comes back at once", "[frontend]") {
  std::string error;
  auto command = frontend::findCommand("test.cu", "", {}, std::nullopt, error);
  auto unit = frontend::Frontend().lower("test.cu", "__global__ void k() {}\n", command,
                                         [] { return true; });
  CHECK(unit.functions.empty());
}

TEST_CASE("a kernel that lost a statement to an error is not checked as if it had none",
          "[frontend]") {
  const std::string lost = "template <int N> __device__ void helper(int *p) { p[N] = nobody; }\n"
                           "__global__ void calls(int *p) { helper<1>(p); }\n"
                           "template <int N> __global__ void bad(int *p) {\n"
                           "  p[0] = nobody;\n"
                           "  p[N] = 1;\n"
                           "}\n"
                           "void host(int *p) { calls<<<1, 1>>>(p); bad<2><<<1, 32>>>(p); }\n";
  auto whole = test::parseText(lost);
  REQUIRE(whole.broken.size() == 1);
  CHECK(whole.broken[0].name == "bad");
  CHECK(whole.launches.size() == 1);

  // The same where the errors are in a header of the preamble.
  test::Workspace workspace;
  workspace.write("lost.cuh", lost);
  const std::string file = workspace.write("a.cu", "#include \"lost.cuh\"\n");
  auto behind = frontend::Frontend().lower(file, "#include \"lost.cuh\"\n", test::commandOf(file));
  CHECK(behind.errors.size() == whole.errors.size());
  REQUIRE(behind.broken.size() == 1);
  CHECK(behind.broken[0].name == "bad");
}
