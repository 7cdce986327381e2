// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated kernels use that stands outside of them: headers, records, device functions.
#include "analysis/fuzz/program.h"
#include "analysis/fuzz/words.h"

#include <array>
#include <sstream>
#include <utility>

namespace warpdrf::fuzz {

namespace {

/// By the words any of which asks for it.
constexpr std::array<std::pair<const char *, const char *>, 13> definitions = {{
    {"cooperative_groups",
     "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"},
    {"cuda", "#include <cuda/atomic>\n#include <cuda/pipeline>\n"},
    {"__pipeline_memcpy_async __pipeline_commit __pipeline_wait_prior",
     "#include <cuda_pipeline.h>\n"},
    {"Cell", R"(struct Cell {
  int key;
  short low, high;
  int value[2];
};
)"},
    {"meet", R"(template <bool OfBlock>
__device__ void meet() {
  if constexpr (OfBlock)
    __syncthreads();
  else
    __syncwarp();
}
)"},
    {"put", R"(template <int Distance, bool Barrier>
__device__ void put(int *to, int place, int value) {
  to[place * Distance] = value;
  if constexpr (Barrier)
    __syncthreads();
}
)"},
    {"sumOf", R"(template <int Width>
__device__ int sumOf(int value) {
#pragma unroll
  for (int d = Width / 2; d > 0; d /= 2)
    value += __shfl_xor_sync(~0u, value, d, Width);
  return value;
}
)"},
    {"addTo", R"(__device__ void addTo(int &place, int value) {
  place += value;
}
)"},
    {"swapWith", R"(__device__ void swapWith(int *place, int &value) {
  int old = *place;
  *place = value;
  value = old;
}
)"},
    {"largest", R"(template <typename T>
__device__ const T &largest(const T &a, const T &b) {
  return a < b ? b : a;
}
)"},
    {"forOwn", R"(template <typename Function>
__device__ void forOwn(int first, int step, int end, Function function) {
  for (int z = first; z < end; z += step)
    function(z);
}
)"},
    {"neighbour", R"(template <bool Last>
__device__ int neighbour(int value, int t) {
  __shared__ int box[1024];
  box[t] = value;
  __syncthreads();
  int result = box[t ^ 1];
  if constexpr (Last)
    __syncthreads();
  return result;
}
)"},
    {"bounded", R"(__device__ int bounded(int *place, int t, int end, int value) {
  if (t >= end)
    return 0;
  place[t] = value;
  __syncthreads();
  return place[end - 1 - t];
}
)"},
}};

bool mentionsAny(const std::string &text, const char *words) {
  std::istringstream stream(words);
  for (std::string word; stream >> word;)
    if (mentions(text, word))
      return true;
  return false;
}

} // namespace

std::string helpers(const std::string &kernels) {
  std::string result;
  for (const auto &[words, text] : definitions)
    if (mentionsAny(kernels, words))
      result += text;
  return result;
}

} // namespace warpdrf::fuzz
