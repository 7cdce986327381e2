// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CONTRACT 2.3 for one instance: who is missing, and why.
#include "analysis/interpreter/machine.h"
#include "analysis/ir/dialect.h"

namespace warpdrf::interpreter {

Lanes Machine::launched(std::uint32_t warp) const {
  Lanes result;
  const std::uint32_t first = warp * launch.width;
  for (unsigned lane = 0; lane < launch.width && first + lane < threadsPerBlock; ++lane)
    result.set(lane);
  return result;
}

Lanes Machine::lanesOf(const std::vector<Thread *> &members) const {
  Lanes result;
  for (const Thread *thread : members)
    result.set(laneOf(*thread));
  return result;
}

/// All ones means every lane, however wide the warp is.
Lanes Machine::masked(std::uint32_t mask) const {
  return mask == ~std::uint32_t{0} ? Lanes().set() : Lanes(mask);
}

/// "lanes 0-15, 20".
std::string Machine::shown(const Lanes &lanes) const {
  std::string result = lanes.count() == 1 ? "lane " : "lanes ";
  bool first = true;
  for (unsigned lane = 0; lane < launch.width; ++lane) {
    if (!lanes[lane])
      continue;
    unsigned end = lane;
    while (end + 1 < launch.width && lanes[end + 1])
      ++end;
    result +=
        (first ? "" : ", ") + std::to_string(lane) + (end > lane ? "-" + std::to_string(end) : "");
    first = false;
    lane = end;
  }
  return result;
}

void Machine::fault(const std::string &rule, const std::string &message, std::uint32_t pc,
                    const Block &block, const Thread &thread, std::optional<std::size_t> instance) {
  const std::uint64_t key = mix(std::hash<std::string>{}(rule), pc);
  auto [known, isNew] = knownFaults.try_emplace(key, result.faults.size());
  if (!isNew) {
    ++result.faults[known->second].count;
    return;
  }
  Fault made;
  made.rule = rule;
  made.message = message;
  made.place = code.place(pc);
  made.thread = threadId(block.index, thread.index);
  made.instance = instance;
  result.faults.push_back(std::move(made));
}

/// Whether a target that reconverges as SPIR-V's maximal reconvergence says groups these threads:
/// not those that came to a case of a switch through different selectors.
Configuration Machine::weakestOf(const std::vector<Thread *> &members, bool complete) const {
  if (complete)
    return Configuration::Cuda;
  const Thread &first = *members.front();
  for (const PathStep &step : code.scopes[code.scopeOf[first.pc]].path)
    if (step.isSwitch)
      for (const Thread *thread : members)
        if (thread->registers[step.count] != first.registers[step.count])
          return Configuration::Fmr;
  return Configuration::Smr;
}

std::optional<std::size_t> Machine::record(const Block &block, const Thread &leader,
                                           std::uint32_t site, Instance instance,
                                           const std::vector<Thread *> &members, bool complete) {
  const std::uint64_t time = result.instanceCount++;
  const Configuration weakest = weakestOf(members, complete);
  result.weakest = std::max(result.weakest, weakest);
  if (result.instances.size() >= launch.limits.instances)
    return std::nullopt;
  instance.site = site;
  instance.weakest = weakest;
  instance.time = time;
  instance.coordinates = coordinates(code, standing(leader));
  result.instances.push_back(std::move(instance));
  const std::size_t index = result.instances.size() - 1;
  if (drawing)
    for (const Thread *thread : members)
      noteInstance(block, *thread, index);
  return index;
}

/// A thread that went past the instance and left the kernel later may as well be on its way still.
bool Machine::exitedBefore(const Thread &thread, const Thread &leader) const {
  return thread.wait == Wait::Exited &&
         relate(code, standing(thread), standing(leader)) != Relation::Passed;
}

/// A whole warp that meets at calls in different arms of a branch; a note at each of them.
void Machine::noteArms(Block &block, const std::vector<Thread *> &members,
                       const PrimitiveInfo &info, std::optional<std::size_t> instance) {
  std::vector<const Thread *> calls; // the first thread at each
  for (const Thread *thread : members)
    if (std::ranges::find(calls, thread->pc, &Thread::pc) == calls.end())
      calls.push_back(thread);
  for (const Thread *thread : calls)
    if (calls.size() > 1)
      fault("partial-warp", code.sites[info.site].name + ": lanes meet from both arms of a branch",
            thread->pc, block, *thread, instance);
}

void Machine::judge(Block &block, std::uint32_t warp, const std::vector<Thread *> &members,
                    const Lanes &sameInstance, std::optional<std::uint32_t> mask,
                    const PrimitiveInfo &info, std::optional<std::size_t> instance) {
  const Lanes all = launched(warp), here = lanesOf(members);
  if (here == all && (!mask || (masked(*mask) & all) == all))
    return noteArms(block, members, info, instance);
  const Lanes named = mask ? masked(*mask) & all : all;
  const Thread &leader = *members.front();
  Lanes exited;
  for (unsigned lane = 0; lane < launch.width; ++lane)
    if (all[lane] && exitedBefore(block.threads[warp * launch.width + lane], leader))
      exited.set(lane);
  const std::string &name = code.sites[info.site].name;
  const auto say = [&](const char *rule, const std::string &message) {
    fault(rule, name + ": " + message, leader.pc, block, leader, instance);
  };
  const Lanes missing = named & ~here;
  if (const Lanes outside = here & ~named; outside.any())
    say("mask-mismatch", shown(outside) + " not named by the mask passed");
  if (const Lanes other = missing & sameInstance & ~exited; other.any())
    say("mask-mismatch",
        shown(other) + " named by the mask of " + shown(here) + " but passing another mask");
  if (const Lanes absent = missing & ~sameInstance & ~exited; absent.any())
    say("divergent-primitive", "executed by " + shown(here) + " without " + shown(absent));
  if (const Lanes gone = missing & exited; gone.any())
    say("exited-lanes", shown(gone) + " named but no longer in the kernel");
  if (missing.none() && here != all && (here & ~named).none())
    say("partial-warp", "mask and participants are " + shown(here) + " of " + shown(all));
}

void Machine::judgeBarrier(Block &block, const std::vector<Thread *> &members,
                           const BarrierInfo &info, std::optional<std::size_t> instance) {
  if (members.size() == threadsPerBlock)
    return;
  const Thread &leader = *members.front();
  const std::string &name = code.sites[info.site].name;
  std::vector<bool> here(threadsPerBlock);
  for (const Thread *thread : members)
    here[thread->index] = true;
  std::size_t exited = 0, absent = 0;
  const Thread *example = nullptr;
  for (const Thread &thread : block.threads) {
    if (here[thread.index])
      continue;
    if (exitedBefore(thread, leader)) {
      ++exited;
    } else {
      ++absent;
      if (!example)
        example = &thread;
    }
  }
  if (absent)
    fault("divergent-barrier",
          name + ": reached by " + std::to_string(members.size()) + " threads, but not by " +
              std::to_string(absent) + " others, such as " + describe(block.index, example->index),
          leader.pc, block, leader, instance);
  if (exited)
    fault("exited-lanes",
          name + ": " + std::to_string(exited) + " threads of the block have left the kernel",
          leader.pc, block, leader, instance);
}

} // namespace warpdrf::interpreter
