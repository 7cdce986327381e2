// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay.h"

#include "analysis/contract/budget.h"
#include "analysis/ir/dialect.h"
#include "analysis/replay_launch.h"
#include "analysis/report/race_message.h"
#include "analysis/report/shell_words.h"

#include <algorithm>
#include <array>
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

/// The race of a finding in an execution, or null. Of two writes it tells whether the values
/// differ.
static const Race *raceOf(const Execution &execution, const Finding &finding, bool sameValue) {
  const Range *other = finding.otherAccess();
  const auto found = std::ranges::find_if(execution.races, [&](const Race &race) {
    const Range &first = race.first.place.range, &second = race.second.place.range;
    const bool places = (first == finding.primary && other && second == *other) ||
                        (second == finding.primary && other && first == *other);
    if (!places || race.scope != finding.scope)
      return false;
    if (race.sameValue != sameValue)
      return false;
    return sameValue || (!race.onlyConsumerFence || finding.severity < Severity::Warning);
  });
  return found == execution.races.end() ? nullptr : &*found;
}

/// A run sees an undefined value where it is used. Where a branch on it decides what is stored, the
/// finding names the store, and the run the branch: the thread is the same.
static bool showsUndefined(const Fault &fault, const Finding &finding) {
  const Range *use = finding.otherAccess();
  return fault.place.range == (use ? *use : finding.primary) ||
         (finding.witness &&
          std::ranges::any_of(finding.witness->threads, [&](const WitnessThread &thread) {
            return thread.block == fault.thread.block && thread.thread == fault.thread.thread;
          }));
}

static const Fault *faultOf(const Execution &execution, const Finding &finding) {
  const auto found = std::ranges::find_if(execution.faults, [&](const Fault &fault) {
    return fault.rule == finding.rule &&
           (finding.rule == "undefined-lane-value" ? showsUndefined(fault, finding)
                                                   : fault.place.range == finding.primary);
  });
  return found == execution.faults.end() ? nullptr : &*found;
}

/// Whether a run that was to show a finding speaks against it. What orders accesses by atomics may
/// be otherwise in another run, and of several faults of one instance a run tells one.
static bool contradicts(const Execution &execution, const Finding &finding,
                        const Program &program) {
  static const std::set<std::string> rules = {"race", "divergent-primitive", "mask-mismatch",
                                              "divergent-barrier"};
  if (!execution.finished() || !rules.contains(finding.rule) || shows(execution, finding))
    return false;
  return finding.isRace() ? !program.hasAtomics()
                          : std::ranges::none_of(execution.faults, [&](const Fault &fault) {
                              return fault.place.range == finding.primary;
                            });
}

bool shows(const Execution &execution, const Finding &finding) {
  return finding.isRace() ? raceOf(execution, finding, finding.rule != "race") != nullptr
                          : faultOf(execution, finding) != nullptr;
}

namespace {

constexpr std::array<Choice, 10> choices = {{
    {Array::Fill::Random, 0, 1, 40},
    {Array::Fill::Zeros, 0, 0, 40},
    {Array::Fill::Iota, 0, 0, 7},
    {Array::Fill::Constant, 1, 0, 64},
    {Array::Fill::Random, 0, 2, 1},
    {Array::Fill::Random, 0, 3, 128},
    {Array::Fill::Constant, 200, 0, 2},
    {Array::Fill::Random, 0, 4, 1000},
    {Array::Fill::Iota, 0, 0, 40},
    {Array::Fill::Iota, 0, 0, 256},
}};

/// How much of the grid a run has: all of it, or the blocks of the witness's threads, as if the
/// others had not begun.
enum class Part { Whole, Blocks };

class Replayer {
public:
  Replayer(const Program &program, const Finding &finding, unsigned warpWidth,
           const ReplayLimits &limits)
      : program(program), finding(finding), witness(*finding.witness), limits(limits),
        given(witness, program.parameters()), deadline(contract::threadTime() + limits.time),
        launch(launchOf(witness, warpWidth)) {
    if (finding.isRace() && isPossible())
      given.elements.clear();
    launch.detectRaces = finding.isRace() || finding.rule == "uninitialized-shared";
    launch.limits.steps = limits.steps;
  }

