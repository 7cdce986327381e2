// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/execution.h"

#include "analysis/report/race_message.h"

#include <sstream>

namespace warpdrf::render {

using namespace interpreter;

const char *endingName(Ending ending) {
  switch (ending) {
  case Ending::Finished:
    return "finished";
  case Ending::Unsupported:
    return "unsupported";
  case Ending::OutOfBounds:
    return "out-of-bounds";
  case Ending::DivisionByZero:
    return "division-by-zero";
  case Ending::Deadlock:
    return "deadlock";
  case Ending::StepLimit:
    return "step-limit";
  case Ending::TimeLimit:
    return "time-limit";
  case Ending::MemoryLimit:
    return "memory-limit";
  case Ending::Assumption:
    return "assumption";
  case Ending::MissingArgument:
    return "missing-argument";
  case Ending::BadArgument:
    return "bad-argument";
  }
  return "";
}

const char *configurationName(Configuration configuration) {
  return configuration == Configuration::Cuda  ? "cuda"
         : configuration == Configuration::Smr ? "smr"
                                               : "fmr";
}

const char *accessName(const Access &access) {
  return access.kind == Access::Kind::Read    ? "read"
         : access.kind == Access::Kind::Write ? "write"
                                              : "atomic";
}

std::string shownRange(const Range &range) {
  if (!range.valid())
    return range.file;
  return range.file + ":" + std::to_string(range.begin.line) + ":" +
         std::to_string(range.begin.column);
}

static std::string triple(const std::array<std::int64_t, 3> &value,
                          const std::array<std::int64_t, 3> &extent) {
  if (extent[1] == 1 && extent[2] == 1)
    return std::to_string(value[0]);
  return "(" + std::to_string(value[0]) + "," + std::to_string(value[1]) + "," +
         std::to_string(value[2]) + ")";
}

std::string shownThread(const ThreadId &thread, const Launch &launch) {
  std::string text = "thread " + triple(thread.thread, launch.block);
  if (launch.grid[0] * launch.grid[1] * launch.grid[2] > 1)
    text += " of block " + triple(thread.block, launch.grid);
  return text + " (warp " + std::to_string(thread.warp) + ", lane " + std::to_string(thread.lane) +
         ")";
}

std::string shownLanes(const Lanes &lanes) {
  std::string result;
  for (unsigned lane = 0; lane < maximalWidth; ++lane) {
    if (!lanes[lane])
      continue;
    unsigned end = lane;
    while (end + 1 < maximalWidth && lanes[end + 1])
      ++end;
    result += (result.empty() ? "" : ", ") + std::to_string(lane) +
              (end > lane ? "-" + std::to_string(end) : "");
    lane = end;
  }
  return result;
}

std::string counted(std::uint64_t count, const std::string &what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

static void callsText(std::ostream &out, const Place &place) {
  for (const Range &call : place.calls)
    out << "    called from " << shownRange(call) << "\n";
}

static void accessText(std::ostream &out, const char *which, const Access &access,
                       const Launch &launch) {
  out << "  " << which << ": " << shownRange(access.place.range) << ": "
      << (access.asynchronous ? "asynchronous " : "") << accessName(access) << " by "
      << (access.byWarp ? "the warp of " : "") << shownThread(access.thread, launch) << "\n";
  callsText(out, access.place);
}

static void raceText(std::ostream &out, const Race &race, const Launch &launch) {
  static const char *const scopes[] = {"", "within a warp", "between warps of a block", "",
                                       "between blocks"};
  out << shownRange(race.second.place.range) << ": race on '"
      << cellName(race.object, race.offset, race.size) << "', "
      << scopes[static_cast<int>(race.scope)];
  if (race.count > 1)
    out << ", " << race.count << " conflicts";
  if (race.sameValue)
    out << "; both store the same value";
  if (race.onlyConsumerFence)
    out << "; only the reader's fence is missing";
  out << "\n";
  accessText(out, "first", race.first, launch);
  accessText(out, "second", race.second, launch);
}

static void instanceText(std::ostream &out, const Execution &execution, const Instance &instance,
                         const Launch &launch) {
  const Site &site = execution.sites[instance.site];
  out << "  " << shownRange(site.place.range) << ": " << site.name << " (";
  for (std::size_t i = 0; i < instance.coordinates.size(); ++i)
    out << (i ? "," : "") << instance.coordinates[i];
  out << ")";
  if (launch.grid[0] * launch.grid[1] * launch.grid[2] > 1)
    out << " block " << instance.block;
  if (site.barrier) {
    std::size_t threads = 0;
    for (const Lanes &lanes : instance.warps)
      threads += lanes.count();
    out << ": " << threads << " threads";
  } else {
    out << " warp " << instance.warp << ": " << instance.participants.count() << " lanes, "
        << shownLanes(instance.participants);
  }
  if (instance.weakest != Configuration::Cuda)
    out << "; not guaranteed by cuda" << (instance.weakest == Configuration::Fmr ? " or smr" : "");
  out << "\n";
}

static void memoryText(std::ostream &out, const FinalArray &array) {
  constexpr std::size_t shownBytes = 64;
  out << "  " << array.name << ": " << array.bytes.size() << " bytes";
  if (array.element) {
    out << ",";
    const unsigned size = sizeOf(*array.element);
    for (std::size_t i = 0; i + size <= std::min(array.bytes.size(), shownBytes); i += size)
      out << " " << elementText(*array.element, array.bytes.data() + i);
    if (array.bytes.size() > shownBytes)
      out << " …";
  }
  out << "\n";
}

std::string chosenText(const Chosen &chosen) {
  std::string text;
  for (const auto &[name, value] : chosen.arguments)
    text += " --arg " + name + "=" + value;
  if (chosen.sharedBytes)
    text += " --shared " + std::to_string(chosen.sharedBytes);
  return text.empty() ? "" : "chosen:" + text + "\n";
}

std::string executionText(const std::string &kernel, const Launch &launch,
                          const Execution &execution) {
  constexpr std::size_t shownInstances = 40;
  std::ostringstream out;
  for (const Race &race : execution.races)
    raceText(out, race, launch);
  for (const Fault &fault : execution.faults) {
    out << shownRange(fault.place.range) << ": " << fault.rule << ": " << fault.message;
    if (fault.count > 1)
      out << " (" << fault.count << " times)";
    out << "\n    first by " << shownThread(fault.thread, launch) << "\n";
    callsText(out, fault.place);
  }
  if (!execution.finished()) {
    if (execution.place)
      out << shownRange(execution.place->range) << ": ";
    out << execution.message << "\n";
    if (execution.place)
      callsText(out, *execution.place);
  }
  if (execution.instanceCount) {
    out << "instances: " << execution.instanceCount << "\n";
    for (std::size_t i = 0; i < std::min(execution.instances.size(), shownInstances); ++i)
      instanceText(out, execution, execution.instances[i], launch);
    if (execution.instanceCount > shownInstances)
      out << "  … (--format json has more)\n";
  }
  if (!execution.memory.empty() && execution.finished()) {
    out << "memory:\n";
    for (const FinalArray &array : execution.memory)
      memoryText(out, array);
  }
  out << kernel << ": " << endingName(execution.ending) << ", "
      << counted(execution.races.size(), "race") << ", "
      << counted(execution.faults.size(), "other finding") << ", weakest configuration "
      << configurationName(execution.weakest) << ", " << counted(execution.steps, "step") << "\n";
  return out.str();
}

} // namespace warpdrf::render
