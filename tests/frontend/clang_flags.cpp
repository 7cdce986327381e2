// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/clang_flags.h"

#include "tests/frontend/workspace.h"

using namespace warpdrf;
using Words = std::vector<std::string>;

TEST_CASE("only what decides how the code reads is kept of Clang's flags", "[frontend]") {
  Words notes;
  frontend::ClangFlags flags = frontend::readClangFlags({"-x",
                                                         "cuda",
                                                         "--cuda-gpu-arch=sm_70",
                                                         "--offload-arch=sm_90a,sm_80",
                                                         "--cuda-path=/c",
                                                         "-c",
                                                         "a.cu",
                                                         "-o",
                                                         "a.o",
                                                         "-MD",
                                                         "-MF",
                                                         "a.d",
                                                         "-g",
                                                         "-O2",
                                                         "-DA",
                                                         "-Iinc",
                                                         "-isystem",
                                                         "sys",
                                                         "-std=c++20",
                                                         "-Wall",
                                                         "-Werror",
                                                         "-Wno-c++11-narrowing",
                                                         "-march=native",
                                                         "-mavx2",
                                                         "-fno-rtti",
                                                         "-fsanitize=address",
                                                         "--cuda-host-only",
                                                         "-save-temps"},
                                                        "/", notes);
  CHECK(flags.flags == Words{"-O2", "-D", "A", "-I", "inc", "-isystem", "sys", "-std=c++20",
                             "-Wno-c++11-narrowing", "-fno-rtti"});
  CHECK(flags.architectures == Words{"sm_70", "sm_90a", "sm_80"});
  CHECK(flags.toolkit == "/c");
  CHECK(notes.empty());
}

TEST_CASE("plugins and unknown flags are dropped and noted", "[frontend]") {
  Words notes;
  frontend::ClangFlags flags = frontend::readClangFlags(
      {"-fplugin=x.so", "-Xclang", "-load", "--no-such-flag", "-DA"}, "/", notes);
  CHECK(flags.flags == Words{"-D", "A"});
  CHECK(notes.size() == 3);
}

TEST_CASE("the newest architecture is looked at", "[frontend]") {
  Words notes;
  CHECK(frontend::chooseArchitecture({"sm_80", "compute_90", "sm_75"}, notes) == "sm_90");
  CHECK(frontend::chooseArchitecture({"sm_90a", "sm_90"}, notes) == "sm_90a");
  CHECK(frontend::chooseArchitecture({"sm_100f", "sm_100a", "sm_100"}, notes) == "sm_100a");
  CHECK(notes.empty());
  CHECK(frontend::chooseArchitecture({"native"}, notes) == std::nullopt);
  CHECK(frontend::chooseArchitecture({"sm_999", "sm_80"}, notes) == "sm_80");
  CHECK(notes.size() == 2);
}
