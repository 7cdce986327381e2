// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What orders threads besides one barrier after the other: atomics, fences, named and counting
// barriers; and threads that leave early.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Block Generator::tickets() {
  Block use{Line{"r = atomicAdd(count, $0);", {integer({"1", "1", "2"})}},
            Line{oneOf({"g[r] = v;", "g[r] = v;", "h[r + 1] = v;"})}};
  if (chance(50))
    use.push_back(Line{oneOf({"g[r + 1] = v;", "v += g[r + 1];"})});
  return {If{condition(), std::move(use)}};
}

Block Generator::lastBlock() {
  Block all{Line{"g[b * D + t] = v;"}};
  if (chance(30))
    all.push_back(Line{"__threadfence_block();"});
  else
    maybe(all, "__threadfence();");
  maybe(all, "__syncthreads();");
  all.push_back(If{"t == 0", {Line{"s[0] = atomicAdd(count, 1);"}}});
  maybe(all, "__syncthreads();");
  Block last;
  maybe(last, "__threadfence();");
  last.push_back(
      {"for (int k = t; k < gridDim.x * D; k += D) {", {}, {{"", {Line{"v += g[k];"}}}}});
  all.push_back(If{"s[0] == gridDim.x - 1", std::move(last)});
  maybe(all, "__syncthreads();");
  return all;
}

/// Many threads raise one flag.
Block Generator::flag() {
  Block all;
  if (chance(50)) {
    all.push_back(If{"t == 0", {Line{"s[0] = 0;"}}});
    maybe(all, "__syncthreads();");
  }
  all.push_back(If{condition(),
                   {Line{oneOf({"s[0] = 1;", "g[$0] = 5;", "h[$0] = n;", "s[0] = lane;"}),
                         {integer({"0", "b", "b * 4 + w"})}}}});
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[0];"});
  maybe(all, "__syncthreads();");
  return all;
}

/// A barrier in some iterations, or on some launches.
Block Generator::sometimesBarrier() {
  counters.push_back("k");
  Block body{Line{"s[$0] = v;", {integer({"t + k", "t * 2 + k", "t + 64 * k", "t"})}},
             If{uniformCondition(), {Line{"__syncthreads();"}}}};
  if (chance(70))
    body.push_back(Line{"v += s[$0];", {integer({"t + k", "t + 1", "t", "t * 2 + k"})}});
  counters.pop_back();
  if (chance(30)) {
    body.insert(body.begin(), Line{"int k = $0;", {numberBetween(0, 1)}});
    return {{"{", {}, {{"", std::move(body)}}}};
  }
  return {{"for (int k = 0; k < $0; ++k) {", {integer({"n", "4", "3"})}, {{"", std::move(body)}}}};
}

/// A switch whose cases share, with and without `break`.
Block Generator::cases() {
  Statement all{"switch ($0) {", {integer({"n % 3", "b % 2", "n & 1", "w", "t % 2"})}, {}};
  const char *bodies[] = {"s[t] = v;", "v += s[$0];", "u[t] = v;"};
  for (std::uint64_t i = 0; i < 3; ++i) {
    Block body{Line{bodies[i], {sharedIndex()}}};
    if (chance(20))
      body.push_back(Line{"__syncthreads();"});
    if (chance(40))
      body.push_back(Line{"break;"});
    all.arms.push_back({i == 2 ? "default:" : "case " + std::to_string(i) + ":", std::move(body)});
  }
  Block result{std::move(all)};
  maybe(result, "__syncthreads();");
  return result;
}

/// The first warp hands over to the second, or each warp meets itself.
Block Generator::namedBarriers() {
  const Expression id = integer({"1", "2"}), other = chance(85) ? id : integer({"1", "2", "3"});
  if (chance(25))
    return {Line{"s[t] = v;"}, Line{"__barrier_sync_count(w + 1, 32);"},
            Line{"v += s[$0];", {integer({"t ^ 1", "w * 32", "t ^ 32"})}}};
  Block first{Line{"s[t] = v;"}}, second;
  if (!chance(8))
    first.push_back(Line{"__barrier_sync_count($0, 64);", {id}});
  if (!chance(8))
    second.push_back(Line{"__barrier_sync_count($0, 64);", {other}});
  second.push_back(Line{"v += s[$0];", {integer({"t - 32", "lane", "0"})}});
  Block all{If{"w == 0", std::move(first)}, If{"w == 1", std::move(second)}};
  if (chance(30))
    all.push_back(Line{"__barrier_sync($0);", {integer({"0", "3"})}});
  return all;
}

/// A barrier that tells every thread the same.
Block Generator::countingBarrier() {
  Block body = phase();
  switch (below(4)) {
  case 0:
    return {If{Expression{Type::Condition, "__syncthreads_or($0)", {condition()}}, body}};
  case 1:
    return {If{Expression{Type::Condition, "__syncthreads_and($0)", {condition()}}, body}};
  case 2:
    return {Line{"r = __syncthreads_count($0);", {condition()}},
            If{Expression{Type::Condition, "r > $0", {numberBetween(0, 40)}}, body}};
  default: // until nobody wants to go on
    body.push_back(Line{"x += 1;"});
    return {{"while (__syncthreads_or(x < $0)) {", {tripCount()}, {{"", std::move(body)}}}};
  }
}