  Replay run() {
    std::vector<Part> parts;
    for (Part part : {Part::Blocks, Part::Whole})
      if (fits(part))
        parts.push_back(part);
    if (parts.empty())
      return Replay::NotRun;
    for (const Choice &choice : choices)
      for (Part part : parts)
        if (isFair(choice) && attempt(choice, part, Schedule::Reference, choice.seed))
          return Replay::Reproduced;
    // Threads that run one after the other see what those before them have left. Where they look at
    // atomics, few orders may show it.
    constexpr std::uint64_t kOrders = 16;
    for (std::uint64_t seed = 0; seed < (program.hasAtomics() ? kOrders : choices.size() / 2);
         ++seed)
      if (const Choice &choice = choices[seed * 2 % choices.size()];
          isFair(choice) && attempt(choice, parts.back(), Schedule::Random, seed))
        return Replay::Reproduced;
    return refuted                  ? Replay::Refuted
           : sameValue && !differed ? Replay::SameValue
           : ran                    ? Replay::NotReproduced
                                    : Replay::NotRun;
  }

  /// Of the run that showed the finding, with as little memory as it takes.
  Witness shown() {
    shrink();
    Witness result = witness;
    const auto isNumber = [](const auto &entry) { return !entry.first.starts_with("iteration "); };
    std::erase_if(result.values, isNumber);
    if (describeThreads(result))
      result.values.clear(); // other threads, other iterations
    result.run = "--block " + triple(launch.block) + " --grid " + triple(launch.grid);
    if (launch.width != 32)
      result.run += " --width " + std::to_string(launch.width);
    if (!launch.onlyBlocks.empty()) {
      result.run += " --only-blocks ";
      for (std::size_t i = 0; i < launch.onlyBlocks.size(); ++i)
        result.run += (i ? "," : "") + std::to_string(launch.onlyBlocks[i]);
    }
    if (launch.sharedBytes)
      result.run += " --shared " + std::to_string(launch.sharedBytes);
    if (launch.schedule == Schedule::Random)
      result.run += " --schedule random";
    if (launch.seed)
      result.run += " --seed " + std::to_string(launch.seed);
    for (const Range &range : launch.focus)
      result.run += " --focus " + shellWord(range.file + ":" + std::to_string(range.begin.line));
    for (const auto &[name, text] : argumentTexts(launch)) {
      result.values[name] = text;
      result.run += " --arg " + shellWord(name + "=" + text);
    }
    return result;
  }

private:
  static std::string triple(const std::array<std::int64_t, 3> &v) {
    std::string text = std::to_string(v[0]);
    if (v[1] != 1 || v[2] != 1)
      text += "," + std::to_string(v[1]);
    return v[2] != 1 ? text + "," + std::to_string(v[2]) : text;
  }

  /// The blocks of the witness's threads, by linear index.
  std::vector<std::uint32_t> itsBlocks() const {
    std::set<std::uint32_t> result;
    if (witness.threads.empty()) // any block shows it
      result.insert(0);
    for (const WitnessThread &thread : witness.threads)
      result.insert(static_cast<std::uint32_t>(
          thread.block[0] +
          witness.grid[0] * (thread.block[1] + witness.grid[1] * thread.block[2])));
    return {result.begin(), result.end()};
  }

  bool fits(Part part) const {
    std::int64_t perBlock = 1, blocks = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (witness.block[axis] < 1 || witness.block[axis] > 1024 || witness.grid[axis] < 1 ||
          witness.grid[axis] > 0x7fffffff)
        return false;
      perBlock *= witness.block[axis];
      blocks *= witness.grid[axis];
      if (blocks > 0x7fffffff / 2048) // agents are numbered with 32 bits
        return false;
    }
    if (part == Part::Whole)
      return perBlock * blocks <= limits.threads;
    const auto mine = static_cast<std::int64_t>(itsBlocks().size());
    return mine < blocks && perBlock * mine <= limits.threads && !program.hasGridBarrier();
  }

