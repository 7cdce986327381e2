// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What atomics decide and publish: winners, places that were handed out, messages from block to
// block, arrivals that are counted, values that go by way of another thread.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

/// One of many gets through.
Block Generator::winners() {
  Block all{If{"t == 0", {Line{"s[0] = 0;"}}}};
  maybe(all, "__syncthreads();");
  all.push_back(If{oneOf({"atomicCAS(&s[0], 0, t + 1) == 0", "atomicExch(&s[0], 1) == 0",
                          "atomicAdd(&s[0], 1) == 0", "atomicAdd(&s[0], 1) == D - 1",
                          "atomicOr(&s[0], 1) == 0", "atomicMax(&s[0], t) == 0",
                          "atomicCAS(&s[0], 0, n) == 0", "atomicSub(&s[0], 1) == 0"}),
                   {Line{oneOf({"u[0] = v;", "u[0] = v;", "g[b] = v;", "h[0] = v;"})}}});
  maybe(all, "__syncthreads();");
  all.push_back(Line{oneOf({"v += u[0];", "v += s[0];", "v += g[b];"})});
  maybe(all, "__syncthreads();");
  return all;
}

/// A warp asks once for all that have a hit.
Block Generator::aggregated() {
  const Expression hit = condition(), other = chance(85) ? hit : condition();
  Block all{Line{"m = __ballot_sync(~0u, $0);", {hit}},
            If{oneOf({"lane == 0", "lane == 0", "lane == __ffs(m) - 1"}),
               {Line{"r = atomicAdd($0, $1);",
                     {integer({"count", "count", "&g[0]"}),
                      integer({"__popc(m)", "__popc(m)", "32", "1"})}}}},
            Line{"r = __shfl_sync(~0u, r, $0);", {integer({"0", "0", "__ffs(m) - 1", "1"})}},
            If{other,
               {Line{"h[r + __popc(m & $0)] = v;",
                     {integer({"((1u << lane) - 1)", "below", "below | 1u << lane"})}}}}};
  return all;
}

/// Bins, in shared memory and then in global memory.
Block Generator::histogram() {
  Block all{{"for (int z = t; z < 256; z += D) {", {}, {{"", {Line{"s[z] = 0;"}}}}}};
  maybe(all, "__syncthreads();");
  all.push_back(
      {"for (int k = b * D + t; k < n; k += D * gridDim.x) {",
       {},
       {{"",
         {Line{oneOf({"atomicAdd(&s[in[k] & 255], 1);", "atomicAdd_block(&s[in[k] & 255], 1);",
                      "s[in[k] & 255] += 1;", "atomicMax(&s[k & 255], in[k]);"})}}}}});
  maybe(all, "__syncthreads();");
  all.push_back({"for (int z = t; z < 256; z += D) {",
                 {},
                 {{"",
                   {Line{oneOf({"atomicAdd(&g[z], s[z]);", "atomicAdd(&g[z], s[z]);",
                                "g[z] += s[z];", "atomicAdd_block(&g[z], s[z]);"})}}}}});
  return all;
}

/// The first block leaves something for those that find its flag raised.
Block Generator::messages() {
  const bool wide = chance(40);
  Block producer{Line{wide ? "g[t] = v;" : "g[0] = v;"}};
  if (wide)
    maybe(producer, "__syncthreads();");
  const Statement fence =
      Line{oneOf({"__threadfence();", "__threadfence();", "__threadfence_block();"})};
  if (!chance(15))
    producer.push_back(fence);
  Statement raise =
      Line{oneOf({"atomicExch(count, 1);", "atomicAdd(count, 1);", "atomicMax(count, 1);",
                  "atomicExch_block(count, 1);", "*count = 1;"})};
  producer.push_back(wide ? If{"t == 0", {std::move(raise)}} : std::move(raise));
  Block reader;
  maybe(reader, "__threadfence();");
  reader.push_back(Line{"v += g[0];"});
  Block consumer{If{
      oneOf({"atomicAdd(count, 0) == 1", "atomicCAS(count, 1, 2) == 1", "atomicOr(count, 0) != 0",
             "atomicAdd(count, 0) >= 0", "*(volatile int *)count == 1"}),
      std::move(reader)}};
  Statement all = If{wide ? "b == 0" : "b == 0 && t == 0", std::move(producer)};
  all.arms.push_back({wide ? "} else {" : "} else if (b > 0) {", std::move(consumer)});
  return {std::move(all)};
}

