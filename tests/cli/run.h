// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the program from outside, on files in a folder of the test's own.
#pragma once

#include "tests/support/catch.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace warpdrf::test {

using Json = nlohmann::json;

struct Output {
  std::string text; ///< standard output, and standard error if asked for
  int status = -1;
};

/// A line for the shell.
inline Output shell(const std::string &line) {
  Output output;
  FILE *pipe = popen(line.c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (std::size_t count = fread(buffer, 1, sizeof buffer, pipe))
    output.text.append(buffer, count);
  int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

/// A folder of its own with files for one test case.
struct Folder {
  std::filesystem::path path = place();
  static std::filesystem::path place() {
    return std::filesystem::temp_directory_path() / ("warpdrf-cli-" + std::to_string(getpid()));
  }
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string add(const std::string &name, const std::string &text) {
    std::filesystem::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
};

/// The program, without a toolkit, its results kept in the folder of the test case; after a minute
/// it is ended with status 124.
inline Output run(const std::string &arguments) {
  return shell("XDG_CACHE_HOME=" + (Folder::place() / ".cache").string() +
               " WARPDRF_NO_TOOLKIT=1 timeout 60 " + program().string() + " " + arguments);
}

inline const char *const racy = "__global__ void reverse(int *d) {\n"
                                "  __shared__ int s[64];\n"
                                "  s[threadIdx.x] = d[threadIdx.x];\n"
                                "  d[threadIdx.x] = s[63 - threadIdx.x];\n"
                                "}\n"
                                "void go(int *d) { reverse<<<1, 64>>>(d); }\n";

inline std::string replaced(std::string text, const std::string &what, const std::string &with) {
  std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

/// `racy` with its barrier.
inline std::string sound() {
  return replaced(racy, "];\n  d[", "];\n  __syncthreads();\n  d[");
}

} // namespace warpdrf::test
