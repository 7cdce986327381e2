// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay.h"

#include "analysis/ir/dialect.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace warpdrf {

using namespace interpreter;

bool canReplay(const Finding &finding) {
  static const std::set<std::string> rules = {
      "race",          "same-value-race",   "divergent-primitive",
      "mask-mismatch", "divergent-barrier", "undefined-lane-value",
      "partial-warp",  "exited-lanes",      "uninitialized-shared"};
  return finding.witness && rules.contains(finding.rule);
}

static const Range *otherAccess(const Finding &finding) {
  for (const Related &related : finding.related)
    if (related.role == Related::Role::Access)
      return &related.range;
  return nullptr;
}

static bool showsRace(const Execution &execution, const Finding &finding) {
  const Range *other = otherAccess(finding);
  return std::ranges::any_of(execution.races, [&](const Race &race) {
    const Range &first = race.first.place.range, &second = race.second.place.range;
    const bool places = (first == finding.primary && other && second == *other) ||
                        (second == finding.primary && other && first == *other);
    if (!places)
      return false;
    if (finding.rule == "same-value-race")
      return race.sameValue;
    return !race.sameValue && (!race.onlyConsumerFence || finding.severity < Severity::Warning);
  });
}

bool shows(const Execution &execution, const Finding &finding) {
  if (finding.rule == "race" || finding.rule == "same-value-race")
    return showsRace(execution, finding);
  return std::ranges::any_of(execution.faults, [&](const Fault &fault) {
    return fault.rule == finding.rule && fault.place.range == finding.primary;
  });
}

namespace {

/// What is free in a witness, chosen in one of several ways.
struct Choice {
  Array::Fill fill;
  double value;        ///< of Constant
  std::uint64_t seed;  ///< of Random
  std::int64_t scalar; ///< of parameters that the witness does not name
};
constexpr std::array<Choice, 8> choices = {{
    {Array::Fill::Random, 0, 1, 40},
    {Array::Fill::Zeros, 0, 0, 40},
    {Array::Fill::Iota, 0, 0, 7},
    {Array::Fill::Constant, 1, 0, 64},
    {Array::Fill::Random, 0, 2, 1},
    {Array::Fill::Random, 0, 3, 128},
    {Array::Fill::Constant, 200, 0, 2},
    {Array::Fill::Random, 0, 4, 1000},
}};

std::optional<std::int64_t> given(const Witness &witness, const std::string &name) {
  auto found = witness.values.find(name);
  if (found == witness.values.end())
    return std::nullopt;
  std::int64_t value = 0;
  const char *end = found->second.data() + found->second.size();
  if (auto [at, error] = std::from_chars(found->second.data(), end, value);
      error != std::errc() || at != end)
    return std::nullopt;
  return value;
}

Argument argumentFor(const Parameter &parameter, const Witness &witness, const Choice &choice,
                     std::uint64_t elements) {
  Array array;
  array.fill = choice.fill;
  array.value = choice.value;
  array.count = elements;
  switch (parameter.kind) {
  case Parameter::Kind::Scalar:
    return Scalar(given(witness, parameter.name).value_or(choice.scalar));
  case Parameter::Kind::Pointer:
    if (!parameter.element) // not accessed, or as several types
      array.element = Element::I32;
    return array;
  case Parameter::Kind::Record:
    return Record();
  case Parameter::Kind::Object:
    array.count = std::max<std::uint64_t>(
        parameter.size / (parameter.element ? sizeOf(*parameter.element) : 1), 1);
    if (!parameter.element)
      array.element = Element::I8;
    return array;
  }
  return Scalar(0);
}

bool fits(const Witness &witness, const ReplayLimits &limits) {
  std::int64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::int64_t extent : {witness.block[axis], witness.grid[axis]}) {
      if (extent < 1 || extent > limits.threads)
        return false;
      threads *= extent;
      if (threads > limits.threads)
        return false;
    }
  return true;
}

} // namespace

Replay replay(const Program &program, const Finding &finding, unsigned warpWidth,
              const ReplayLimits &limits) {
  if (!canReplay(finding) || !fits(*finding.witness, limits))
    return Replay::NotRun;
  const auto deadline = std::chrono::steady_clock::now() + limits.time;
  const Witness &witness = *finding.witness;
  Launch launch;
  launch.block = witness.block;
  launch.grid = witness.grid;
  launch.width = warpWidth;
  launch.sharedBytes = 64 << 10;
  launch.memory = false;
  launch.limits.memory = 512ull << 20;
  launch.limits.instances = 0;
  bool ran = false;
  std::uint64_t elements = limits.elements;
  for (const Choice &choice : choices)
    // Threads that run one after the other hide a race behind another one on the same cell.
    for (Schedule schedule : {Schedule::Reference, Schedule::Random}) {
      launch.schedule = schedule;
      launch.seed = choice.seed;
      for (bool larger = false;; larger = true) {
        const std::chrono::duration<double> left = deadline - std::chrono::steady_clock::now();
        if (left.count() <= 0)
          return ran ? Replay::NotReproduced : Replay::NotRun;
        launch.limits.seconds = left.count();
        launch.arguments.clear();
        for (const Parameter &parameter : program.parameters())
          launch.arguments[parameter.name] = argumentFor(parameter, witness, choice, elements);
        const Execution execution = program.run(launch);
        if (shows(execution, finding))
          return Replay::Reproduced;
        ran |= execution.finished();
        if (execution.ending != Ending::OutOfBounds || larger)
          break;
        elements = limits.elements * 64;
      }
    }
  return ran ? Replay::NotReproduced : Replay::NotRun;
}

void confirm(std::vector<Finding> &findings, mlir::ModuleOp module, const std::string &kernel,
             const std::string &path, unsigned warpWidth) {
  const auto worthwhile = [](const Finding &finding) {
    return finding.confidence == Confidence::Modelled && canReplay(finding);
  };
  if (std::ranges::none_of(findings, worthwhile))
    return;
  std::string error;
  const std::optional<Program> program = Program::compile(module, path, kernel, error);
  if (!program)
    return;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (Finding &finding : findings)
    if (worthwhile(finding) && std::chrono::steady_clock::now() < deadline &&
        replay(*program, finding, warpWidth, ReplayLimits()) == Replay::Reproduced)
      finding.confidence = Confidence::Confirmed;
}

} // namespace warpdrf
