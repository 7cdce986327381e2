// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that go on while the thread does: by the pipeline primitives, by a thread's own
// cuda::pipeline, in PTX.
#include "analysis/fuzz/generator.h"

namespace warpdrf::fuzz {

Statement Generator::asyncCopy(const std::string &to, const std::string &from) {
  if (chance(70))
    return Line{"__pipeline_memcpy_async(&" + to + ", &" + from + ", 4);"};
  return Line{"asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
              "\"r\"((unsigned)__cvta_generic_to_shared(&" +
              to + ")), \"l\"(&" + from + ") : \"memory\");"};
}

/// Copies, a wait, a barrier, and a look at what was copied.
Block Generator::asyncCopies() {
  const bool asm_ = chance(30);
  Block all{
      asyncCopy("s[" + oneOf({"t", "t", "t ^ 1", "lane", "D - 1 - t"}) + "]", "in[b * D + t]")};
  if (chance(25))
    all.push_back(Line{oneOf({"v += s[t];", "s[t] = v;", "v += 1;"})});
  maybe(all,
        asm_ ? "asm volatile(\"cp.async.commit_group;\" ::: \"memory\");" : "__pipeline_commit();");
  maybe(all, asm_ ? "asm volatile(\"cp.async.wait_group 0;\" ::: \"memory\");"
                  : "__pipeline_wait_prior(0);");
  const char *barriers[] = {"__syncthreads();", "__syncthreads();", "__syncwarp();"};
  maybe(all, barriers[below(3)]);
  all.push_back(Line{"v += s[$0];", {integer({"t", "t", "t ^ 1", "0", "D - 1 - t"})}});
  maybe(all, "__syncthreads();");
  return all;
}

/// The next stage is on its way while this one is used.
Block Generator::asyncStages() {
  Block body{asyncCopy("s[((k + 1) & 1) * 2048 + t]", "in[(k + 1) * D + t]"),
             Line{"__pipeline_commit();"},
             Line{oneOf({"__pipeline_wait_prior(1);", "__pipeline_wait_prior(1);",
                         "__pipeline_wait_prior(0);", "__pipeline_wait_prior(2);"})}};
  maybe(body, "__syncthreads();");
  body.push_back(Line{"v += s[(k & 1) * 2048 + $0];", {integer({"t", "t ^ 1", "(t + 1) % D"})}});
  maybe(body, "__syncthreads();");
  Block all{asyncCopy("s[t]", "in[t]"), Line{"__pipeline_commit();"}};
  all.push_back(
      {"for (int k = 0; k < $0; ++k) {", {integer({"3", "2", "n & 7"})}, {{"", std::move(body)}}});
  maybe(all, "__pipeline_wait_prior(0);");
  maybe(all, "__syncthreads();");
  return all;
}

/// A thread's own pipeline.
Block Generator::ownPipeline() {
  const std::string to = oneOf({"s[t]", "s[t]", "s[t ^ 1]"}),
                    next = oneOf({"u[t]", "s[t]", "s[2048 + t]"});
  Block body{Line{"auto pipe = cuda::make_pipeline();"}, Line{"pipe.producer_acquire();"},
             Line{"cuda::memcpy_async(&" + to + ", &in[t], sizeof(int), pipe);"},
             Line{"pipe.producer_commit();"}};
  if (chance(50)) {
    body.push_back(Line{"pipe.producer_acquire();"});
    body.push_back(Line{"cuda::memcpy_async(&" + next + ", &in[D + t], sizeof(int), pipe);"});
    body.push_back(Line{"pipe.producer_commit();"});
  }
  maybe(body, oneOf({"pipe.consumer_wait();", "pipe.consumer_wait();",
                     "cuda::pipeline_consumer_wait_prior<0>(pipe);",
                     "cuda::pipeline_consumer_wait_prior<1>(pipe);"})
                  .c_str());
  maybe(body, "__syncthreads();");
  body.push_back(Line{oneOf({"v += s[t];", "v += s[t ^ 1];", "v += u[t];"})});
  body.push_back(Line{"pipe.consumer_release();"});
  Block all{{"{", {}, {{"", std::move(body)}}}};
  maybe(all, "__pipeline_wait_prior(0);");
  maybe(all, "__syncthreads();");
  return all;
}

} // namespace warpdrf::fuzz