/// Some leave; the others meet at barriers and votes, or need a value of those who have left.
Block Generator::earlyExit() {
  Block all;
  if (chance(40))
    all.push_back(Line{oneOf({"s[t] = v;", "g[b * D + t] = v;"})});
  all.push_back(If{oneOf({"t >= n", "t >= D - 3", "w == 1", "b * D + t >= n", "lane == 5",
                          "in[b * D + t] > 250", "t >= 32", "n < 3"}),
                   {Line{"return;"}}});
  switch (below(6)) {
  case 0:
  case 5:
    all.insert(all.begin(), Line{"s[t] = v;"});
    all.push_back(Line{"__syncthreads();"});
    all.push_back(Line{"v += s[$0];", {integer({"t", "t + 1", "0", "D - 1 - t"})}});
    break;
  case 1:
    all.push_back(Line{"v += __shfl_xor_sync(~0u, v, $0);", {numberBetween(1, 8)}});
    break;
  case 2:
    all.push_back(Line{"v += __popc(__ballot_sync(~0u, $0));", {condition()}});
    break;
  case 3:
    append(all, phase());
    break;
  default:
    all.push_back(Line{"v += __reduce_add_sync($0, v);", {mask()}});
  }
  return all;
}

/// Some leave in the middle of a loop, or of an iteration.
Block Generator::exitInLoop() {
  const bool atTop = chance(40);
  Block body;
  if (atTop)
    maybe(body, "__syncthreads();");
  body.push_back(Line{"s[t] = v + k;"});
  maybe(body, "__syncthreads();");
  body.push_back(If{oneOf({"k == 1", "k == lane % 3", "n == k", "k > 1 && w == 0", "lane < 16"}),
                    {Line{oneOf({"return;", "return;", "break;", "continue;", "continue;"})}}});
  body.push_back(Line{"v += s[$0];", {integer({"t", "t", "D - 1 - t", "0"})}});
  if (!atTop)
    maybe(body, "__syncthreads();");
  return {{"for (int k = 0; k < $0; ++k) {", {integer({"3", "n", "4"})}, {{"", std::move(body)}}}};
}

/// Who has left a loop by `break` is missing in its next iteration, where all meet once more.
Block Generator::leftByBreak() {
  Block body{Line{oneOf({"v += __shfl_xor_sync(~0u, v, 1);", "v += __reduce_max_sync(~0u, v);",
                         "__syncwarp();", "__syncthreads();", "v += __any_sync(~0u, v > 3);"})}};
  if (chance(40))
    body.push_back(Line{oneOf({"s[t] = v;", "v += in[k];", "x += v;"})});
  body.push_back(If{
      oneOf({"lane < 16", "k == lane % 3", "t == k", "w == 0", "n == k", "in[k] > 100", "v > 40"}),
      {Line{"break;"}}});
  Block all{{"for (int k = 0; k < $0; ++k) {",
             {integer({"n", "n", "3", "in[b] & 3"})},
             {{"", std::move(body)}}}};
  maybe(all, "__syncthreads();");
  all.push_back(Line{"h[b * D + t] = v;"});
  return all;
}

/// The first iterations have no barrier: they belong to what comes before the loop.
Block Generator::lateBarrier() {
  const Expression early = {
      Type::Condition, oneOf({"k == $0", "k == $0", "k < $0"}), {numberBetween(1, 2)}};
  Block body{If{Expression{Type::Condition,
                           oneOf({"k > $0", "k == $0", "k >= $0"}),
                           {numberBetween(1, 2)}},
                {Line{"__syncthreads();"}}},
             If{early,
                {Line{oneOf({"v += u[$0];", "v += u[$0];", "u[$0] = v;"}),
                      {integer({"t ^ 1", "t", "D - 1 - t", "0"})}}}}};
  if (chance(30))
    body.push_back(Line{"s[t] = v;"});
  Block all{
      Line{"u[t] = v;"},
      {"for (int k = 0; k < $0; ++k) {", {integer({"n", "n", "4", "3"})}, {{"", std::move(body)}}}};
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::sharedCounter() {
  Block all{If{"t == 0", {Line{"s[0] = 0;"}}}};
  maybe(all, "__syncthreads();");
  all.push_back(If{condition(), {Line{"atomicAdd(&s[0], $0);", {value()}}}});
  if (chance(20))
    all.push_back(Line{oneOf({"s[0] += 1;", "v += s[0];", "s[lane] = 2;"})});
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[0];"});
  maybe(all, "__syncthreads();");
  return all;
}

/// Atomics that do or do not reach the other blocks.
Block Generator::scopedAtomics() {
  const Expression place = integer({"0", "b", "lane", "t", "b * D + t"});
  Block all{Line{oneOf({"atomicAdd_block(&g[$0], 1);", "atomicAdd(&g[$0], 1);",
                        "atomicMax_block(&h[$0], v);", "atomicExch(&h[$0], 1);"}),
                 {place}}};
  if (chance(30)) {
    maybe(all, "__syncthreads();");
    all.push_back(Line{oneOf({"v += g[$0];", "h[$0] = v;"}), {place}});
  }
  return all;
}

} // namespace warpdrf::fuzz
