// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: the same primitives, barriers, fences and accesses under their other names.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Block Generator::ptxBarriers() {
  Block all{Line{"s[t] = v;"}};
  maybe(all, oneOf({"asm volatile(\"bar.sync 0;\" ::: \"memory\");",
                    "asm volatile(\"barrier.sync 0;\" ::: \"memory\");",
                    "asm volatile(\"bar.sync %0, %1;\" :: \"r\"(w + 1), \"n\"(32) : \"memory\");",
                    "asm volatile(\"bar.warp.sync %0;\" :: \"r\"(~0u) : \"memory\");",
                    "asm volatile(\"bar.sync %0, 64;\" :: \"r\"(w / 2 + 1) : \"memory\");"})
                 .c_str());
  all.push_back(
      Line{"v += s[$0];", {integer({"t ^ 1", "t ^ 32", "t ^ 16", "w * 32", "D - 1 - t"})}});
  maybe(all,
        oneOf({"asm volatile(\"barrier.sync 0;\" ::: \"memory\");", "__syncthreads();"}).c_str());
  if (chance(15))
    all = {If{condition(), std::move(all)}};
  return all;
}

/// One warp hands over to another without waiting for it.
Block Generator::arrivals() {
  const std::string id = number(1, 2), other = chance(90) ? id : "3",
                    count = chance(90) ? "64" : "96";
  Block producer{Line{oneOf({"s[t] = v;", "s[t] = v;", "s[lane & 3] = v;"})}}, consumer;
  maybe(producer,
        ("asm volatile(\"bar.arrive " + id + ", " + count + ";\" ::: \"memory\");").c_str());
  if (chance(20))
    producer.push_back(Line{oneOf({"s[t] = v + 1;", "v += u[lane];"})});
  maybe(consumer, ("asm volatile(\"bar.sync " + other + ", 64;\" ::: \"memory\");").c_str());
  consumer.push_back(Line{"v += s[$0];", {integer({"t - 32", "lane", "0"})}});
  if (chance(30))
    consumer.push_back(Line{"u[lane] = v;"});
  const bool loops = chance(25);
  Block all{If{"w == 0", std::move(producer)}, If{"w == 1", std::move(consumer)}};
  if (loops) {
    maybe(all, "__syncthreads();");
    all = {{"for (int k = 0; k < $0; ++k) {", {integer({"2", "n"})}, {{"", std::move(all)}}}};
  }
  maybe(all, "__syncthreads();");
  return all;
}

Block Generator::ptxShuffles() {
  const std::string full = oneOf({"0xffffffff", "0xffffffff", "0xffff"});
  Block all;
  switch (below(5)) {
  case 0:
    all = {Line{"asm volatile(\"shfl.sync.bfly.b32 %0, %1, $0, 0x1f, " + full +
                    ";\" : \"=r\"(x) : \"r\"(v));",
                {integer({"1", "8", "16"})}}};
    break;
  case 1:
    all = {Line{"asm volatile(\"shfl.sync.down.b32 %0, %1, $0, $1, " + full +
                    ";\" : \"=r\"(x) : \"r\"(v));",
                {integer({"1", "4", "8"}), integer({"0x1f", "0x181f", "0x1c1f"})}}};
    break;
  case 2:
    all = {Line{"asm volatile(\"shfl.sync.idx.b32 %0, %1, %2, $0, " + full +
                    ";\" : \"=r\"(x) : \"r\"(v), \"r\"($1));",
                {integer({"0x1f", "0x181f"}), integer({"0", "lane ^ 1", "n & 31", "3"})}}};
    break;
  case 3: // a step of a scan: who is out of range keeps what it has
    all = {Line{"asm volatile(\"{ .reg .s32 q; .reg .pred p; shfl.sync.up.b32 q|p, %1, $0, 0, " +
                    full + "; @p add.s32 q, q, %1; mov.s32 %0, q; }\" : \"=r\"(x) : \"r\"(v));",
                {integer({"1", "2", "4"})}}};
    break;
  default:
    all = {Line{"asm volatile(\"shfl.sync.up.b32 %0, %1, $0, 0, " + full +
                    ";\" : \"=r\"(x) : \"r\"(v));",
                {integer({"1", "2"})}}};
  }
  if (chance(30))
    all = {If{condition(), std::move(all)}};
  all.push_back(
      If{oneOf({"lane < 8", "lane >= 2", "t + 18 < D", "true"}), {Line{"h[b * D + t] = x;"}}});
  return all;
}

