// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/conformance/test.h"

#include "analysis/conformance/text.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace warpdrf::conformance {

using namespace interpreter;

std::string contractName(Contract contract) {
  static const char *const names[] = {"cuda", "smr", "fmr"};
  return names[static_cast<int>(contract)];
}

std::optional<Contract> contractNamed(const std::string &name) {
  for (Contract each : {Contract::Cuda, Contract::Smr, Contract::Fmr})
    if (contractName(each) == name)
      return each;
  return std::nullopt;
}

namespace {

std::vector<std::uint8_t> bytesOf(const std::vector<std::uint32_t> &words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::optional<Execution> execute(const std::string &text, const Layout &layout,
                                 const std::vector<std::uint32_t> &input, std::string &error) {
  std::optional<interpreter::Program> program =
      interpreter::Program::load(text, "test.mlir", "test", error);
  if (!program)
    return std::nullopt;
  const std::uint64_t cells = std::uint64_t{layout.places} * layout.threads;
  const auto array = [](Array::Fill fill, std::uint64_t count) {
    Array made;
    made.fill = fill;
    made.count = count;
    made.element = Element::I32;
    return made;
  };
  Array data = array(Array::Fill::Bytes, input.size());
  data.bytes = bytesOf(input);
  Launch launch;
  launch.block = {layout.threads, 1, 1};
  launch.width = layout.width;
  launch.arguments = {{"data", data},
                      {"visits", array(Array::Fill::Zeros, cells)},
                      {"results", array(Array::Fill::Zeros, 2 * cells * layout.capacity)}};
  // An array that a program never looks at is no parameter of it.
  std::erase_if(launch.arguments, [&](const auto &argument) {
    return std::ranges::find(program->parameters(), argument.first, &Parameter::name) ==
           program->parameters().end();
  });
  launch.limits.steps = 300'000; // a program that needs more is not worth its time
  launch.limits.instances = 10'000;
  Execution execution = program->run(launch);
  if (!execution.finished())
    error = execution.message;
  else if (execution.hasRace())
    error = "the oracle finds a race";
  else if (execution.instances.size() < execution.instanceCount)
    error = "too many primitive instances";
  else
    return execution;
  return std::nullopt;
}

/// The place that a site of the interpreter logs to, as its name says: "ballot 7".
unsigned placeOf(const Site &site) {
  return static_cast<unsigned>(std::stoul(site.name.substr(site.name.find(' ') + 1)));
}

std::vector<std::uint32_t> wordsOf(const Execution &execution, const std::string &name) {
  std::vector<std::uint32_t> words;
  for (const FinalArray &array : execution.memory) {
    if (array.name != name)
      continue;
    words.resize(array.bytes.size() / 4);
    std::memcpy(words.data(), array.bytes.data(), 4 * words.size());
  }
  return words;
}

Expected expectedOf(const Execution &execution) {
  Expected expected;
  expected.memory = {wordsOf(execution, "visits"), wordsOf(execution, "results")};
  for (const Instance &instance : execution.instances) {
    const Site &site = execution.sites[instance.site];
    if (!site.name.starts_with("ballot"))
      continue;
    Participants made{placeOf(site), instance.coordinates, instance.warp, {}};
    for (unsigned lane = 0; lane < maximalWidth; ++lane)
      if (instance.participants[lane])
        made.lanes.push_back(lane);
    expected.instances.push_back(std::move(made));
  }
  return expected;
}

/// The weakest contract that admits all instances of each place.
std::map<unsigned, Configuration> weakestOf(const Execution &execution) {
  std::map<unsigned, Configuration> weakest;
  for (const Instance &instance : execution.instances) {
    Configuration &known = weakest[placeOf(execution.sites[instance.site])];
    known = std::max(known, instance.weakest);
  }
  return weakest;
}

/// Leaves out the primitives that a contract does not admit. One that never ran is admitted.
void restrict(Block &block, const std::map<unsigned, Configuration> &weakest, Contract contract) {
  std::erase_if(block, [&](const Statement &statement) {
    auto found = weakest.find(statement.number);
    return statement.kind == Statement::Kind::Site && found != weakest.end() &&
           found->second > contract;
  });
  for (Statement &statement : block)
    for (Arm &arm : statement.arms)
      restrict(arm.body, weakest, contract);
}

Layout layoutOf(const Program &program, unsigned capacity) {
  return {program.width, program.threads(), program.places, capacity};
}

} // namespace

std::optional<Expected> oracle(const std::string &text, const Layout &layout,
                               const std::vector<std::uint32_t> &input, std::string &error) {
  std::optional<Execution> execution = execute(text, layout, input, error);
  if (!execution)
    return std::nullopt;
  Expected expected = expectedOf(*execution);
  // What no thread logged to is no array of the run, but one of the device.
  const std::size_t cells = std::size_t{layout.places} * layout.threads;
  expected.memory.visits.resize(cells);
  expected.memory.results.resize(2 * cells * layout.capacity);
  return expected;
}

std::optional<Test> testOf(Program program, std::uint64_t seed, Contract contract,
                           unsigned mostVisits, std::string &error) {
  // Once with all primitives, to see who takes part in each and how often.
  std::optional<Execution> all =
      execute(text(program, {}), layoutOf(program, 1), program.input, error);
  if (!all)
    return std::nullopt;
  const std::vector<std::uint32_t> visits = wordsOf(*all, "visits");
  const std::uint32_t most = visits.empty() ? 0 : *std::ranges::max_element(visits);
  if (most > mostVisits) {
    error = "a thread comes to a primitive " + std::to_string(most) + " times";
    return std::nullopt;
  }
  const auto weakest = weakestOf(*all);
  for (Block &function : program.functions)
    restrict(function, weakest, contract);
  Test test{seed, contract, std::move(program), {}, {}, {}};
  test.layout = layoutOf(test.program, most + 1);
  test.text = text(test.program, {test.layout.capacity, seed, contractName(contract)});
  std::optional<Expected> expected = oracle(test.text, test.layout, test.program.input, error);
  if (!expected)
    return std::nullopt;
  test.expected = std::move(*expected);
  return test;
}

std::optional<Test> makeTest(std::uint64_t seed, Contract contract, unsigned width,
                             const Parameters &parameters, std::string &error) {
  // When so many draws do not fit, none will.
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    error.clear();
    std::optional<Test> test = testOf(generate(seed, attempt, width, parameters), seed, contract,
                                      parameters.visits, error);
    if (test)
      return test;
  }
  error = "no program of these parameters: " + error;
  return std::nullopt;
}

} // namespace warpdrf::conformance
