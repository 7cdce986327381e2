// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups: a block, a grid, tiles of several sizes, and what they do together.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

/// The name of a tile and the number of its threads.
std::pair<std::string, std::string> Generator::someTile() {
  const std::string size = oneOf({"4", "8", "16", "16", "32", "32"});
  return {"tile" + size, size};
}

/// The same threads of the block for every tile: true of whole tiles, of all of them or of some.
Expression Generator::tileCondition(const std::string &size) {
  switch (below(6)) {
  case 0:
    return {Type::Condition, "t / " + size + " == $0", {numberBetween(0, 2)}};
  case 1:
    return {Type::Condition, "t < " + size, {}};
  case 2:
    return condition();
  case 3:
    return {Type::Condition, "tile" + size + ".meta_group_rank() % 2 == 0", {}};
  default:
    return uniformCondition();
  }
}

Block Generator::groupBarriers() {
  Block all{Line{"s[$0] = v;", {integer({"block.thread_rank()", "t", "block.thread_index().x"})}}};
  maybe(all, chance(50) ? "block.sync();" : "cooperative_groups::sync(block);");
  all.push_back(Line{"v += s[$0];", {sharedIndex()}});
  maybe(all, "block.sync();");
  if (chance(20))
    all = {If{condition(), std::move(all)}};
  return all;
}

/// A tile's threads meet each other, and nobody else.
Block Generator::tileBarriers() {
  const auto [tile, size] = someTile();
  Block all{Line{"s[$0] = v;", {ownIndex()}}};
  maybe(all, (tile + ".sync();").c_str());
  all.push_back(
      Line{"v += s[$0];", {integer({"t ^ 1", "t ^ 2", "t ^ 8", "t ^ 16", "t ^ 32", "t"})}});
  maybe(all, chance(50) ? (tile + ".sync();").c_str() : "__syncthreads();");
  if (chance(30))
    all = {If{tileCondition(size), std::move(all)}};
  return all;
}

Block Generator::tileShuffles() {
  const auto [tile, size] = someTile();
  Block all;
  switch (below(4)) {
  case 0:
    all = {{"for (int d = " + tile + ".size() / 2; d > 0; d /= 2) {",
            {},
            {{"", {Line{"v += " + tile + oneOf({".shfl_down(v, d);", ".shfl_xor(v, d);"})}}}}},
           If{Expression{Type::Condition, tile + ".thread_rank() == 0", {}},
              {Line{"u[t / " + size + "] = v;"}}}};
    maybe(all, "block.sync();");
    all.push_back(Line{"v += u[$0];", {integer({"0", "t / 32", "t / 16", "t / 4"})}});
    break;
  case 1:
    all = {
        Line{"x = " + tile + ".shfl_up(v, $0);", {integer({"1", "2", "3"})}},
        If{oneOf({"t % 4 >= 1", "t % 4 == 3", "lane > 0", "true"}), {Line{"h[b * D + t] = x;"}}}};
    break;
  case 2:
    all = {Line{"v += " + tile + ".shfl(v, $0);",
                {integer({"0", "2", "t & 3", tile == "tile32" ? "31" : "1"})}}};
    break;
  default:
    all = {Line{"v += " + tile + ".shfl_xor(v, $0);", {integer({"1", "2", "3"})}},
           Line{"h[b * D + t] = v;"}};
  }
  if (chance(30))
    all = {If{tileCondition(size), std::move(all)}};
  maybe(all, "block.sync();");
  return all;
}

/// What a tile votes for, it does together.
Block Generator::tileVotes() {
  const auto [tile, size] = someTile();
  Block body{Line{"s[t] = v;"}};
  maybe(body, (tile + ".sync();").c_str());
  body.push_back(Line{"v += s[$0];", {integer({"t ^ 1", "t ^ 2", "t ^ 4"})}});
  Block all;
  switch (below(4)) {
  case 0:
    all = {If{Expression{Type::Condition, tile + ".any($0)", {condition()}}, std::move(body)}};
    break;
  case 1:
    all = {If{Expression{Type::Condition, tile + ".all($0)", {condition()}}, std::move(body)}};
    break;
  case 2:
    all = {Line{"m = " + tile + ".ballot($0);", {condition()}},
           If{oneOf({"m & 1", "m", "m == 1u << lane"}), std::move(body)}};
    break;
  default:
    all = {Line{"m = " + tile + ".match_any($0);", {integer({"v & 1", "in[b * D + t] & 3", "n"})}},
           If{Expression{Type::Condition, tile + ".thread_rank() == __ffs(m) - 1", {}},
              {Line{oneOf({"s[t / 32 * 32 + (v & 1)] = v;", "atomicAdd(count, __popc(m));",
                           "s[t] = v;"})}}}};
  }
  maybe(all, "block.sync();");
  return all;
}

Block Generator::tileReductions() {
  const auto [tile, size] = someTile();
  Block all{Line{"v = cooperative_groups::reduce(" + tile + ", v, cooperative_groups::" +
                 oneOf({"plus<int>());", "less<int>());", "greater<int>());", "bit_or<int>());"})}};
  if (chance(30))
    all = {If{tileCondition(size), std::move(all)}};
  const std::string place =
      chance(50) ? tile + ".meta_group_rank()" : "t / " + oneOf({size.c_str(), "32"});
  all.push_back(If{Expression{Type::Condition, tile + ".thread_rank() == 0", {}},
                   {Line{"s[" + place + "] = v;"}}});
  maybe(all, "block.sync();");
  all.push_back(Line{"v += s[$0];", {integer({"0", "t / 32", "t / 16"})}});
  maybe(all, "block.sync();");
  return all;
}

/// Tiles of tiles, and tiles of several warps.
Block Generator::tilesOfTiles() {
  Block all{Line{"s[t] = v;"}};
  maybe(all, oneOf({"part.sync();", "part.sync();", "tile64.sync();"}).c_str());
  all.push_back(
      Line{"v += s[$0];",
           {integer({"t ^ 1", "t ^ 4", "t ^ 32", "t / 64 * 64", "t - part.thread_rank()"})}});
  maybe(all, oneOf({"block.sync();", "tile64.sync();"}).c_str());
  if (chance(40))
    all.push_back(
        Line{oneOf({"v += part.shfl(v, 0);", "s[t / 64 * 2 + part.meta_group_rank()] = v;",
                    "s[part.meta_group_rank()] = v;"})});
  if (chance(20))
    all = {If{oneOf({"t < 64", "w < 2", "w == 1", "n > 4"}), std::move(all)}};
  return all;
}

/// All blocks of a cooperative launch.
Block Generator::gridBarrier() {
  Block all{Line{"g[$0] = v;", {integer({"b * D + t", "b * D + t", "grid.thread_rank()", "b"})}}};
  if (chance(15))
    all.back() = If{"t == 0", {Line{"g[b] = v;"}}};
  const char *barriers[] = {"grid.sync();", "grid.sync();", "__syncthreads();"};
  maybe(all, barriers[below(3)]);
  all.push_back(Line{"v += g[$0];",
                     {integer({"b * D + t", "(b + 1) % gridDim.x * D + t", "0", "t", "b",
                               "gridDim.x * D - 1 - grid.thread_rank()"})}});
  maybe(all, "grid.sync();");
  if (chance(20))
    all = {If{chance(60) ? uniformCondition() : condition(), std::move(all)}};
  return all;
}

} // namespace warpdrf::fuzz
