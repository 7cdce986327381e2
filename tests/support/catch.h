// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2, whichever version the machine has (v2: one header, v3: several), and what our tests
// share.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Matchers::ContainsSubstring;
using Listener = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES // listeners
#include <catch2/catch.hpp>
using Listener = Catch::TestEventListenerBase;
inline auto ContainsSubstring(const std::string &text) {
  return Catch::Matchers::Contains(text);
}
#endif

#include <filesystem>
#include <string>

namespace warpdrf::test {

/// The repository's root: from WARPDRF_SOURCE_DIR, which CTest sets, else the current directory.
std::filesystem::path sourceDir();

/// The program under test: from WARPDRF_PROGRAM, else build/bin/warpdrf of the source directory.
std::filesystem::path program();

/// A whole file. A file that cannot be read fails the test.
std::string readFile(const std::filesystem::path &path);

/// Notes that the running test case cannot run here: prints SKIPPED, and the program exits with 77
/// if nothing failed, which CTest counts as skipped. Return from the test case after calling it.
void skip(const std::string &reason);

} // namespace warpdrf::test