Block Generator::ptxVotes() {
  const Expression mask = this->mask(), said = condition();
  Block all;
  switch (below(5)) {
  case 0:
    all = {
        Line{"asm volatile(\"{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; "
             "}\" : \"=r\"(m) : \"r\"((int)($0)), \"r\"($1));",
             {said, mask}},
        If{said, {Line{"s[w * 32 + __popc(m & below)] = v;"}}}};
    break;
  case 1:
    all = {
        Line{"asm volatile(\"{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, %2; "
             "selp.s32 %0, 1, 0, q; }\" : \"=r\"(x) : \"r\"((int)($0)), \"r\"($1));",
             {said, mask}},
        If{"x", {Line{"v += __shfl_xor_sync(~0u, v, 1);"}}}};
    break;
  case 2:
    all = {
        Line{"asm volatile(\"redux.sync.add.s32 %0, %1, %2;\" : \"=r\"(x) : \"r\"(v), \"r\"($0));",
             {mask}},
        If{"lane == 0", {Line{"s[w] = x;"}}}};
    break;
  case 3:
    all = {
        Line{"asm volatile(\"match.any.sync.b32 %0, %1, %2;\" : \"=r\"(m) : \"r\"($0), \"r\"($1));",
             {integer({"t % 4", "v & 3", "n"}), mask}},
        If{"lane == __ffs(m) - 1", {Line{"atomicAdd(count, __popc(m));"}}}};
    break;
  default:
    all = {Line{"asm volatile(\"activemask.b32 %0;\" : \"=r\"(m));"},
           Line{"v += __reduce_add_sync(m, v);"}};
    all = {If{said, std::move(all)}};
  }
  maybe(all, "__syncthreads();");
  return all;
}

/// Loads, stores and fences with qualifiers; a message by a flag.
Block Generator::ptxMemory() {
  Block all;
  switch (below(4)) {
  case 0:
    all = {
        Line{
            "asm volatile(\"st.global.cg.s32 [%0], %1;\" :: \"l\"(g + $0), \"r\"(v) : \"memory\");",
            {globalIndex()}},
        Line{"asm volatile(\"ld.global.nc.s32 %0, [%1];\" : \"=r\"(x) : \"l\"(in + $0));",
             {integer({"t", "b", "b * D + t"})}}};
    break;
  case 1:
    all = {Line{"asm volatile(\"st.volatile.global.s32 [%0], %1;\" :: \"l\"(g + t), \"r\"(v));"}};
    maybe(all,
          oneOf({"__syncthreads();", "asm volatile(\"membar.cta;\" ::: \"memory\");"}).c_str());
    all.push_back(
        Line{"asm volatile(\"ld.volatile.global.s32 %0, [%1];\" : \"=r\"(x) : \"l\"(g + $0));",
             {integer({"t", "t ^ 1", "b * D + t"})}});
    break;
  case 2:
    all = {Line{
        oneOf({"asm volatile(\"red.global.add.s32 [%0], %1;\" :: \"l\"(g + $0), \"r\"(v) : "
               "\"memory\");",
               "asm volatile(\"atom.global.add.s32 %0, [%1], 1;\" : \"=r\"(x) : \"l\"(g + $0) : "
               "\"memory\");",
               "asm volatile(\"red.relaxed.cta.global.max.s32 [%0], %1;\" :: \"l\"(g + $0), "
               "\"r\"(v) : \"memory\");"}),
        {integer({"t", "b", "b * D + t", "0"})}}};
    if (chance(30))
      all.push_back(Line{"v += g[$0];", {integer({"t", "b * D + t", "0"})}});
    break;
  default:
    return ptxMessage();
  }
  maybe(all, "__syncthreads();");
  return all;
}

/// The first block leaves a message for the others, with a flag that is stored and loaded in PTX.
Block Generator::ptxMessage() {
  const std::string order = oneOf({"release.gpu", "release.gpu", "relaxed.gpu", "release.cta"});
  const std::string wanted = oneOf({"acquire.gpu", "acquire.gpu", "relaxed.gpu", "acquire.cta"});
  Block producer{Line{"g[0] = v;"}};
  if (chance(40))
    producer.push_back(Line{oneOf({"asm volatile(\"membar.gl;\" ::: \"memory\");",
                                   "asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");",
                                   "asm volatile(\"membar.cta;\" ::: \"memory\");"})});
  producer.push_back(
      Line{"asm volatile(\"st." + order + ".global.s32 [%0], 1;\" :: \"l\"(count) : \"memory\");"});
  Block consumer{Line{"asm volatile(\"ld." + wanted +
                      ".global.s32 %0, [%1];\" : \"=r\"(x) : \"l\"(count) : \"memory\");"}};
  Block reader;
  if (chance(40))
    reader.push_back(
        Line{oneOf({"asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\");", "__threadfence();"})});
  reader.push_back(Line{"v += g[0];"});
  consumer.push_back(If{chance(90) ? "x == 1" : "x == 0", std::move(reader)});
  Statement all = If{"b == 0 && t == 0", std::move(producer)};
  all.arms.push_back({"} else if (b > 0) {", std::move(consumer)});
  return {std::move(all)};
}

} // namespace warpdrf::fuzz