  bool isPossible() const { return finding.confidence == Confidence::Possible; }

  /// What may be an index array has to have no duplicates, or no bounds that go back, for a race to
  /// mean anything. The solver knows of those that it sees; a possible race may rest on others.
  bool isFair(const Choice &choice) const {
    return !finding.isRace() || !isPossible() || choice.fill == Array::Fill::Iota;
  }

  bool outOfTime() const {
    return contract::threadTime() > deadline || (limits.cancelled && limits.cancelled());
  }

  bool attempt(const Choice &choice, Part part, Schedule schedule, std::uint64_t seed) {
    if (outOfTime())
      return false;
    used = &choice;
    launch.onlyBlocks = part == Part::Blocks ? itsBlocks() : std::vector<std::uint32_t>();
    launch.schedule = schedule;
    launch.seed = seed;
    launch.sharedBytes = 64 << 10;
    launch.focus.clear();
    if (finding.isRace())
      launch.focus = {finding.primary, *finding.otherAccess()};
    for (std::uint64_t elements : {limits.elements, limits.elements * 64}) {
      execute(elements);
      if (execution.ending != Ending::OutOfBounds)
        break;
    }
    ran |= execution.finished();
    if (isShown())
      return true;
    const bool met = finding.rule == "race" && raceOf(execution, finding, true);
    sameValue |= met && execution.finished();
    differed |= shows(execution, finding); // in a run that proves nothing
    refuted |= !met && witness.exact && given.complete && contradicts(execution, finding, program);
    return false;
  }

  void execute(std::uint64_t elements) {
    launch.arguments.clear();
    for (const Parameter &parameter : program.parameters())
      launch.arguments[parameter.name] = given.argument(parameter, *used, elements, isPossible());
    execution = program.run(launch);
  }

  /// A run that leaves an array, divides by zero, or violates what is assumed, is none that a
  /// correct host starts.
  bool isShown() const {
    return execution.ending != Ending::Assumption && execution.ending != Ending::OutOfBounds &&
           execution.ending != Ending::DivisionByZero && shows(execution, finding);
  }

  /// Keeps what makes the command simpler, while the finding is shown.
  void shrink() {
    std::uint64_t elements = limits.elements;
    const auto keep = [&](auto change) {
      if (outOfTime())
        return false;
      const Launch before = launch;
      change();
      execute(elements);
      if (isShown())
        return true;
      launch = before;
      return false;
    };
    keep([&] { launch.sharedBytes = 0; });
    keep([&] { launch.focus.clear(); });
    const auto all = elements;
    for (std::uint64_t fewer : {64, 1024, 16384})
      if (elements == all && !keep([&] { elements = fewer; }))
        elements = all;
    execute(elements);
    if (!isShown()) { // it took the larger arrays
      elements = limits.elements * 64;
      execute(elements);
    }
  }

  /// The threads of the run. True if they are others than the model's.
  bool describeThreads(Witness &result) const {
    std::vector<WitnessThread> threads;
    const auto add = [&](const ThreadId &id, const std::string &index) {
      threads.push_back(
          {id.block, id.thread, static_cast<int>(id.lane), static_cast<int>(id.warp), index});
    };
    if (finding.isRace()) {
      const Race *race = raceOf(execution, finding, finding.rule != "race");
      if (!race)
        return false;
      const std::string cell = cellName(finding.object, race->offset, race->size);
      const bool primaryFirst =
          race->first.place.range == finding.primary && race->second.place.range != finding.primary;
      add((primaryFirst ? race->first : race->second).thread, cell);
      add((primaryFirst ? race->second : race->first).thread, cell);
    } else if (isPossible() || result.threads.empty()) {
      if (const Fault *fault = faultOf(execution, finding))
        add(fault->thread, "");
    }
    if (threads.empty())
      return false;
    // Of accesses of one size the model names one cell; the run's may be another one.
    const bool named =
        result.threads.size() == 2 && result.threads[0].index == result.threads[1].index;
    const auto same = [&](const WitnessThread &a, const WitnessThread &b) {
      return a.block == b.block && a.thread == b.thread && (!named || a.index == b.index);
    };
    if (std::ranges::equal(threads, result.threads, same))
      return false;
    result.threads = std::move(threads);
    return true;
  }

