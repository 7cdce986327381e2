// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect's text form. `roundtrip/*.mlir` hold modules as `print` writes them (after leading
// comment lines); `errors/*.mlir` hold one mistake each and say in `// expected-error:` what the
// parser or verifier answers. UPDATE=1 in the environment rewrites the round-trip files.
#include "analysis/ir/text.h"

#include "analysis/ir/dialect.h"
#include "tests/support/catch.h"

#include "mlir/IR/OwningOpRef.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

using namespace warpdrf;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files(const char *folder) {
  std::vector<fs::path> result;
  for (const auto &entry : fs::directory_iterator(test::sourceDir() / "tests/ir" / folder))
    if (entry.path().extension() == ".mlir")
      result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

/// The leading `//` lines of a file, and what follows them.
std::pair<std::string, std::string> splitComments(const std::string &text) {
  std::size_t at = 0;
  while (text.compare(at, 2, "//") == 0) {
    at = text.find('\n', at);
    if (at == std::string::npos)
      return {text, ""};
    ++at;
  }
  return {text.substr(0, at), text.substr(at)};
}

/// What printing `text` gives; fails the test if it does not parse.
std::string reprint(const std::string &text, bool locations) {
  auto context = ir::makeContext();
  std::string error;
  mlir::OwningOpRef<mlir::ModuleOp> module = ir::parse(text, *context, error);
  INFO(error);
  REQUIRE(module);
  return ir::print(*module, locations);
}

std::string expectedError(const std::string &text) {
  const std::string marker = "// expected-error: ";
  std::size_t at = text.find(marker);
  REQUIRE(at != std::string::npos);
  at += marker.size();
  return text.substr(at, text.find('\n', at) - at);
}

} // namespace

TEST_CASE("modules print as they were written") {
  for (const fs::path &file : files("roundtrip")) {
    DYNAMIC_SECTION(file.filename().string()) {
      auto [comments, text] = splitComments(test::readFile(file));
      std::string printed = reprint(text, /*locations=*/false);
      if (std::getenv("UPDATE"))
        std::ofstream(file) << comments << printed;
      else
        CHECK(printed == text);
      std::string located = reprint(text, /*locations=*/true);
      CHECK(reprint(located, /*locations=*/true) == located);
      CHECK(reprint(located, /*locations=*/false) == printed);
    }
  }
}

TEST_CASE("mistakes are named") {
  for (const fs::path &file : files("errors")) {
    DYNAMIC_SECTION(file.filename().string()) {
      std::string text = test::readFile(file), error;
      auto context = ir::makeContext();
      mlir::OwningOpRef<mlir::ModuleOp> module = ir::parse(text, *context, error);
      CHECK_FALSE(module);
      CHECK_THAT(error, ContainsSubstring(expectedError(text)));
    }
  }
}
