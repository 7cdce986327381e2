// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/differential/compare.h"

#include "analysis/contract/kernels.h"
#include "analysis/contract/spare_barriers.h"
#include "analysis/replay.h"

#include <algorithm>
#include <set>

namespace warpdrf::test {

using namespace interpreter;

namespace {

const std::string path = "generated.cu";

double secondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

contract::LaunchContext contextOf(const fuzz::Program &program) {
  contract::LaunchContext context{.source = "generated"};
  context.block = {program.block, program.rows, 1};
  if (program.grid)
    context.grid = {*program.grid, 1, 1};
  return context;
}

Argument array(Array::Fill fill, std::uint64_t count) {
  Array result;
  result.fill = fill;
  result.count = count;
  result.element = Element::I32;
  return result;
}

/// The launches and inputs to try, within what the result assumes.
std::vector<Launch> tries(const fuzz::Program &program, const std::vector<std::string> &assumed) {
  const auto assumes = [&](const char *name) {
    return std::ranges::find(assumed, name) != assumed.end();
  };
  std::vector<std::int64_t> blocks{64, 96}, grids{1, 3}, numbers{1, 5, 40};
  const std::string kernel = fuzz::text(program, "k");
  if (program.block)
    blocks = {*program.block};
  else if (kernel.find("tile64") != std::string::npos)
    blocks = {64, 128}; // whole tiles
  else if (assumes("layout") && kernel.find("tile[threadIdx.y][threadIdx.x]") != std::string::npos)
    blocks = {32}; // the subscript stays in its row
  else if (!assumes("whole warps"))
    blocks = {64, 48, 20};
  if (program.grid)
    grids = {*program.grid};
  if (!assumes("extents"))
    numbers.insert(numbers.end(), {0, -2});
  const Array::Fill fills[] = {Array::Fill::Random, Array::Fill::Zeros, Array::Fill::Random,
                               Array::Fill::Iota};
  std::vector<Launch> result;
  for (std::int64_t block : blocks)
    for (std::int64_t grid : grids)
      for (std::int64_t n : numbers) {
        Launch launch;
        launch.block = {block, program.rows, 1};
        launch.grid = {grid, 1, 1};
        launch.memory = false;
        launch.sharedBytes = 64 << 10;
        launch.limits.steps = 20'000'000;
        launch.limits.instances = 0;
        launch.arguments["n"] = Scalar(n);
        for (const char *name : {"g", "h"})
          launch.arguments[name] = array(Array::Fill::Iota, fuzz::arrayElements);
        launch.arguments["count"] = array(Array::Fill::Zeros, 1);
        for (std::size_t i = 0; i < 2; ++i) {
          launch.seed = result.size();
          launch.arguments["in"] = array(fills[(result.size()) % 4], fuzz::arrayElements);
          result.push_back(launch);
        }
      }
  return result;
}

std::string describe(const Launch &launch) {
  const Array &in = std::get<Array>(launch.arguments.at("in"));
  const char *fills[] = {"zeros", "iota", "random"};
  return "block=" + std::to_string(launch.block[0]) +
         (launch.block[1] > 1 ? "," + std::to_string(launch.block[1]) : "") +
         " grid=" + std::to_string(launch.grid[0]) + " n=" +
         std::to_string(std::get<std::int64_t>(std::get<Scalar>(launch.arguments.at("n")))) +
         " in=" + fills[static_cast<int>(in.fill)] + " seed=" + std::to_string(launch.seed);
}

/// Whether a finding speaks of the race, be it as information.
bool told(const Race &race, const std::vector<Finding> &findings) {
  return std::ranges::any_of(findings, [&](const Finding &finding) {
    if (finding.rule != "race" && (finding.rule != "same-value-race" || !race.sameValue))
      return false;
    const Range *other = finding.otherAccess();
    const Range &first = race.first.place.range, &second = race.second.place.range;
    return other && ((first == finding.primary && second == *other) ||
                     (second == finding.primary && first == *other));
  });
}

const char *word(Access::Kind kind) {
  return kind == Access::Kind::Read ? "read" : kind == Access::Kind::Write ? "write" : "atomic";
}

/// What a run shows although the checker calls the kernel fine.
void judgeRun(const Execution &execution, const Launch &launch,
              const contract::KernelResult &checked, Comparison &result) {
  const auto line = [](const Place &place) { return std::to_string(place.range.begin.line); };
  if (checked.report.participation == Verdict::Ok && execution.races.empty())
    for (const Fault &fault : execution.faults)
      if (fault.rule == "divergent-primitive" || fault.rule == "mask-mismatch" ||
          fault.rule == "divergent-barrier" || fault.rule == "undefined-lane-value")
        result.disagreements.push_back(
            {"ok, but " + fault.rule,
             fault.message + " at line " + line(fault.place) + ", " + describe(launch)});
  if (execution.ending == Ending::Deadlock && checked.report.participation == Verdict::Ok &&
      checked.report.memory == Verdict::Ok)
    result.disagreements.push_back(
        {"ok, but deadlock", execution.message + ", " + describe(launch)});
  // What follows from threads that miss a barrier is not reported on its own.
  if (checked.report.memory != Verdict::Ok || checked.report.participation == Verdict::Violated)
    return;
  for (const Race &race : execution.races)
    if (!race.onlyConsumerFence && !told(race, checked.findings))
      result.disagreements.push_back(
          {std::string("ok, but ") + (race.sameValue ? "same-value race of " : "race of ") +
               word(race.first.kind) + " and " + word(race.second.kind),
           race.object + ", lines " + line(race.first.place) + " and " + line(race.second.place) +
               ", threads " + std::to_string(race.first.thread.threadIndex) + " of block " +
               std::to_string(race.first.thread.blockIndex) + " and " +
               std::to_string(race.second.thread.threadIndex) + " of block " +
               std::to_string(race.second.thread.blockIndex) + ", " + describe(launch)});
}

std::string describe(const Finding &finding) {
  std::string result = "line " + std::to_string(finding.primary.begin.line) + ": " +
                       finding.message + "; block=" + std::to_string(finding.witness->block[0]) +
                       " grid=" + std::to_string(finding.witness->grid[0]);
  for (const WitnessThread &thread : finding.witness->threads)
    result += " thread " + std::to_string(thread.thread[0]) + " of block " +
              std::to_string(thread.block[0]) + " " + thread.index;
  for (const auto &[name, value] : finding.witness->values)
    result += " " + name + "=" + value;
  return result;
}

/// `inputs`: the kernel reads the array that it never writes, and the model may rest on contents
/// that no fill has.
void judgeFindings(const Program &program, bool inputs, const std::vector<Finding> &findings,
                   Comparison &result) {
  const bool divergent = std::ranges::any_of(
      findings, [](const Finding &finding) { return finding.rule == "divergent-barrier"; });
  std::set<std::string> raced;
  std::vector<const Finding *> missed;
  for (const Finding &finding : findings) {
    if (finding.confidence != Confidence::Modelled || !canReplay(finding))
      continue;
    ReplayLimits limits;
    limits.time = std::chrono::seconds(2);
    limits.elements = fuzz::arrayElements;
    switch (replay(program, finding, 32, limits)) {
    case Replay::Reproduced:
      ++result.replayed;
      if (finding.rule == "race")
        raced.insert(finding.object);
      break;
    case Replay::SameValue: // what the checker does not know of memory; it becomes `possible`
      ++result.sameValue;
      break;
    case Replay::NotRun:
      ++result.notRun;
      break;
    case Replay::NotReproduced:
    case Replay::Refuted:
      missed.push_back(&finding);
    }
  }
  for (const Finding *finding : missed)
    // The interpreter remembers a cell's last accesses: of several pairs that race on it, it may
    // show another. And what a read sees that races with the first write is up to the schedule, as
    // it is where threads miss a barrier.
    if ((finding->rule == "race" || finding->rule == "uninitialized-shared") &&
        (raced.contains(finding->object) || divergent))
      ++result.hidden;
    else if (inputs)
      ++result.inputsNotFound;
    else
      result.disagreements.push_back(
          {"modelled " + finding->rule + " is not reproduced", describe(*finding)});
}

/// Information about an index from an array that the kernel does not write.
bool isScatter(const Finding &finding) {
  return finding.rule == "race" && finding.severity == Severity::Information;
}

} // namespace

Comparer::Comparer() {
  std::string error;
  command = frontend::findCommand(path, "", {"-std=c++17"}, "sm_80", error);
  command.toolkit.reset(); // our own declarations: fast, and the same on every machine
}

static contract::Options checkOptions() {
  contract::Options options;
  options.queryBudget = std::chrono::milliseconds(500);
  options.kernelBudget = std::chrono::milliseconds(4000);
  return options;
}

contract::KernelResult Comparer::check(const Subject &subject) {
  const auto start = std::chrono::steady_clock::now();
  contract::KernelResult result = contract::check(subject.kernel, {contextOf(subject.program)},
                                                  checkOptions(), solver, [] { return false; });
  checkSeconds += secondsSince(start);
  return result;
}

Comparison Comparer::judge(const Subject &subject, const contract::KernelResult &checked) {
  Comparison result;
  result.compiled = true;
  result.verdict = checked.report.verdict;
  result.reason = checked.report.reason;
  std::set<std::string> rules;
  for (const Finding &finding : checked.findings)
    rules.insert(isScatter(finding) ? "race (scatter)" : finding.rule);
  result.rules.assign(rules.begin(), rules.end());
  const auto start = std::chrono::steady_clock::now();
  if (checked.report.memory == Verdict::Ok || checked.report.participation == Verdict::Ok)
    for (const Launch &launch : tries(subject.program, checked.report.assumptions)) {
      const Execution execution = subject.compiled.run(launch);
      ++result.runs;
      result.finished += execution.finished();
      if (execution.ending != Ending::OutOfBounds && execution.ending != Ending::DivisionByZero)
        judgeRun(execution, launch, checked, result);
      if (!result.disagreements.empty())
        break;
    }
  const bool inputs = fuzz::text(subject.program, "k").find("in[") != std::string::npos;
  judgeFindings(subject.compiled, inputs, checked.findings, result);
  runSeconds += secondsSince(start);
  return result;
}

void Comparer::forEach(const std::vector<fuzz::Program> &programs,
                       const std::function<void(std::size_t, const Subject &)> &visit) {
  std::string text;
  for (std::size_t i = 0; i < programs.size(); ++i)
    text += fuzz::text(programs[i], "k" + std::to_string(i));
  text = fuzz::helpers(text) + text;
  const auto start = std::chrono::steady_clock::now();
  frontend::TranslationUnit unit = frontend.lower(path, text, command);
  lowerSeconds += secondsSince(start);
  mlir::ModuleOp module = unit.module();
  if (!module)
    return;
  for (const contract::Kernel &kernel : contract::kernelsOf(module)) {
    // A statement that the compiler makes nothing of is missing from the kernel.
    if (std::ranges::any_of(unit.errors, [&](const ParseError &error) {
          return kernel.range.begin <= error.range.begin && error.range.begin <= kernel.range.end;
        }))
      continue;
    const std::size_t index = std::stoul(kernel.name.substr(1));
    std::string error;
    if (const auto compiled = Program::compile(module, path, kernel.symbol, error))
      visit(index, {programs[index], *compiled, kernel.function});
  }
}

std::vector<Comparison> Comparer::compare(const std::vector<fuzz::Program> &programs) {
  std::vector<Comparison> result(programs.size());
  forEach(programs, [&](std::size_t index, const Subject &subject) {
    contract::KernelResult checked = check(subject);
    if (index % 8 == 0) // an experiment for every barrier takes its time
      contract::tellSpareBarriers(
          subject.kernel, {contextOf(subject.program)}, checkOptions(), solver,
          [] { return false; }, {}, checked);
    result[index] = judge(subject, checked);
  });
  return result;
}

} // namespace warpdrf::test