/// The same with C++'s atomics, between the blocks or the warps of one.
Block Generator::atomicReferences() {
  const bool blocks = chance(50);
  const std::string scope = oneOf({"cuda::thread_scope_device", "cuda::thread_scope_device",
                                   "cuda::thread_scope_block", "cuda::thread_scope_system"});
  const std::string place = blocks ? "*count" : "u[0]", message = blocks ? "g[0]" : "s[0]";
  const std::string store = oneOf({"release", "release", "seq_cst", "relaxed"});
  const std::string load = oneOf({"acquire", "acquire", "seq_cst", "relaxed"});
  Block producer{Line{message + " = v;"}};
  if (chance(20))
    producer.push_back(Line{"__threadfence();"});
  producer.push_back(Line{oneOf({"flag.store(1", "flag.exchange(1", "flag.fetch_add(1"}) +
                          ", cuda::memory_order_" + store + ");"});
  Block consumer{If{Expression{Type::Condition,
                               "flag." + oneOf({"load(", "fetch_add(0, "}) + "cuda::memory_order_" +
                                   load + ") == 1",
                               {}},
                    {Line{"v += " + message + ";"}}}};
  Statement branch = If{blocks ? "b == 0 && t == 0" : "t == 0", std::move(producer)};
  branch.arms.push_back(
      {blocks ? "} else if (b > 0) {" : "} else if (w == 1) {", std::move(consumer)});
  Block body{Line{"cuda::atomic_ref<int, " + scope + "> flag(" + place + ");"}, std::move(branch)};
  Block all;
  if (!blocks) {
    all.push_back(If{"t == 0", {Line{"u[0] = 0;"}}});
    maybe(all, "__syncthreads();");
  }
  all.push_back({"{", {}, {{"", std::move(body)}}});
  maybe(all, "__syncthreads();");
  return all;
}

/// Who arrives last sees what all others have left.
Block Generator::lastOfAll() {
  const bool warps = chance(40); // of a block, else of the grid
  Block all;
  if (warps) {
    all.push_back(If{"t == 0", {Line{"u[0] = 0;"}}});
    maybe(all, "__syncthreads();");
  }
  all.push_back(Line{warps ? "s[t] = v;" : "g[b * D + t] = v;"});
  maybe(all, warps ? "__threadfence_block();" : "__threadfence();");
  maybe(all, warps ? "__syncwarp();" : "__syncthreads();");
  const std::string arrive =
      warps ? oneOf({"atomicAdd(&u[0], 1) == D / 32 - 1",
                     "atomicInc((unsigned *)u, D / 32 - 1) == D / 32 - 1"})
            : oneOf({"atomicInc((unsigned *)count, gridDim.x - 1) == gridDim.x - 1",
                     "atomicAdd(count, 1) == gridDim.x - 1", "atomicAdd(count, 1) >= gridDim.x - 1",
                     "atomicAdd(count, 1) == gridDim.x - 2"});
  Block last;
  maybe(last, warps ? "__threadfence_block();" : "__threadfence();");
  last.push_back(
      {warps ? "for (int z = 0; z < D; ++z) {" : "for (int z = 0; z < gridDim.x * D; z += D) {",
       {},
       {{"", {Line{warps ? "v += s[z];" : "v += g[z];"}}}}});
  if (chance(40))
    last.push_back(Line{oneOf({"h[0] = v;", "atomicExch(count, 0);"})});
  all.push_back(If{warps ? "lane == 0" : "t == 0", {If{arrive, std::move(last)}}});
  return all;
}

/// A value goes from a warp to its elected lane, from there to another warp, and to its lanes.
Block Generator::relays() {
  Block first{Line{"s[t] = v;"}}, second;
  maybe(first, "__syncwarp();");
  Block elected;
  if (chance(50)) {
    elected.push_back(Line{"u[0] = s[$0];", {integer({"0", "5", "31"})}});
    first.push_back(If{"lane == 0", std::move(elected)});
  }
  maybe(first, "__barrier_sync_count(1, 64);");
  maybe(second, "__barrier_sync_count(1, 64);");
  second.push_back(If{"lane == 0", {Line{oneOf({"u[32] = u[0];", "u[32] = s[3];"})}}});
  maybe(second, "__syncwarp();");
  second.push_back(Line{oneOf({"v += u[32];", "v += s[lane];", "v += u[0];"})});
  Block all{If{"w == 0", std::move(first)}, If{"w == 1", std::move(second)}};
  maybe(all, "__syncthreads();");
  return all;
}

} // namespace warpdrf::fuzz
