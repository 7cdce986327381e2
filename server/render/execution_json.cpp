// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/execution.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warpdrf::render {

using namespace interpreter;
using Json = nlohmann::ordered_json;

static Json rangeJson(const Range &range) {
  return {{"file", range.file},
          {"line", range.begin.line},
          {"column", range.begin.column},
          {"end_line", range.end.line},
          {"end_column", range.end.column}};
}

static Json placeJson(const Place &place) {
  Json result = rangeJson(place.range);
  result["calls"] = Json::array();
  for (const Range &call : place.calls)
    result["calls"].push_back(rangeJson(call));
  return result;
}

static Json threadJson(const ThreadId &thread) {
  return {{"block", thread.block},
          {"thread", thread.thread},
          {"warp", thread.warp},
          {"lane", thread.lane}};
}

static ThreadId threadOf(const std::pair<std::uint32_t, std::uint32_t> &thread,
                         const Launch &launch) {
  const auto triple = [](std::int64_t index, const std::array<std::int64_t, 3> &extent) {
    return std::array<std::int64_t, 3>{index % extent[0], index / extent[0] % extent[1],
                                       index / extent[0] / extent[1]};
  };
  return {triple(thread.first, launch.grid),
          triple(thread.second, launch.block),
          thread.first,
          thread.second,
          thread.second / launch.width,
          thread.second % launch.width};
}

static Json lanesJson(const Lanes &lanes) {
  Json result = Json::array();
  for (unsigned lane = 0; lane < maximalWidth; ++lane)
    if (lanes[lane])
      result.push_back(lane);
  return result;
}

static Json instanceJson(const Instance &instance, const Execution &execution) {
  Json result = {
      {"site", instance.site}, {"coordinates", instance.coordinates}, {"block", instance.block}};
  if (execution.sites[instance.site].barrier) {
    // A barrier's participants, warp by warp; of a grid barrier, block by block before that.
    result["warps"] = Json::array();
    for (const Lanes &lanes : instance.warps)
      result["warps"].push_back(lanesJson(lanes));
  } else {
    result["warp"] = instance.warp;
    result["participants"] = lanesJson(instance.participants);
    result["mask"] = instance.mask ? Json(*instance.mask) : Json(nullptr);
  }
  result["weakest"] = configurationName(instance.weakest);
  return result;
}

static Json accessJson(const Access &access) {
  return {{"kind", accessName(access)},
          {"place", placeJson(access.place)},
          {"by", threadJson(access.thread)},
          {"by_warp", access.byWarp},
          {"asynchronous", access.asynchronous}};
}

static Json raceJson(const Race &race) {
  static const char *const scopes[] = {"thread", "warp", "block", "cluster", "grid"};
  static const char *const spaces[] = {"shared", "global", "local", "param", "constant"};
  return {{"scope", scopes[static_cast<int>(race.scope)]},
          {"space", spaces[static_cast<int>(race.space)]},
          {"object", race.object},
          {"offset", race.offset},
          {"size", race.size},
          {"same_value", race.sameValue},
          {"only_consumer_fence", race.onlyConsumerFence},
          {"count", race.count},
          {"first", accessJson(race.first)},
          {"second", accessJson(race.second)}};
}

static Json faultJson(const Fault &fault) {
  return {{"rule", fault.rule},
          {"message", fault.message},
          {"place", placeJson(fault.place)},
          {"by", threadJson(fault.thread)},
          {"instance", fault.instance ? Json(*fault.instance) : Json(nullptr)},
          {"count", fault.count}};
}

static Json eventJson(const TimelineEvent &event) {
  static const char *const kinds[] = {"enter", "iteration", "instance", "race", "race", "exit"};
  using Kind = TimelineEvent::Kind;
  Json result = {{"kind", kinds[static_cast<int>(event.kind)]},
                 {"row", event.row},
                 {"place", rangeJson(event.range)}};
  if (!event.label.empty())
    result["label"] = event.label;
  if (event.kind == Kind::Instance || event.kind == Kind::RaceFirst ||
      event.kind == Kind::RaceSecond)
    result["index"] = event.index;
  if (event.kind == Kind::RaceFirst || event.kind == Kind::RaceSecond)
    result["access"] = event.kind == Kind::RaceFirst ? "first" : "second";
  return result;
}

/// What a thread did, in program order. It may race many times at one place.
static Json pathJson(const std::pair<std::uint32_t, std::uint32_t> &thread, const Launch &launch,
                     const Execution &execution) {
  Json events = Json::array();
  for (const TimelineEvent &event : execution.timeline) {
    if (event.block != thread.first || event.thread != thread.second)
      continue;
    Json json = eventJson(event);
    if (events.empty() || events.back() != json)
      events.push_back(std::move(json));
  }
  return {{"by", threadJson(threadOf(thread, launch))}, {"events", std::move(events)}};
}

/// A whole number stays one; what JSON cannot say ("nan", "inf") is a text.
static Json valueJson(const std::string &text) {
  std::int64_t whole = 0;
  double real = 0;
  const char *const begin = text.data(), *const end = begin + text.size();
  if (std::from_chars(begin, end, whole).ptr == end)
    return whole;
  if (std::from_chars(begin, end, real).ptr == end && std::isfinite(real))
    return real;
  return text;
}

static Json memoryJson(const FinalArray &array, std::size_t most) {
  Json result = {{"name", array.name}, {"bytes", array.bytes.size()}};
  if (array.element) {
    const unsigned size = sizeOf(*array.element);
    Json values = Json::array();
    const std::size_t count = array.bytes.size() / size;
    for (std::size_t i = 0; i < std::min(count, most) * size; i += size) {
      values.push_back(valueJson(elementText(*array.element, array.bytes.data() + i)));
    }
    result["values"] = std::move(values);
    result["left_out"] = count - std::min(count, most);
  }
  return result;
}

std::string executionJson(const std::string &kernel, const Launch &launch,
                          const Execution &execution, const Chosen &chosen,
                          const JsonExtent &extent) {
  Json result = {{"version", 1},
                 {"kernel", kernel},
                 {"block", launch.block},
                 {"grid", launch.grid},
                 {"width", launch.width},
                 {"seed", launch.seed},
                 {"ending", endingName(execution.ending)},
                 {"message", execution.message},
                 {"place", execution.place ? placeJson(*execution.place) : Json(nullptr)},
                 {"weakest", configurationName(execution.weakest)},
                 {"steps", execution.steps},
                 {"instance_count", execution.instanceCount}};
  for (const char *name : {"sites", "instances", "races", "faults", "memory"})
    result[name] = Json::array();
  for (const Site &site : execution.sites)
    result["sites"].push_back(
        {{"name", site.name}, {"barrier", site.barrier}, {"place", placeJson(site.place)}});
  for (const Instance &instance : execution.instances)
    result["instances"].push_back(instanceJson(instance, execution));
  for (const Race &race : execution.races)
    result["races"].push_back(raceJson(race));
  for (const Fault &fault : execution.faults)
    result["faults"].push_back(faultJson(fault));
  for (const FinalArray &array : execution.memory)
    result["memory"].push_back(memoryJson(array, extent.values));
  if (!chosen.arguments.empty())
    result["chosen"] = chosen.arguments;
  if (chosen.sharedBytes)
    result["chosen_shared"] = chosen.sharedBytes;
  for (const auto &thread : launch.follow)
    result["paths"].push_back(pathJson(thread, launch, execution));
  return result.dump(extent.compact ? -1 : 2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace warpdrf::render
