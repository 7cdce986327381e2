// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp do together: reductions, scans, ranks, and masks that are right or
// nearly so.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Block Generator::warpReduction() {
  Block all{{"for (int d = 16; d > 0; d >>= 1) {",
             {},
             {{"",
               {Line{oneOf({"v += __shfl_xor_sync($0, v, d);", "v += __shfl_down_sync($0, v, d);"}),
                     {mask()}}}}}}};
  all.push_back(If{"lane == 0", {Line{"u[w] = v;"}}});
  maybe(all, "__syncthreads();");
  all.push_back(If{"t < D / 32", {Line{"v += u[t];"}}});
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::scan() {
  Block body{Line{"x = __shfl_up_sync($0, v, d);", {mask()}},
             If{oneOf({"lane >= d", "lane >= d", "t >= d", "lane > 0"}), {Line{"v += x;"}}}};
  return {{"for (int d = 1; d < $0; d <<= 1) {",
           {integer({"32", "32", "16"})},
           {{"", std::move(body)}}}};
}

/// Who has a hit writes at its rank among them.
Block Generator::compaction() {
  Expression hit = condition();
  Expression taken = chance(50) ? hit : condition();
  return {Line{"m = __ballot_sync(~0u, $0);", {std::move(hit)}},
          If{std::move(taken),
             {Line{oneOf({"s[w * 32 + __popc(m & ((1u << lane) - 1))] = v;",
                          "s[w * 32 + __popc(m & below)] = v;",
                          "s[__popc(m & ((1u << lane) - 1))] = v;",
                          "s[w * 32 + __popc(m & ((2u << lane) - 1))] = v;"})}}}};
}

/// A constant mask for those whom a branch lets through: mostly the right one.
Block Generator::partOfWarp() {
  const char *conditions[] = {"lane < 16", "lane >= 16", "lane < 8", "lane % 2 == 0", "w == 0"};
  const char *masks[] = {"0xffffu", "0xffff0000u", "0xffu", "0x55555555u", "~0u"};
  const std::uint64_t which = below(5);
  const Expression mask{Type::Mask, masks[chance(85) ? which : below(5)], {}};
  Block body;
  switch (below(5)) {
  case 0:
    body = {Line{"v += __shfl_xor_sync($0, v, $1);", {mask, integer({"1", "2", "4", "16"})}}};
    break;
  case 1:
    body = {Line{"v += __shfl_down_sync($0, v, $1);", {mask, integer({"1", "4", "8"})}}};
    if (chance(40))
      body.push_back(If{"lane < 4", {Line{"s[t] = v;"}}});
    break;
  case 2:
    body = {Line{"v += __reduce_add_sync($0, v);", {mask}}};
    break;
  default:
    body = {Line{"s[t] = v;"}, Line{"__syncwarp($0);", {mask}},
            Line{"v += s[$0];", {integer({"t ^ 2", "t ^ 4", "w * 32", "t ^ 1"})}}};
  }
  Statement branch = If{conditions[which], std::move(body)};
  if (chance(20))
    branch.arms.push_back({"} else {", {Line{"__syncwarp($0);", {mask}}}});
  return {std::move(branch)};
}

/// The mask is a ballot of the branch's condition.
Block Generator::votersOnly() {
  Expression voted = condition();
  Expression taken = chance(75) ? voted : condition();
  if (chance(10))
    taken = {Type::Condition, "!($0)", {voted}};
  Block body;
  switch (below(4)) {
  case 0:
    body = {Line{"v += __shfl_sync(m, v, $0);", {integer({"__ffs(m) - 1", "__ffs(m) - 1", "0"})}}};
    break;
  case 1:
    body = {Line{"v += __reduce_add_sync(m, v);"}};
    break;
  case 2:
    body = {Line{"v += __any_sync(m, $0);", {condition()}}};
    break;
  default:
    body = {Line{"s[t] = v;"}, Line{"__syncwarp(m);"}, Line{"v += s[t ^ 1];"}};
  }
  return {Line{"m = __ballot_sync(~0u, $0);", {std::move(voted)}},
          If{std::move(taken), std::move(body)}};
}

/// Lanes with equal keys send one of them.
Block Generator::matchLeader() {
  const Expression key = integer({"in[b * D + t] & 7", "t % 4", "lane / 8", "v & 3", "n & 1"});
  Block all{Line{"m = __match_any_sync(~0u, $0);", {key}}};
  if (chance(40))
    all.push_back(Line{oneOf({"v += __reduce_add_sync(m, v);", "__syncwarp(m);",
                              "v += __shfl_sync(m, v, __ffs(m) - 1);"})});
  if (chance(40)) // those with one of the keys
    all.push_back(If{Expression{Type::Condition, "($0) == $1", {key, numberBetween(0, 2)}},
                     {Line{oneOf({"v += __reduce_add_sync(m, v);", "__syncwarp(m);"})}}});
  Statement write = Line{oneOf({"s[w * 8 + ($0)] = v;", "s[w * 8 + ($0)] = v;", "s[$0] = v;",
                                "s[w] = v;", "g[b * 64 + w * 8 + ($0)] = v;"}),
                         {key}};
  all.push_back(chance(80) ? If{"lane == __ffs(m) - 1", {std::move(write)}} : std::move(write));
  return all;
}

/// What a vote says is the same in a warp, not in a block.
Block Generator::voteBranch() {
  const char *vote = chance(50) ? "__any_sync($0, $1)" : "__all_sync($0, $1)";
  Block body;
  switch (below(4)) {
  case 0:
    body = phase();
    break;
  case 1:
    body = {Line{"__syncthreads();"}};
    break;
  case 2:
    body = neighbours();
    break;
  default:
    body = {Line{"v += __shfl_xor_sync(~0u, v, $0);", {numberBetween(1, 31)}}};
  }
  return {If{Expression{Type::Condition, vote, {mask(), condition()}}, std::move(body)}};
}

Block Generator::activeLanes() {
  Block body{Line{"m = __activemask();"}};
  switch (below(4)) {
  case 0:
    body.push_back(Line{"v += __shfl_sync(m, v, __ffs(m) - 1);"});
    break;
  case 1:
    body.push_back(Line{"__syncwarp(m);"});
    break;
  default:
    body.push_back(If{"lane == __ffs(m) - 1", {Line{"atomicAdd(count, __popc(m));"}}});
  }
  return {If{condition(), std::move(body)}};
}

/// Shuffles that may read behind the last lane of the block.
Block Generator::tailOfWarp() {
  Block all{Line{oneOf({"x = __shfl_down_sync(~0u, v, $0);", "x = __shfl_xor_sync(~0u, v, $0);",
                        "x = __shfl_sync(~0u, v, (lane + $0) % 32);"}),
                 {numberBetween(1, 18)}}};
  if (chance(30))
    all.push_back({"for (int k = 0; k < $0; ++k) {",
                   {tripCount()},
                   {{"", {Line{oneOf({"x += s[k];", "x += in[k];", "x = x * 2 + t;"})}}}}});
  all.push_back(If{oneOf({"t + 18 < D", "t < D - 1", "lane < 16", "x > 3", "true"}),
                   {Line{oneOf({"h[b * D + t] = x;", "v += x;"})}}});
  return all;
}

} // namespace warpdrf::fuzz
