// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main function of every Catch2 test program.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

namespace warpdrf::test {
namespace {
bool skipped = false;

std::filesystem::path fromEnvironment(const char *name, const std::filesystem::path &otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? std::filesystem::path(value) : otherwise;
}
} // namespace

std::filesystem::path sourceDir() {
  return fromEnvironment("WARPDRF_SOURCE_DIR", std::filesystem::current_path());
}

std::filesystem::path program() {
  return fromEnvironment("WARPDRF_PROGRAM", sourceDir() / "build/bin/warpdrf");
}

std::string readFile(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  INFO("reading " << path);
  REQUIRE(stream.good());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void skip(const std::string &reason) {
  skipped = true;
  std::cout << "SKIPPED: " << reason << std::endl;
}

} // namespace warpdrf::test

int main(int argc, char **argv) {
  int result = Catch::Session().run(argc, argv);
  return result == 0 && warpdrf::test::skipped ? 77 : result;
}
