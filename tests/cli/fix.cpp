// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf fix`: prints or writes verified fixes, and says what is left.
#include "tests/cli/run.h"

#include <sstream>

using namespace warpdrf::test;

static std::string contents(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST_CASE("a diff that patch takes, and the file stays") {
  Folder folder;
  const std::string path = folder.add("reverse.cu", racy);
  Output diff = run("fix " + path + " 2>/dev/null");
  CHECK(diff.status == 0);
  CHECK(diff.text == "--- " + path + "\n+++ " + path +
                         "\n@@ -1,6 +1,7 @@\n"
                         " __global__ void reverse(int *d) {\n"
                         "   __shared__ int s[64];\n"
                         "   s[threadIdx.x] = d[threadIdx.x];\n"
                         "+  __syncthreads();\n"
                         "   d[threadIdx.x] = s[63 - threadIdx.x];\n"
                         " }\n"
                         " void go(int *d) { reverse<<<1, 64>>>(d); }\n");
  CHECK(contents(path) == racy);
  folder.add("fix.diff", diff.text);
  if (shell("command -v patch").status == 0) {
    CHECK(shell("patch -s -p0 -d / < " + (folder.path / "fix.diff").string()).status == 0);
    CHECK(contents(path) == sound());
  }
}

TEST_CASE("writing, and what was done on standard error") {
  Folder folder;
  const std::string path = folder.add("reverse.cu", racy);
  Output done = run("fix --write " + path + " 2>&1");
  CHECK(done.status == 0);
  CHECK(done.text == path + ":3: race: insert '__syncthreads();' before line 4\n");
  CHECK(contents(path) == sound());
  CHECK(run("fix " + path + " 2>&1").text.empty());
}

TEST_CASE("lines end as those of the file do") {
  Folder folder;
  const auto withReturns = [](std::string text) {
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
      text.insert(at, "\r");
    return text;
  };
  const std::string path = folder.add("reverse.cu", withReturns(racy));
  CHECK(run("fix --write " + path + " 2>/dev/null").status == 0);
  CHECK(contents(path) == withReturns(sound()));
}

TEST_CASE("several findings, one after the other") {
  Folder folder;
  const std::string second = replaced(racy, "reverse(int", "second(int");
  const std::string path = folder.add(
      "two.cu", racy + replaced(second, "void go(int *d) { reverse", "void goOn(int *d) { second"));
  const std::string what = ": race: insert '__syncthreads();' before line ";
  CHECK(run("fix " + path + " 2>&1 >/dev/null").text ==
        path + ":3" + what + "4\n" + path + ":9" + what + "10\n"); // of the file as it is
  CHECK(run("fix --write " + path + " 2>/dev/null").status == 0);
  CHECK(run("check --no-cache " + path).status == 0);
}

TEST_CASE("what has no fix is left and named") {
  Folder folder;
  const std::string path =
      folder.add("blocks.cu", "__global__ void shift(int *x, int n) {\n"
                              "  int i = blockIdx.x * 64 + threadIdx.x;\n"
                              "  x[i] = x[i + 1];\n"
                              "}\n"
                              "void go(int *x) { shift<<<8, 64>>>(x, 512); }\n");
  Output left = run("fix " + path + " 2>&1");
  CHECK(left.status == 1);
  CHECK(left.text.find("blocks.cu:3: race: no verified fix") != std::string::npos);
}

TEST_CASE("one rule only, hints when asked for") {
  Folder folder;
  const std::string path = folder.add("reverse.cu", racy);
  CHECK(run("fix --rule divergent-barrier " + path + " 2>&1").text.empty());
  const std::string spare = folder.add("spare.cu", "__global__ void scale(int *x) {\n"
                                                   "  x[threadIdx.x] *= 2;\n"
                                                   "  __syncthreads();\n"
                                                   "  x[threadIdx.x] += 1;\n"
                                                   "}\n"
                                                   "void go(int *x) { scale<<<1, 64>>>(x); }\n");
  CHECK(run("fix " + spare + " 2>&1").text.empty());
  CHECK(run("fix --rule redundant-barrier " + spare + " 2>/dev/null").text.find("-  __syncthr") !=
        std::string::npos);
  CHECK(run("fix --rule races " + spare + " 2>&1").status == 2);
  CHECK(run("fix --diff --write " + spare + " 2>&1").status == 2);
  CHECK(run("fix " + spare + " " + path + " 2>&1").status == 2);
  CHECK(run("fix " + (folder.path / "none.cu").string() + " 2>&1").status == 2);
}
