// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rules/ holds what `warpdrf explain` prints. UPDATE=1 writes it anew.
#include "analysis/report/rules.h"
#include "tests/support/catch.h"

#include <cstdlib>
#include <fstream>
#include <set>

using namespace warpdrf;

TEST_CASE("the documentation of the rules is up to date") {
  namespace fs = std::filesystem;
  fs::path folder = test::sourceDir() / "docs/rules";
  bool update = std::getenv("UPDATE") != nullptr;
  std::set<std::string> expected;
  for (const Rule &rule : rules()) {
    fs::path page = folder / (std::string(rule.name) + ".md");
    expected.insert(page.filename().string());
    if (update)
      std::ofstream(page) << rulePage(rule);
    INFO("UPDATE=1 writes " << page);
    CHECK(test::readFile(page) == rulePage(rule));
  }
  for (const fs::directory_entry &entry : fs::directory_iterator(folder))
    CHECK(expected.contains(entry.path().filename().string()));
}
