// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every source file promises: a licence line, a bearable size, nothing of the machine it was
// written on.
#include "tests/architecture/tree.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <iostream>

using namespace warpdrf::test;

namespace {

constexpr std::size_t mostLines = 600, manyLines = 400;
const std::string licence = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception";

const std::vector<SourceFile> &ours() {
  static const std::vector<SourceFile> files =
      sourceFiles({"protocol", "analysis", "server", "tests", "editors"},
                  {".h", ".cpp", ".td", ".def", ".ts", ".mjs"});
  return files;
}

} // namespace

TEST_CASE("the tree is where the tests look for it") {
  REQUIRE(ours().size() > 10);
}

TEST_CASE("every source file names its licence in its first lines") {
  std::vector<std::string> without;
  for (const SourceFile &file : ours()) {
    auto end = file.lines.begin() + std::min<std::size_t>(file.lines.size(), 3);
    if (std::none_of(file.lines.begin(), end, [](const std::string &line) {
          return line.find(licence) != std::string::npos;
        }))
      without.push_back(file.path);
  }
  CHECK(without == std::vector<std::string>{});
}

TEST_CASE("no source file is too long to read") {
  std::vector<std::string> tooLong;
  for (const SourceFile &file : ours()) {
    // The .td file is the dialect's reference and is read as one page; so are the bundled
    // declarations.
    if (endsWith(file.path, ".td") || startsWith(file.path, "analysis/frontend/include"))
      continue;
    if (file.lines.size() > mostLines)
      tooLong.push_back(file.path + " (" + std::to_string(file.lines.size()) + " lines)");
    else if (file.lines.size() > manyLines)
      std::cout << "long: " << file.path << " (" << file.lines.size() << " lines)\n";
  }
  CHECK(tooLong == std::vector<std::string>{});
}

TEST_CASE("no file names a home or work folder of the machine it was written on") {
  std::vector<std::string> found;
  for (const SourceFile &file : sourceFiles(
           {"protocol", "analysis", "server", "tests", "editors", "scripts", "docs", "samples"},
           {""})) {
    if (file.path == "tests/architecture/files.cpp")
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i)
      for (const char *place : {"/"
                                "work/",
                                "/"
                                "root/",
                                "/"
                                "home/"})
        if (file.lines[i].find(place) != std::string::npos)
          found.push_back(file.path + ":" + std::to_string(i + 1) + ": " + place);
  }
  CHECK(found == std::vector<std::string>{});
}
