// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language around the accesses: templates, references, lambdas, records, arrays of two
// dimensions, parts of dynamic shared memory, conditions that do something.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Block Generator::templates() {
  Block all;
  if (chance(50)) {
    all.push_back(Line{oneOf({"put<1, true>(s, t, v);", "put<1, true>(s, t, v);",
                              "put<2, false>(s, t, v);", "put<4, true>(s, t, v);"})});
    if (chance(50))
      maybe(all, "meet<false>();");
    all.push_back(Line{"v += s[$0];", {integer({"t", "t ^ 1", "t * 2", "t + 1", "t * 2 + 1"})}});
  } else {
    all = phase();
    for (Statement &each : all)
      if (each.pattern == "__syncthreads();")
        each.pattern = oneOf({"meet<true>();", "meet<true>();", "meet<false>();"});
  }
  all.push_back(Line{oneOf({"v = sumOf<16>(v);", "v = sumOf<32>(v);", "v = sumOf<8>(v);"})});
  maybe(all, "meet<true>();");
  return all;
}

/// Functions that are given places.
Block Generator::byReference() {
  Block all{Line{oneOf({"addTo(s[$0], v);", "addTo(g[$0], 1);", "swapWith(s + t, v);",
                        "addTo(s[t], v), addTo(s[t], 1);"}),
                 {ownIndex()}}};
  maybe(all, "__syncthreads();");
  all.push_back(Line{oneOf({"addTo(v, s[$0]);", "v += largest(s[$0], v);"}), {sharedIndex()}});
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::lambdas() {
  Block body{
      Line{oneOf({"auto store = [&](int place) { s[place] = v; };",
                  "auto store = [=](int place) { s[place] = v; };",
                  "auto store = [&](int place) { u[place] = v; s[place] = v; };"})},
      Line{"auto load = [&](int place) { v += s[place]; };"},
      Line{oneOf({"auto join = [] { __syncthreads(); };", "auto join = [] { __syncwarp(); };",
                  "auto join = [&] { if (n > 3) __syncthreads(); };"})}};
  body.push_back(Line{"store($0);", {ownIndex()}});
  maybe(body, "join();");
  body.push_back(Line{"load($0);", {sharedIndex()}});
  maybe(body, "__syncthreads();");
  if (chance(40)) {
    body.push_back(
        Line{"forOwn(t, D, $0, [&](int z) { s[z] = v; });", {integer({"64", "n", "D"})}});
    maybe(body, "join();");
    body.push_back(Line{"load(t);"});
  }
  Block all{{"{", {}, {{"", std::move(body)}}}};
  maybe(all, "__syncthreads();");
  return all;
}

/// A function that returns early, or that has shared memory of its own.
Block Generator::functions() {
  Block all{Line{oneOf({"v += neighbour<true>(v, t);", "v += neighbour<true>(v, t);",
                        "v += neighbour<false>(v, t);", "v += bounded(s, t, n, v);",
                        "v += bounded(s, t, D, v);"})}};
  if (chance(40))
    all.push_back(Line{oneOf({"v += neighbour<true>(v, t);", "v += neighbour<false>(v, t);"})});
  if (chance(30))
    all = {If{uniformCondition(), std::move(all)}};
  maybe(all, "__syncthreads();");
  return all;
}

/// Members of records in an array, next to each other.
Block Generator::members() {
  const char *writes[] = {"cells[$0].key = v;",          "cells[$0].low = v;",
                          "cells[$0].value[1] = v;",     "cells[$0] = Cell{v, 1, 2, {v, t}};",
                          "cells[$0].value[v & 1] = v;", "((Cell *)g)[b * D + $0].high = v;"};
  const char *reads[] = {
      "v += cells[$0].key;",      "v += cells[$0].high;",
      "v += cells[$0].value[1];", "{ Cell mine = cells[$0]; v += mine.key + mine.value[0]; }",
      "v += ((int *)cells)[$0];", "v += ((Cell *)g)[b * D + $0].low;"};
  Block all{Line{writes[below(6)], {integer({"t", "t", "t ^ 1", "w * 32 + lane", "lane"})}}};
  if (chance(50))
    all.push_back(Line{"__syncthreads();"});
  all.push_back(
      Line{reads[below(6)], {integer({"t", "t ^ 1", "lane", "t + 1", "t * 4 + 1", "0"})}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Arrays of two dimensions, the rows padded or not.
Block Generator::tiles() {
  Block all{Line{oneOf({"tile[w][lane] = v;", "tile[lane][w] = v;", "tile[t % 32][t / 32] = v;",
                        "tile[threadIdx.y][threadIdx.x] = v;", "tile[w & 1][lane] = v;",
                        "pair[cur][t] = v;", "pair[lane & 1][t / 2] = v;"})}};
  maybe(all, "__syncthreads();");
  all.push_back(Line{oneOf({"v += tile[w][lane];", "v += tile[lane][w];", "v += tile[0][lane];",
                            "v += tile[threadIdx.x % 32][threadIdx.y];", "v += tile[w][lane ^ 1];",
                            "v += pair[cur][t ^ 1];", "v += pair[cur ^ 1][t];"})});
  maybe(all, "__syncthreads();");
  return all;
}

/// One block of dynamic shared memory, carved into parts.
Block Generator::carved() {
  Block body{
      Line{oneOf({"int *first = dyn, *second = dyn + D;", "int *first = dyn, *second = dyn + 32;",
                  "int *second = dyn, *first = dyn + 64;",
                  "int *first = dyn + w * 64, *second = first + 32;"})},
      Line{"short *halves = (short *)(second + D);"},
      Line{oneOf({"first[$0] = v;", "first[t] = v, second[t] = v;", "halves[$0] = v;"}),
           {ownIndex()}}};
  maybe(body, "__syncthreads();");
  body.push_back(Line{oneOf({"v += second[$0];", "v += first[$0];", "second[$0] = v;",
                             "v += halves[t];", "v += dyn[$0];"}),
                      {integer({"t", "t ^ 1", "lane", "t + 1", "0"})}});
  Block all{{"{", {}, {{"", std::move(body)}}}};
  maybe(all, "__syncthreads();");
  return all;
}

/// Two pointers that change places in every iteration.
Block Generator::pingPong() {
  Block step{Line{"to[t] = from[$0] + 1;", {integer({"t", "t ^ 1", "(t + 1) % D", "0"})}}};
  maybe(step, "__syncthreads();");
  if (chance(85))
    step.push_back(Line{oneOf({"{ int *other = from; from = to; to = other; }",
                               "if (k < 3) { int *other = from; from = to; to = other; }"})});
  if (chance(20))
    step.push_back(Line{"__syncthreads();"});
  Block body{Line{oneOf({"int *from = s, *to = u;", "int *from = s, *to = s + 2048;",
                         "int *from = s, *to = s + D;"})}};
  body.push_back(Line{"from[t] = v;"});
  maybe(body, "__syncthreads();");
  body.push_back({"for (int k = 0; k < $0; ++k) {",
                  {integer({"n", "3", "4", "in[b] & 3"})},
                  {{"", std::move(step)}}});
  body.push_back(Line{oneOf({"v += from[t];", "v += from[t ^ 1];", "v += to[t];", "v += s[t];"})});
  Block all{{"{", {}, {{"", std::move(body)}}}};
  maybe(all, "__syncthreads();");
  return all;
}

/// Whole vectors beside their elements.
Block Generator::vectors() {
  Block all{Line{
      oneOf({"((int4 *)s)[$0] = make_int4(v, t, v, t);", "((int2 *)s)[$0] = make_int2(v, t);",
             "reinterpret_cast<int4 *>(s)[$0].y = v;", "*(float4 *)(s + 4 * t) = float4();",
             "((unsigned char *)s)[$0] = v;", "((int4 *)g)[b * D + t] = make_int4(v, 0, 0, 0);"}),
      {integer({"t", "t", "t ^ 1", "t & 31", "D - 1 - t"})}}};
  maybe(all, "__syncthreads();");
  all.push_back(
      Line{oneOf({"v += s[4 * t + $0];", "v += ((int2 *)s)[t + $0].y;",
                  "{ int4 q = ((int4 *)s)[t ^ 1]; v += q.w; }", "v += s[t];",
                  "v += ((unsigned char *)s)[t + 2 * $0];", "v += g[(b * D + t) * 4 + $0];"}),
           {numberBetween(0, 3)}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Conditions that count, store, vote or wait.
Block Generator::effectsInConditions() {
  switch (below(7)) {
  case 0:
    return {If{
        oneOf({"atomicAdd(count, 1) == 0", "atomicAdd(count, 1) < 3", "atomicExch(count, 1) == 0"}),
        {Line{oneOf({"h[0] = v;", "g[b] = v;", "v += 1;"})}}}};
  case 1:
    return {If{Expression{Type::Condition,
                          oneOf({"$0 && __any_sync(~0u, $1)", "$0 || __all_sync(~0u, $1)"}),
                          {chance(50) ? uniformCondition() : condition(), condition()}},
               {Line{"v += 2;"}}}};
  case 2:
    return {
        If{Expression{Type::Condition,
                      oneOf({"$0 && __syncthreads_or($1)", "$0 || __syncthreads_count($1) > 3"}),
                      {chance(50) ? uniformCondition() : condition(), condition()}},
           phase()}};
  case 3: {
    Block body{Line{"s[t + r] = v;"}};
    maybe(body, "__syncthreads();");
    body.push_back(Line{"v += s[$0];", {integer({"t + r", "t ^ 1", "D - 1 - t"})}});
    maybe(body, "__syncthreads();");
    return {{"while (r++ < $0) {", {tripCount()}, {{"", std::move(body)}}}};
  }
  case 4: {
    Block all{
        If{oneOf({"(s[t] = v) > 3", "(x = in[t]) > 3 && (s[t] = x) > 4", "t < 16 && (s[t] = v)"}),
           {Line{"v += 1;"}}}};
    maybe(all, "__syncthreads();");
    all.push_back(Line{"v += s[$0];", {sharedIndex()}});
    return all;
  }
  case 5:
    return {Line{"v = $0 ? __shfl_xor_sync(~0u, v, 1) : $1;",
                 {chance(50) ? uniformCondition() : condition(), integer({"v", "0"})}}};
  default:
    return {Line{"x = $0 ? s[t] : (s[$1] = v);", {condition(), ownIndex()}},
            Line{"h[b * D + t] = x;"}};
  }
}

/// What counts in a narrow type comes round again.
Block Generator::narrowCounters() {
  Block all;
  switch (below(4)) {
  case 0:
    all = {{"for (unsigned char k = $0; k != 2; ++k) {",
            {integer({"0", "250", "254"})},
            {{"",
              {Line{oneOf({"s[k * 128 / 128 + t] = v;", "s[(k & 1) * 2048 + t] = v;",
                           "if (t < 2) s[k * 2 + t] = v;"})}}}}}};
    break;
  case 1:
    all = {Line{"small = $0;", {integer({"t * 300", "t * 1024", "t + 32760", "t * 64"})}},
           Line{oneOf({"s[small & 4095] = v;", "s[(unsigned short)small / 16] = v;",
                       "s[(small >> 4) & 4095] = v;"})}};
    break;
  case 2:
    all = {Line{"byte += $0;", {integer({"200", "255", "128", "3"})}},
           Line{oneOf({"s[byte] = v;", "s[byte * 2] = v;", "s[byte + 256 * w] = v;"})}};
    break;
  default:
    all = {Line{"s[(char)($0) & 255] = v;", {integer({"t", "t * 2", "t + 100", "~t"})}}};
  }
  maybe(all, "__syncthreads();");
  all.push_back(Line{"v += s[$0];", {sharedIndex()}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Accesses of other kinds than plain ones, which order nothing either.
Block Generator::otherAccesses() {
  Block all{Line{oneOf({"((volatile int *)s)[t] = v;", "*(volatile int *)(s + t) = v;",
                        "__stcg(g + b * D + t, v);", "__stcs(g + b * D + t, v);"})}};
  if (chance(70))
    maybe(all, chance(60) ? "__syncthreads();" : "__syncwarp();");
  all.push_back(Line{oneOf({"v += ((volatile int *)s)[$0];", "v += __ldg(in + b * D + t);",
                            "v += __ldcg(g + b * D + $0);", "v += s[$0];", "v += __ldg(g + $0);"}),
                     {integer({"t", "t ^ 1", "lane", "D - 1 - t"})}});
  maybe(all, "__syncthreads();");
  return all;
}

} // namespace warpdrf::fuzz
