// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a file's flags come from.
#include "tests/frontend/workspace.h"

#include <algorithm>

using namespace warpdrf;
using Words = std::vector<std::string>;

namespace {

bool has(const frontend::CompileCommand &command, const std::string &macro) {
  for (std::size_t i = 0; i + 1 < command.flags.size(); ++i)
    if (command.flags[i] == "-D" && command.flags[i + 1] == macro)
      return true;
  return false;
}

bool noted(const frontend::CompileCommand &command, const std::string &text) {
  return std::any_of(command.notes.begin(), command.notes.end(),
                     [&](const std::string &note) { return note.find(text) != std::string::npos; });
}

} // namespace

TEST_CASE("the search order of flags", "[frontend]") {
  test::Workspace workspace;
  const std::string file = workspace.write("src/a.cu", "");
  CHECK(test::commandOf(file).source == "default");
  CHECK(test::commandOf(file).arch == "sm_80");

  workspace.write(".warpdrf.json", R"({"flags": ["-DPROJECT"], "arch": "sm_75"})");
  CHECK(test::commandOf(file).source == ".warpdrf.json");
  CHECK(has(test::commandOf(file), "PROJECT"));
  CHECK(test::commandOf(file).arch == "sm_75");

  workspace.write(".clangd", "CompileFlags:\n  Add: [-DCLANGD]\n  Remove: -DGONE\n");
  CHECK(test::commandOf(file).source == ".clangd");
  CHECK(has(test::commandOf(file), "CLANGD"));

  workspace.write("compile_flags.txt", "-DFLAGS\n-DGONE\n");
  frontend::CompileCommand command = test::commandOf(file);
  CHECK(command.source == "compile_flags.txt");
  CHECK(command.directory + "/" == workspace.path(""));
  CHECK(has(command, "FLAGS"));
  CHECK(has(command, "CLANGD"));
  CHECK_FALSE(has(command, "GONE"));

  workspace.write("build/compile_commands.json",
                  R"([{"directory": ".", "file": "../src/a.cu",
                       "command": "ccache nvcc -gencode arch=compute_90,code=sm_90 -DDB -c a.cu"}])");
  command = test::commandOf(file);
  CHECK(command.source == "compile_commands.json");
  CHECK(has(command, "DB"));
  CHECK(command.arch == "sm_75"); // the project's file asks for it

  std::string error;
  command = frontend::findCommand(file, "", {"-DAFTER"}, "compute_86", error);
  CHECK(error.empty());
  CHECK(command.source == "after --");
  CHECK(has(command, "AFTER"));
  CHECK_FALSE(has(command, "CLANGD"));
  CHECK(command.arch == "sm_86");
}

TEST_CASE("a database given by name", "[frontend]") {
  test::Workspace workspace;
  const std::string file = workspace.write("a.cu", "");
  workspace.write("out/compile_commands.json",
                  R"([{"directory": "..", "file": "a.cu", "arguments": ["clang++", "-DDB"]}])");
  std::string error;
  auto command = frontend::findCommand(file, workspace.path("out"), {}, std::nullopt, error);
  CHECK(error.empty());
  CHECK(command.source == "compile_commands.json");
  CHECK(has(command, "DB"));

  frontend::findCommand(file, workspace.path("absent"), {}, std::nullopt, error);
  CHECK_THAT(error, ContainsSubstring("absent"));

  error.clear();
  workspace.write("out/compile_commands.json", "[{");
  command = frontend::findCommand(file, workspace.path("out"), {}, std::nullopt, error);
  CHECK_THAT(error, ContainsSubstring("not JSON"));
  CHECK(command.source == "default");
}

TEST_CASE("a header borrows a command", "[frontend]") {
  test::Workspace workspace;
  workspace.write("near/n.cu", "");
  workspace.write("far/user.cu", "#include <vector>\n  #  include \"../near/h.cuh\"\n");
  const std::string header = workspace.write("near/h.cuh", "");
  const std::string other = workspace.write("near/other.cuh", "");
  workspace.write("compile_commands.json", R"([
    {"directory": "near", "file": "n.cu", "command": "nvcc -DNEAR n.cu"},
    {"directory": "far", "file": "user.cu", "command": "nvcc -DUSER user.cu"}])");
  CHECK(has(test::commandOf(header), "USER"));
  CHECK(noted(test::commandOf(header), "includes this file"));
  CHECK(has(test::commandOf(other), "NEAR"));
  CHECK(noted(test::commandOf(other), "nearest"));
}

TEST_CASE(".clangd fragments have conditions", "[frontend]") {
  test::Workspace workspace;
  workspace.write(".clangd", "If:\n  PathMatch: [.*/a\\.cu]\nCompileFlags:\n  Add: -DA\n---\n"
                             "If:\n  PathExclude: src/.*\nCompileFlags:\n  Add: -DB\n");
  CHECK(has(test::commandOf(workspace.write("src/a.cu", "")), "A"));
  CHECK_FALSE(has(test::commandOf(workspace.path("src/a.cu")), "B"));
  CHECK(has(test::commandOf(workspace.write("b.cu", "")), "B"));
}

TEST_CASE("the include path of another toolkit is dropped", "[frontend]") {
  test::Workspace workspace;
  workspace.write("cuda/include/cuda_runtime.h", "");
  workspace.write("compile_flags.txt", "-I" + workspace.path("cuda/include") + "\n-Imine\n");
  auto command = test::commandOf(workspace.write("a.cu", ""));
  CHECK(command.flags == Words{"-I", "mine"});
  CHECK(noted(command, "another CUDA toolkit"));
}
