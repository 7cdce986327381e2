// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/command/nvcc.h"

#include "tests/frontend/workspace.h"

using namespace warpdrf;
using Words = std::vector<std::string>;

namespace {

Words translate(const Words &arguments, const std::string &directory = "/") {
  Words notes;
  Words result = frontend::translateNvcc(arguments, directory, notes);
  CHECK(notes.empty());
  return result;
}

} // namespace

TEST_CASE("nvcc options become Clang's", "[frontend]") {
  struct Row {
    Words nvcc, clang;
  };
  const std::vector<Row> rows = {
      {{"-x", "cu", "a.cu", "-c", "-o", "a.o"}, {}},
      {{"-arch=sm_90"}, {"--offload-arch=sm_90"}},
      {{"-arch", "compute_80"}, {"--offload-arch=compute_80"}},
      {{"--gpu-architecture", "sm_75", "--gpu-code=sm_75"}, {"--offload-arch=sm_75"}},
      {{"-gencode", "arch=compute_90,code=[sm_90,compute_90]"}, {"--offload-arch=compute_90"}},
      {{"--generate-code=arch=compute_80,code=sm_80"}, {"--offload-arch=compute_80"}},
      {{"-code", "sm_90"}, {}},
      {{"-Xptxas", "-O3,-v", "-Xcudafe", "--diag_suppress=1", "-Xfatbin=-compress-all"}, {}},
      {{"-t", "4", "-t8", "--threads=2", "-O3", "-maxrregcount=64"}, {}},
      {{"-Xcompiler", "-fPIC,-DX=1\\,2"}, {"-fPIC", "-DX=1,2"}},
      {{"-Xcompiler=-fopenmp"}, {"-fopenmp"}},
      {{"--compiler-options", "-O2 -g -DY"}, {"-O2", "-g", "-DY"}},
      {{"-Xcompiler", "-DA,-DB -DC=\"x y\""}, {"-DA", "-DB", "-DC=x y"}},
      {{"-Ia,b", "-I", "c", "--include-path=d"}, {"-Ia", "-Ib", "-Ic", "-Id"}},
      {{"-isystem", "a,b"}, {"-isystem", "a", "-isystem", "b"}},
      {{"-DA=1,B", "-D", "C=2", "-UD"}, {"-DA=1", "-DB", "-DC=2", "-UD"}},
      {{"-include", "a.h"}, {"-include", "a.h"}},
      {{"-std=c++17"}, {"-std=c++17"}},
      {{"--std", "c++20"}, {"-std=c++20"}},
      {{"--expt-relaxed-constexpr"}, {"-D__CUDACC_RELAXED_CONSTEXPR__"}},
      {{"--extended-lambda", "-G"}, {"-D__CUDACC_EXTENDED_LAMBDA__", "-D__CUDACC_DEBUG__"}},
      {{"-rdc=true"}, {"-D__CUDACC_RDC__", "-fgpu-rdc"}},
      {{"-rdc=false", "--relocatable-device-code", "false"}, {}},
      {{"-dc"}, {"-D__CUDACC_RDC__", "-fgpu-rdc"}},
      {{"--default-stream", "per-thread"}, {"-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"}},
      {{"-default-stream=legacy", "--use_fast_math", "-ccbin", "g++-12", "-lineinfo"}, {}},
      {{"-forward-unknown-to-host-compiler", "-fvisibility=hidden", "-march=native"},
       {"-fvisibility=hidden", "-march=native"}},
      {{"-MD", "-MT", "a.o", "-MF", "a.d", "-Werror", "cross-execution-space-call"}, {}},
  };
  for (const Row &row : rows) {
    INFO(row.nvcc.front());
    CHECK(translate(row.nvcc) == row.clang);
  }
}

TEST_CASE("files of options are read", "[frontend]") {
  test::Workspace workspace;
  workspace.write("flags.rsp", "-Iinner \"-DNAME=a b\" --options-file more.rsp\n");
  workspace.write("more.rsp", "-DMORE");
  const std::string folder = workspace.path("");
  CHECK(translate({"--options-file", "flags.rsp"}, folder) ==
        Words{"-Iinner", "-DNAME=a b", "-DMORE"});
  CHECK(translate({"@more.rsp"}, folder) == Words{"-DMORE"});

  Words notes;
  CHECK(frontend::translateNvcc({"-optf=absent.rsp"}, folder, notes).empty());
  REQUIRE(notes.size() == 1);
  CHECK_THAT(notes[0], ContainsSubstring("absent.rsp"));

  workspace.write("circle.rsp", "-DC -optf circle.rsp");
  notes.clear();
  frontend::translateNvcc({"-optf", "circle.rsp"}, folder, notes);
  CHECK(notes.size() == 1);
}

TEST_CASE("nvcc is recognised", "[frontend]") {
  CHECK(frontend::isNvcc("/usr/local/cuda/bin/nvcc"));
  CHECK_FALSE(frontend::isNvcc("/usr/bin/clang++"));
  CHECK(frontend::looksLikeNvcc({"-gencode=arch=compute_80,code=sm_80"}));
  CHECK_FALSE(frontend::looksLikeNvcc({"-std=c++17", "--offload-arch=sm_80"}));
}
