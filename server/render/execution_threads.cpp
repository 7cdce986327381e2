// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads are worth following.
#include "server/render/execution.h"

namespace warpdrf::render {

using namespace interpreter;

static std::uint32_t threadsPerBlock(const Launch &launch) {
  return static_cast<std::uint32_t>(launch.block[0] * launch.block[1] * launch.block[2]);
}

/// Whether a thread of the block took part. A grid barrier's warps are those of all blocks.
static bool tookPart(const Instance &instance, std::uint32_t thread, bool barrier,
                     const Launch &launch) {
  const unsigned warp = thread / launch.width, lane = thread % launch.width;
  if (!barrier)
    return warp == instance.warp && instance.participants[lane];
  return warp < instance.warps.size() && instance.warps[warp][lane];
}

/// Of a warp primitive a lane of the same warp, of a barrier any thread of the block.
static std::optional<std::uint32_t> absentFrom(const Instance &instance, bool barrier,
                                               const Launch &launch) {
  const std::uint32_t count = threadsPerBlock(launch);
  for (std::uint32_t thread = 0; thread < count; ++thread)
    if ((barrier || thread / launch.width == instance.warp) &&
        !tookPart(instance, thread, barrier, launch))
      return thread;
  return std::nullopt;
}

Threads followedThreads(const Launch &launch, const Execution &execution) {
  if (!execution.races.empty()) {
    const Race &race = execution.races.front();
    return {{race.first.thread.blockIndex, race.first.thread.threadIndex},
            {race.second.thread.blockIndex, race.second.thread.threadIndex}};
  }
  for (const Fault &fault : execution.faults) {
    Threads result = {{fault.thread.blockIndex, fault.thread.threadIndex}};
    if (fault.instance) {
      const Instance &instance = execution.instances[*fault.instance];
      const bool barrier = execution.sites[instance.site].barrier;
      if (auto absent = absentFrom(instance, barrier, launch))
        result.emplace_back(fault.thread.blockIndex, *absent);
    }
    return result;
  }
  const std::uint32_t block = launch.onlyBlocks.empty() ? 0 : launch.onlyBlocks.front();
  if (threadsPerBlock(launch) > 1)
    return {{block, 0}, {block, 1}};
  return {{block, 0}};
}

} // namespace warpdrf::render
