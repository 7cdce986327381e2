// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How kernels share arrays: reductions, buffers, tiles, views of another type, pointers that walk.
// Each synchronisation is left out now and then.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Block Generator::treeReduction() {
  Block body{If{"t < d", {Line{"s[t] += s[t + d];"}}}};
  maybe(body, "__syncthreads();");
  Block all{Line{"s[t] = v;"}};
  maybe(all, "__syncthreads();");
  all.push_back({"for (int d = $0; d > 0; d >>= 1) {",
                 {integer({"D / 2", "D / 2", "32", "16"})},
                 {{"", std::move(body)}}});
  all.push_back(Line{"v = s[0];"});
  maybe(all, "__syncthreads();");
  return all;
}

/// The distance grows: neighbours first.
Block Generator::growingReduction() {
  Statement fold =
      chance(50)
          ? If{Expression{Type::Condition, "t % (2 * d) == 0$0", {integer({"", " && t + d < D"})}},
               {Line{"s[t] += s[t + d];"}}}
          : If{oneOf({"2 * d * t + d < D", "2 * d * t < D", "t < D / (2 * d)"}),
               {Line{"s[2 * d * t] += s[2 * d * t + d];"}}};
  Block body{std::move(fold)};
  maybe(body, "__syncthreads();");
  Block all{Line{"s[t] = v;"}};
  maybe(all, "__syncthreads();");
  all.push_back({"for (int d = 1; d < $0; d *= 2) {",
                 {integer({"D", "D", "n", "32"})},
                 {{"", std::move(body)}}});
  all.push_back(Line{"v = s[0];"});
  maybe(all, "__syncthreads();");
  return all;
}

