// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What real kernels are made of. Each synchronisation is left out now and then.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

void Generator::maybe(Block &block, const char *barrier) {
  if (!chance(8))
    block.push_back(line(barrier));
}

static Statement conditional(Expression condition, Block body) {
  return {"if ($0) {", {std::move(condition)}, {{"", std::move(body)}}};
}
static Statement conditional(const char *condition, Block body) {
  return conditional({Type::Condition, condition, {}}, std::move(body));
}

Block Generator::treeReduction() {
  Block body{conditional("t < d", {line("s[t] += s[t + d];")})};
  maybe(body, "__syncthreads();");
  Block all{line("s[t] = v;")};
  maybe(all, "__syncthreads();");
  all.push_back({"for (int d = $0; d > 0; d >>= 1) {",
                 {{Type::Integer, oneOf({"D / 2", "D / 2", "32", "16"}), {}}},
                 {{"", std::move(body)}}});
  all.push_back(line("v = s[0];"));
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::warpReduction() {
  Block all{{"for (int d = 16; d > 0; d >>= 1) {",
             {},
             {{"",
               {line(oneOf({"v += __shfl_xor_sync($0, v, d);", "v += __shfl_down_sync($0, v, d);"}),
                     {mask()})}}}}};
  all.push_back(conditional("lane == 0", {line("u[w] = v;")}));
  maybe(all, "__syncthreads();");
  all.push_back(conditional("t < D / 32", {line("v += u[t];")}));
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::doubleBuffer() {
  Block body{line("s[cur * 2048 + t] = v;")};
  maybe(body, "__syncthreads();");
  body.push_back(line("v += s[cur * 2048 + $0];", {sharedIndex()}));
  if (chance(80))
    body.push_back(line("cur ^= 1;"));
  return {{"for (int k = 0; k < $0; ++k) {", {tripCount()}, {{"", std::move(body)}}}};
}

Block Generator::tickets() {
  Block use{line("r = atomicAdd(count, $0);", {{Type::Integer, oneOf({"1", "1", "2"}), {}}}),
            line(oneOf({"g[r] = v;", "g[r] = v;", "h[r + 1] = v;"}))};
  if (chance(30))
    use.push_back(line("g[r + 1] = v;"));
  return {conditional(condition(), std::move(use))};
}

Block Generator::lastBlock() {
  Block all{line("g[b * D + t] = v;")};
  maybe(all, "__threadfence();");
  maybe(all, "__syncthreads();");
  all.push_back(conditional("t == 0", {line("s[0] = atomicAdd(count, 1);")}));
  maybe(all, "__syncthreads();");
  Block last;
  maybe(last, "__threadfence();");
  last.push_back(
      {"for (int k = t; k < gridDim.x * D; k += D) {", {}, {{"", {line("v += g[k];")}}}});
  all.push_back(conditional("s[0] == gridDim.x - 1", std::move(last)));
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::compaction() {
  Expression hit = condition();
  return {line("x = __ballot_sync(~0u, $0);", {hit}),
          conditional(std::move(hit),
                      {line(oneOf({"s[w * 32 + __popc(x & ((1u << lane) - 1))] = v;",
                                   "s[__popc(x & ((1u << lane) - 1))] = v;",
                                   "s[w * 32 + __popc(x & ((2u << lane) - 1))] = v;"}))})};
}

Block Generator::broadcastSlot() {
  Block body{conditional(oneOf({"t == 0", "lane == 0", "t == D - 1"}).c_str(),
                         {line("s[$0] = in[k];", {{Type::Integer, oneOf({"0", "w"}), {}}})})};
  maybe(body, "__syncthreads();");
  body.push_back(line("v += s[$0];", {{Type::Integer, oneOf({"0", "w"}), {}}}));
  maybe(body, "__syncthreads();");
  return {{"for (int k = 0; k < $0; ++k) {", {tripCount()}, {{"", std::move(body)}}}};
}

Block Generator::neighbours() {
  Block all{line("s[t] = v;")};
  maybe(all, "__syncwarp();");
  all.push_back(line(oneOf({"v += s[t ^ 1];", "v += s[t ^ 16];", "v += s[w * 32 + (t + 1) % 32];",
                            "v += s[t + 1];", "v += s[t ^ 32];"})));
  maybe(all, "__syncwarp();");
  return all;
}

Block Generator::gridStride() {
  return {{"for (int k = b * D + t; k < n; k += $0) {",
           {{Type::Integer, oneOf({"D * gridDim.x", "D * gridDim.x", "D", "32"}), {}}},
           {{"", {line(oneOf({"g[k] = in[k];", "g[k] += v;", "h[k + 1] = h[k];"}))}}}}};
}

Block Generator::recipe() {
  switch (below(9)) {
  case 0:
    return treeReduction();
  case 1:
    return warpReduction();
  case 2:
    return doubleBuffer();
  case 3:
    return tickets();
  case 4:
    return lastBlock();
  case 5:
    return compaction();
  case 6:
    return broadcastSlot();
  case 7:
    return neighbours();
  default:
    return gridStride();
  }
}

} // namespace warpdrf::fuzz
