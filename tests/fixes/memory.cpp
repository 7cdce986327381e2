// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fixes/proof.h"

#include "analysis/replay_launch.h"

#include <algorithm>

namespace warpdrf::test {

using namespace interpreter;

namespace {

/// Inputs: contents of arrays, and the value of numbers that no witness names.
const std::vector<Choice> inputs = {
    {Array::Fill::Random, 0, 1, 64},  {Array::Fill::Random, 0, 2, 40},
    {Array::Fill::Random, 0, 3, 256}, {Array::Fill::Iota, 0, 4, 128},
    {Array::Fill::Constant, 1, 5, 3}, {Array::Fill::Random, 0, 6, 1000},
    {Array::Fill::Zeros, 0, 7, 512},
};
constexpr unsigned wanted = 3;

/// The first launch that is known exactly, else the finding's; of a long grid the first blocks.
Launch launchOf(const Finding &finding, const KernelReport *report) {
  Launch launch;
  launch.block = {64, 1, 1};
  launch.grid = {2, 1, 1};
  if (finding.witness) {
    launch.block = finding.witness->block;
    launch.grid = finding.witness->grid;
  }
  for (const LaunchDims &dims : report ? report->launches : std::vector<LaunchDims>())
    if (std::ranges::all_of(dims.block, [](const auto &each) { return each.has_value(); })) {
      for (std::size_t axis = 0; axis < 3; ++axis)
        launch.block[axis] = *dims.block[axis];
      break;
    }
  for (std::int64_t &blocks : launch.grid)
    blocks = std::clamp<std::int64_t>(blocks, 1, 2);
  launch.sharedBytes = 16 << 10;
  launch.limits.steps = 20'000'000;
  launch.limits.seconds = 10;
  launch.limits.instances = 0;
  return launch;
}

bool nothingWrong(const Execution &execution) {
  return execution.finished() && !execution.hasRace() &&
         std::ranges::all_of(execution.faults, [](const Fault &fault) {
           return fault.rule == "exited-lanes" || fault.rule == "partial-warp";
         });
}

/// What other code can see afterwards.
std::map<std::string, std::vector<std::uint8_t>> visible(const Execution &execution) {
  std::map<std::string, std::vector<std::uint8_t>> result;
  for (const FinalArray &array : execution.memory)
    if (array.space == Space::Global)
      result[array.name] = array.bytes;
  return result;
}

/// The final memory, if it is the same under every order tried and nothing is wrong.
std::optional<std::map<std::string, std::vector<std::uint8_t>>> determinate(const Program &program,
                                                                            Launch launch) {
  std::optional<std::map<std::string, std::vector<std::uint8_t>>> memory;
  for (std::uint64_t schedule = 0; schedule < 3; ++schedule) {
    launch.schedule = schedule ? Schedule::Random : Schedule::Reference;
    launch.detectRaces = schedule == 0;
    Execution execution = program.run(launch);
    if (!nothingWrong(execution) || (memory && *memory != visible(execution)))
      return std::nullopt;
    memory = visible(execution);
  }
  return memory;
}

} // namespace

Comparison compareMemory(const std::string &before, const std::string &after,
                         const std::string &kernel, const Finding &finding,
                         const KernelReport *report) {
  Comparison result;
  std::string error;
  std::optional<Program> old = Program::load(before, "", kernel, error);
  std::optional<Program> changed = Program::load(after, "", kernel, error);
  if (!changed)
    result.difference = "the oracle cannot load it: " + error;
  if (!old || !changed)
    return result;
  // Sums of floating-point numbers depend on the order of the atomics, in a few orders by luck not.
  if (old->hasAtomics() && std::ranges::any_of(old->parameters(), [](const Parameter &each) {
        return each.written && each.element && *each.element >= Element::F16;
      }))
    return result;
  const Witness none;
  const Given given(finding.witness ? *finding.witness : none, old->parameters());
  const Given free(none, old->parameters());
  for (const Choice &choice : inputs)
    for (const Given *fixed : {&free, &given}) {
      if (result.compared == wanted || (fixed == &given && !finding.witness))
        break;
      Launch launch = launchOf(finding, report);
      launch.seed = choice.seed;
      for (const Parameter &parameter : old->parameters())
        launch.arguments[parameter.name] = fixed->argument(parameter, choice, 1 << 14, false);
      const auto expected = determinate(*old, launch);
      if (!expected)
        continue;
      ++result.compared;
      if (determinate(*changed, launch) == expected)
        continue;
      result.difference = "on input " + std::to_string(choice.seed) + " with numbers " +
                          std::to_string(choice.scalar);
      return result;
    }
  return result;
}

} // namespace warpdrf::test
