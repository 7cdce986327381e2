// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All the ways in which lanes exchange values, in whole warps and in segments, and masks that were
// computed.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

/// Every kind of shuffle, with values of several sizes.
Block Generator::shuffles() {
  const std::string width = oneOf({"32", "32", "16", "8", "4"});
  const std::string type = oneOf({"int", "int", "float", "long long", "unsigned"});
  const std::string call =
      oneOf({"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"});
  Block all{Line{"x = " + call + "($0, (" + type + ")v, $1, " + width + ");",
                 {mask(), integer({"1", "2", "3", "0", "n & 3", "lane & 3"})}}};
  if (chance(25))
    all = {If{condition(), std::move(all)}};
  all.push_back(If{oneOf({"lane < 4", "lane >= 3", "t + 18 < D", "true", "x > 5"}),
                   {Line{oneOf({"h[b * D + t] = x;", "v += x;", "s[x & 63] = t;"})}}});
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::segments() {
  const std::string size = oneOf({"16", "8", "8", "4"});
  Block all{{"for (int d = " + size + " / 2; d > 0; d >>= 1) {",
             {},
             {{"",
               {Line{oneOf({"v += __shfl_down_sync($0, v, d, ", "v += __shfl_xor_sync($0, v, d, ",
                            "v = max(v, __shfl_xor_sync($0, v, d, "}) +
                         size + ")",
                     {mask()}}}}}}};
  std::string &step = all[0].arms[0].body[0].pattern;
  step += step.find("max(") != std::string::npos ? ");" : ";";
  all.push_back(
      If{"lane % " + size + " == 0",
         {Line{oneOf({"s[t / $0] = v;", "s[w * 8 + lane / $0] = v;", "s[lane / $0] = v;"}),
               {{Type::Integer, size, {}}}}}});
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[t / $0];", {{Type::Integer, size, {}}}});
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::reductions() {
  Block all{Line{"x = " + oneOf({"__reduce_add_sync", "__reduce_min_sync", "__reduce_max_sync"}) +
                     "($0, $1);",
                 {mask(), integer({"v", "in[b * D + t]", "t", "n", "lane"})}}};
  if (chance(40))
    all = {Line{"x = " + oneOf({"__reduce_and_sync", "__reduce_or_sync", "__reduce_xor_sync"}) +
                    "($0, (unsigned)($1));",
                {mask(), integer({"v", "in[b * D + t]", "1u << lane", "n"})}}};
  switch (below(3)) {
  case 0: // all of the warp know it
    all.push_back(If{oneOf({"x > 3", "x & 1", "x == t", "x > lane"}),
                     {Line{oneOf({"__syncwarp();", "v += __shfl_xor_sync(~0u, v, 1);"})}}});
    break;
  case 1:
    all.push_back(If{oneOf({"x > 3", "x == n"}), {Line{"__syncthreads();"}}});
    break;
  default:
    all.push_back(If{"lane == 0", {Line{oneOf({"s[w] = x;", "s[x & 63] = v;"})}}});
  }
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::matches() {
  Block all{Line{"m = __match_all_sync($0, $1, &r);",
                 {mask(), integer({"in[b * D + t]", "n", "t / 32", "v & 1", "b"})}}};
  all.push_back(If{oneOf({"r", "!r", "m == ~0u"}),
                   {Line{oneOf({"__syncwarp();", "v += __shfl_xor_sync(~0u, v, 2);",
                                "__syncthreads();", "s[w] = v;"})}}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Every voter's value comes to everybody, one after the other.
Block Generator::votersInTurn() {
  Block body{Line{"r = __ffs(m) - 1;"},
             Line{oneOf({"m &= m - 1;", "m &= m - 1;", "m ^= 1u << r;"})},
             Line{"v += __shfl_sync($0, v, r);", {mask()}}};
  Block all{Line{"m = __ballot_sync(~0u, $0);", {condition()}},
            {"while (m) {", {}, {{"", std::move(body)}}}};
  all.push_back(Line{"h[b * D + t] = v;"});
  return all;
}

/// The least or largest and where it is.
Block Generator::argumentOfLargest() {
  Block body{
      Line{"int other = __shfl_xor_sync($0, v, d), where = __shfl_xor_sync($0, x, d);", {mask()}},
      If{oneOf({"other > v", "other > v || (other == v && where < x)"}),
         {Line{"v = other, x = where;"}}}};
  Block all{Line{"x = lane;"}, {"for (int d = 16; d > 0; d /= 2) {", {}, {{"", std::move(body)}}}};
  all.push_back(If{oneOf({"lane == x", "lane == 0", "v > 3"}),
                   {Line{oneOf({"s[w] = v;", "s[w] = v;", "__syncwarp();"})}}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Masks by what a lane is told of itself, for parts that meet apart from each other.
Block Generator::computedMasks() {
  Block all{Line{"m = $0;",
                 {integer({"lane < 16 ? 0xffffu : 0xffff0000u", "0xffu << (lane / 8 * 8)",
                           "0x11111111u << (lane & 3)", "lane & 1 ? 0xaaaaaaaau : 0x55555555u",
                           "__ballot_sync(~0u, v > 9)", "__match_any_sync(~0u, lane / 8)",
                           "lane < 16 ? 0xffffu : 0xfffffu", "~below", "below | 1u << lane"})}}};
  Block body{Line{"s[t] = v;"}};
  maybe(body, "__syncwarp(m);");
  body.push_back(Line{"v += s[$0];", {integer({"t ^ 1", "t ^ 4", "t ^ 8", "t ^ 16", "w * 32"})}});
  switch (below(4)) {
  case 0:
    body.push_back(Line{"v += __shfl_sync(m, v, __ffs(m) - 1);"});
    break;
  case 1:
    body.push_back(Line{"v += __reduce_max_sync(m, v);"});
    break;
  case 2:
    body.push_back(Line{"v += __popc(__ballot_sync(m, $0));", {condition()}});
    break;
  default:
    break;
  }
  if (chance(40))
    body = {
        If{oneOf({"lane < 16", "lane / 8 == 1", "v > 9", "lane & 1", "w == 0"}), std::move(body)}};
  append(all, std::move(body));
  maybe(all, "__syncthreads();");
  return all;
}

} // namespace warpdrf::fuzz