  const Program &program;
  const Finding &finding;
  const Witness &witness;
  const ReplayLimits &limits;
  Given given;
  const std::chrono::nanoseconds deadline;
  Launch launch;
  const Choice *used = nullptr;
  Execution execution;
  bool ran = false, refuted = false, sameValue = false, differed = false;
};

} // namespace

Replay replay(const Program &program, const Finding &finding, unsigned warpWidth,
              const ReplayLimits &limits, Witness *shown) {
  if (!canReplay(finding) || (finding.isRace() && !finding.otherAccess()))
    return Replay::NotRun;
  Replayer replayer(program, finding, warpWidth, limits);
  const Replay result = replayer.run();
  if (result == Replay::Reproduced && shown)
    *shown = replayer.shown();
  return result;
}

/// Makes the finding what its replay says. The kernel's reason may quote it.
static void settle(Finding &finding, Replay result, Witness shown, KernelReport &report) {
  const std::string before = finding.rule + ": " + finding.message;
  if (result == Replay::Reproduced) {
    finding.confidence = Confidence::Confirmed;
    finding.witness = std::move(shown);
    if (finding.doubt) {
      finding.severity = std::max(finding.severity, finding.doubt->full);
      if (finding.message.ends_with(finding.doubt->words))
        finding.message.resize(finding.message.size() - finding.doubt->words.size());
      finding.doubt.reset();
    }
    if (finding.severity >= Severity::Warning) {
      (finding.isRace() ? report.memory : report.participation) = Verdict::Violated;
      report.verdict = Verdict::Violated;
    }
  } else if ((result == Replay::Refuted || result == Replay::SameValue) &&
             finding.confidence == Confidence::Modelled &&
             finding.rule != "partial-warp") { // says how the warp is split, not that it goes wrong
    finding.confidence = Confidence::Possible;
    finding.message += result == Replay::Refuted
                           ? " (the interpreter does not reproduce it)"
                           : " (in the interpreter both write the same value)";
    if (finding.severity >= Severity::Warning)
      finding.severity = static_cast<Severity>(static_cast<int>(finding.severity) - 1);
  }
  if (report.reason == before)
    report.reason = finding.rule + ": " + finding.message;
}

static bool isWorthReplaying(const Finding &finding) {
  return canReplay(finding) &&
         (finding.confidence == Confidence::Modelled || finding.doubt.has_value());
}

void confirm(KernelReport &report, std::vector<Finding> &findings, mlir::ModuleOp module,
             const std::string &kernel, const std::string &path, unsigned warpWidth,
             const std::function<bool()> &cancelled) {
  if (std::ranges::none_of(findings, isWorthReplaying))
    return;
  std::string error;
  if (const std::optional<Program> program = Program::compile(module, path, kernel, error))
    confirm(report, findings, *program, warpWidth, cancelled);
}

void confirm(KernelReport &report, std::vector<Finding> &findings, const Program &program,
             unsigned warpWidth, const std::function<bool()> &cancelled) {
  const auto deadline = contract::threadTime() + std::chrono::seconds(1);
  ReplayLimits limits;
  limits.cancelled = cancelled;
  for (bool loud : {true, false}) // what matters most comes first
    for (Finding &finding : findings) {
      if ((finding.severity >= Severity::Warning) != loud || !isWorthReplaying(finding))
        continue;
      if (contract::threadTime() > deadline || cancelled())
        return;
      Witness shown;
      const Replay result = replay(program, finding, warpWidth, limits, &shown);
      settle(finding, result, std::move(shown), report);
    }
}

std::string runCommand(const std::string &path, const std::string &kernel,
                       const std::string &options, const std::vector<std::string> &flags) {
  std::string command =
      "warpdrf run " + shellWord(path) + " --kernel " + shellWord(kernel) + " " + options;
  for (std::size_t i = 0; i < flags.size(); ++i)
    command += (i ? " " : " -- ") + shellWord(flags[i]);
  return command;
}

} // namespace warpdrf
