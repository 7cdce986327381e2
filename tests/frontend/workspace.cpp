// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/frontend/workspace.h"

#include <cstdlib>
#include <fstream>

namespace warpdrf::test {

Workspace::Workspace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "warpdrf-XXXXXX").string();
  REQUIRE(mkdtemp(pattern.data()) != nullptr);
  root = std::filesystem::canonical(pattern);
}

Workspace::~Workspace() {
  std::error_code ignored;
  std::filesystem::remove_all(root, ignored);
}

std::string Workspace::write(const std::string &name, const std::string &text) const {
  std::filesystem::create_directories((root / name).parent_path());
  std::ofstream(root / name) << text;
  return path(name);
}

frontend::CompileCommand commandOf(const std::string &path) {
  std::string error;
  frontend::CompileCommand command = frontend::findCommand(path, "", {}, std::nullopt, error);
  REQUIRE(error.empty());
  return command;
}

frontend::TranslationUnit parseText(const std::string &text) {
  std::string error;
  const std::string path = "test.cu";
  auto command = frontend::findCommand(path, "", {"-std=c++17"}, std::nullopt, error);
  return frontend::Frontend().lower(path, text, command);
}

} // namespace warpdrf::test