/// The last steps of a reduction as one warp used to do them, without barriers or with.
Block Generator::volatileReduction() {
  Block steps;
  for (const char *step : {"16", "8", "4", "2", "1"}) {
    steps.push_back(Line{"((volatile int *)s)[t] += ((volatile int *)s)[t + $0];",
                         {{Type::Integer, step, {}}}});
    if (chance(50))
      steps.push_back(Line{"__syncwarp();"});
  }
  Block all{Line{"s[t] = v;"}};
  maybe(all, "__syncthreads();");
  if (chance(50))
    steps.insert(steps.begin(), Line{"((volatile int *)s)[t] += ((volatile int *)s)[t + 32];"});
  all.push_back(If{oneOf({"t < 32", "w == 0", "t < 16"}), std::move(steps)});
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[0];"});
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::doubleBuffer() {
  Block body{Line{"s[cur * 2048 + t] = v;"}};
  maybe(body, "__syncthreads();");
  body.push_back(Line{"v += s[cur * 2048 + $0];", {sharedIndex()}});
  if (chance(80))
    body.push_back(Line{"cur ^= 1;"});
  return {{"for (int k = 0; k < $0; ++k) {", {tripCount()}, {{"", std::move(body)}}}};
}

/// Both halves are full already: which one is overwritten first shows.
Block Generator::warmBuffer() {
  Block all{Line{"s[t] = v;"}, Line{"s[2048 + t] = v;"}};
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[$0 + (t ^ 1)];", {integer({"0", "2048", "2048"})}});
  append(all, doubleBuffer());
  return all;
}

Block Generator::broadcastSlot() {
  Block body{If{oneOf({"t == 0", "lane == 0", "t == D - 1"}),
                {Line{"s[$0] = in[k];", {integer({"0", "w"})}}}}};
  maybe(body, "__syncthreads();");
  body.push_back(Line{"v += s[$0];", {integer({"0", "w"})}});
  maybe(body, "__syncthreads();");
  return {{"for (int k = 0; k < $0; ++k) {", {tripCount()}, {{"", std::move(body)}}}};
}

Block Generator::neighbours() {
  Block all{Line{"s[t] = v;"}};
  maybe(all, "__syncwarp();");
  all.push_back(Line{oneOf({"v += s[t ^ 1];", "v += s[t ^ 16];", "v += s[w * 32 + (t + 1) % 32];",
                            "v += s[t + 1];", "v += s[t ^ 32];"})});
  maybe(all, "__syncwarp();");
  return all;
}

Block Generator::gridStride() {
  return {{"for (int k = b * D + t; k < n; k += $0) {",
           {integer({"D * gridDim.x", "D * gridDim.x", "D", "32"})},
           {{"", {Line{oneOf({"g[k] = in[k];", "g[k] += v;", "h[k + 1] = h[k];"})}}}}}};
}

/// One array as elements of several sizes.
Block Generator::views() {
  Block all{Line{oneOf({"((long long *)s)[$0] = v;", "((short *)s)[$0] = v;",
                        "((char *)s)[$0] = v;", "s[$0] = v;"}),
                 {integer({"t", "t", "t * 2", "t + D", "t * 4"})}}};
  if (chance(50))
    maybe(all, "__syncthreads();");
  all.push_back(Line{oneOf({"v += s[$0];", "v += s[$0];", "v += ((char *)s)[$0];",
                            "v += ((long long *)s)[$0];", "((short *)s)[$0] = v;"}),
                     {integer({"t", "t * 2", "t * 2 + 1", "t + 2 * D", "t * 4 + 3", "t / 2"})}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Indices that wrap around.
Block Generator::narrowIndex() {
  Block all{Line{oneOf({"s[(unsigned char)($0)] = v;", "s[(unsigned short)($0) & 4095] = v;",
                        "s[(($0) & 0xff) + b] = v;"}),
                 {integer({"t", "t * 2", "t * 3", "t * 4", "t * 512", "t + 200", "t << 10"})}}};
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[$0];", {sharedIndex()}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Elements of two sizes that share some of their bytes, or none by a hair.
Block Generator::overlappingViews() {
  static constexpr std::pair<const char *, const char *> pairs[] = {
      {"((long long *)s)[t] = v;", "v += s[t * 2 + 1];"},
      {"((long long *)s)[t] = v;", "v += s[(t ^ 1) * 2 + 1];"},
      {"((short *)s)[t * 2] = v;", "v += ((short *)s)[(t ^ 1) * 2 + 1];"},
      {"((short *)s)[t * 2 + 1] = v;", "v += s[t ^ 1];"},
      {"((char *)s)[t * 4 + 3] = v;", "v += s[t ^ 1];"},
      {"s[t] = v;", "v += ((char *)s)[(t ^ 1) * 4 + 2];"},
  };
  const auto &[write, read] = pairs[below(std::size(pairs))];
  Block all{Line{write}};
  if (chance(40))
    all.push_back(Line{"__syncthreads();"});
  all.push_back(Line{read});
  maybe(all, "__syncthreads();");
  return all;
}

/// A pointer into the one or the other of two arrays, which all threads agree on.
Block Generator::eitherArray() {
  Block all{Line{"p = $0;", {integer({"n > 4 ? s : u", "n > 4 ? u : s", "b % 2 ? s : u"})}},
            Line{"p[$0] = v;", {ownIndex()}}};
  if (chance(50))
    all.push_back(Line{"__syncthreads();"});
  all.push_back(Line{oneOf({"v += s[$0];", "v += u[$0];"}), {sharedIndex()}});
  maybe(all, "__syncthreads();");
  return all;
}

/// A pointer that is moved more than once, or that may point to two arrays.
Block Generator::pointerWalk() {
  Block all{Line{
      "p = $0;",
      {integer({"s + t", "s + 32 * w", "s + D", "u + t", "n > 4 ? s : u", "b == 0 ? u : s + t"})}}};
  if (chance(60))
    all.push_back(Line{"p += $0;", {integer({"D", "lane", "1", "t"})}});
  Block body{Line{oneOf({"*p = v;", "p[t] = v;", "p[lane] = v;"})}};
  if (chance(50)) {
    body.push_back(Line{"p += $0;", {integer({"D", "64", "1"})}});
    body = {{"for (int k = 0; k < $0; ++k) {", {numberBetween(2, 3)}, {{"", std::move(body)}}}};
  }
  append(all, std::move(body));
  if (chance(60))
    all.push_back(Line{"__syncthreads();"});
  all.push_back(Line{oneOf({"v += s[$0];", "v += u[$0];"}), {sharedIndex()}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Rows and columns of a block, or of the launch.
Block Generator::matrix() {
  Block all{Line{
      oneOf({"s[threadIdx.y * 33 + threadIdx.x] = v;", "s[threadIdx.x * 17 + threadIdx.y] = v;",
             "s[threadIdx.x * blockDim.y + threadIdx.y] = v;", "s[threadIdx.x] = v;",
             "g[t * gridDim.x + b] = v;", "g[t + b * gridDim.x] = v;",
             "g[b * D + t * gridDim.x] = v;", "g[(b * 2 + threadIdx.y) * D + t] = v;"})}};
  maybe(all, "__syncthreads();");
  all.push_back(
      Line{oneOf({"v += s[threadIdx.x * 33 + threadIdx.y];", "v += s[threadIdx.x];",
                  "v += s[threadIdx.y * 33 + threadIdx.x];", "v += g[t * gridDim.x + b];"})});
  maybe(all, "__syncthreads();");
  return all;
}

/// Places that another array says.
Block Generator::scatter() {
  Block all{Line{oneOf({"g[in[b * D + t]] = v;", "h[in[b * D + t] + 256] = v;", "s[in[t]] = v;",
                        "g[in[b * D + t]] += v;", "h[in[t / 2]] = v;"})}};
  if (chance(30))
    all.push_back(Line{"v += s[$0];", {sharedIndex()}});
  return all;
}

/// Cells that hold their own numbers, or one number, and perhaps others in between. No cell is read
/// that nobody has written: what it holds is no matter of rules, and a finding of its own only
/// where the size of the block is known.
Block Generator::keptPlaces() {
  const std::string rule = oneOf(
      {"u[t] = t;", "u[t] = t;", "u[t] = t;", "u[t] = 5;", "u[t] = t + 2;", "u[D - 1 - t] = t;"});
  Block all{Line{rule}};
  maybe(all, "__syncthreads();");
  if (chance(60)) {
    Block between{Line{oneOf({"u[t] = in[t] & 63;", "u[t] = t ^ 1;", "u[t] = 5;", "u[t + 1] = 3;",
                              "atomicAdd(&u[t], 1);"})}};
    maybe(between, "__syncthreads();");
    if (chance(30))
      between = {{"for (int k = 0; k < $0; ++k) {", {tripCount()}, {{"", std::move(between)}}}};
    if (chance(60)) { // undone
      between.push_back(Line{rule});
      maybe(between, "__syncthreads();");
    }
    if (chance(70))
      between = {If{chance(70) ? uniformCondition() : condition(), std::move(between)}};
    append(all, std::move(between));
  }
  if (chance(20)) {
    all.push_back(If{"t >= D - 2", {Line{"u[t] = 1;"}, Line{"return;"}}});
    maybe(all, "__syncthreads();");
  }
  all.push_back(Line{oneOf({"s[u[D - 1 - t]] = v;", "h[b * 64 + u[t]] = v;", "s[u[t ^ 1]] = t;",
                            "s[u[t]] = 7;", "if (u[t ^ 1] == t) s[t] = v;"})});
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[$0];", {sharedIndex()}});
  return all;
}

} // namespace warpdrf::fuzz
