// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/check.h"

#include "analysis/contract/check_context.h"
#include "analysis/contract/execute.h"
#include "analysis/contract/kernels.h"
#include "analysis/contract/pair.h"
#include "analysis/contract/sites.h"

#include <algorithm>
#include <cstdio>

namespace warpdrf::contract {

namespace {

/// Assumptions that every comparison of accesses rests on, where there is something to compare.
void noteStandingAssumptions(CheckContext &context) {
  std::set<std::int64_t> global;
  bool written = false, computed = false;
  for (const Event &event : context.trace.events) {
    if (!event.isAccess())
      continue;
    computed |= !constantOf(event.offset);
    if (context.trace.objects[static_cast<std::size_t>(event.object)].space !=
        ir::MemorySpace::Global)
      continue;
    global.insert(event.object);
    written |= event.writes();
  }
  if (written)
    context.assumptions.insert("alone");
  if (written && global.size() > 1)
    context.assumptions.insert("no alias");
  if (computed)
    context.assumptions.insert("width");
}

/// Is there no launch and no argument of which all hold that was assumed? Then everything would be
/// true of the kernel.
bool contradictory(CheckContext &context) {
  Side thread(context.pool, context.trace, 1, Uniform::Grid, {});
  std::vector<Term> facts{thread.all(context.coordinates.facts), assumedFacts(context, thread)};
  return context.decider.satisfiable(facts, Uniform::Grid).answer == Answer::Unsat;
}

void refuse(const LaunchContext &launch, KernelReport &report) {
  report.launches.push_back({launch.block, launch.grid, launch.source, Verdict::Unproved});
  for (Verdict *verdict : {&report.memory, &report.participation, &report.verdict})
    *verdict = std::max(*verdict, Verdict::Unproved);
  report.portable = false;
  report.reason =
      "unproved: the assumptions contradict each other, or the launch (" + launch.source + "):";
  for (const std::string &text : launch.assume)
    report.reason += (text == launch.assume.front() ? " '" : ", '") + text + "'";
}

/// Asks what there is time for: a question that the end of the time cut short, or that there was
/// none for, is open. Of a huge trace, finding out that every answer is unknown takes long too.
void askAll(CheckContext &context) {
  auto ask = [&](void (*question)(CheckContext &), Verdict &verdict) {
    if (!context.decider.outOfTime())
      question(context);
    if (context.decider.outOfTime())
      verdict = std::max(verdict, Verdict::Unproved);
  };
  ask(checkParticipation, context.participation);
  ask(checkNamedBarriers, context.participation);
  ask(checkUndefinedLanes, context.participation);
  ask(checkRaces, context.memory);
  ask(checkOwnCopies, context.memory);
  ask(checkUninitialized, context.memory);
  ask(checkUninitializedCells, context.memory);
}

std::optional<std::int64_t> launchBound(ir::FuncOp kernel) {
  if (auto attribute = kernel->getAttrOfType<mlir::IntegerAttr>("warpdrf.launch_bounds"))
    return attribute.getInt();
  return std::nullopt;
}

void noteAssumption(KernelReport &report, const std::string &name) {
  if (std::ranges::find(report.assumptions, name) == report.assumptions.end())
    report.assumptions.push_back(name);
}

/// What the contexts of one kernel share.
struct KernelCheck {
  ir::FuncOp kernel;
  const Options &options;
  Solver &solver;
  const Budget &budget;
  const Cancelled &cancelled;
};

/// Checks under one context and adds to `result`. False, and nothing done, if the context is a
/// `guess` that what is known of the launch rules out.
bool checkContext(const KernelCheck &check, const LaunchContext &launch, KernelResult &result,
                  bool guess = false) {
  const auto &[kernel, options, solver, budget, cancelled] = check;
  TermPool pool;
  Coordinates coordinates =
      makeCoordinates(pool, launch, dimensionsRead(kernel), launchBound(kernel), options);
  Execution execution{pool, kernel, launch, coordinates, options, budget, cancelled};
  std::unique_ptr<Trace> trace = execute(execution);
  Decider decider(pool, *trace, solver, options.queryBudget, budget, cancelled);
  CheckContext context{pool, *trace, coordinates, options, decider, result.report.name, {}, {}};
  context.launch = &launch;
  context.assumptions.insert(coordinates.assumptions.begin(), coordinates.assumptions.end());
  if ((guess || !launch.assume.empty()) && contradictory(context)) {
    if (!guess)
      refuse(launch, result.report);
    return !guess;
  }
  if (!trace->incomplete) // what is missing may be a barrier
    askAll(context);
  context.dropRepeated();

  KernelReport &report = result.report;
  LaunchDims dims{launch.block, launch.grid, launch.source, Verdict::Ok};
  if (!trace->unsupported.empty()) {
    auto &[construct, range] = trace->unsupported.front();
    report.reason =
        "unsupported: " + construct + " (line " + std::to_string(range.begin.line) + ")";
    for (Verdict *verdict : {&context.memory, &context.participation})
      *verdict = std::max(*verdict, Verdict::Unsupported);
  }
  if (trace->incomplete || !decider.failure().empty()) {
    report.reason = decider.failure().empty() ? outOfBudget(options.kernelBudget, "kernel")
                                              : "unproved: " + decider.failure();
    for (Verdict *verdict : {&context.memory, &context.participation})
      *verdict = std::max(*verdict, Verdict::Unproved);
  } else if (decider.outOfTime() && std::ranges::none_of(context.findings, [](const Finding &f) {
               return f.rule == "unproved";
             })) {
    report.reason = outOfBudget(options.kernelBudget, "kernel"); // else a finding says what is open
  }
  if (context.memory == Verdict::Unproved && !trace->incomplete)
    if (std::vector<Witness> launches = trialLaunches(context); !launches.empty())
      result.trials.push_back(std::move(launches));
  dims.verdict = std::max(context.memory, context.participation);
  report.launches.push_back(dims);
  report.memory = std::max(report.memory, context.memory);
  report.participation = std::max(report.participation, context.participation);
  report.verdict = std::max(report.memory, report.participation);
  report.portable &= context.portable && dims.verdict == Verdict::Ok;
  std::set<mlir::Operation *> primitives, accesses;
  for (const Event &event : trace->events)
    (event.isAccess() ? accesses : primitives).insert(event.op);
  report.primitives = static_cast<unsigned>(primitives.size());
  report.accesses = static_cast<unsigned>(accesses.size());
  if (!trace->extents.empty() && context.assumes("extents"))
    context.assumptions.insert("extents");
  noteStandingAssumptions(context);
  if (launch.seen)
    context.assumptions.insert("launches seen");
  for (const std::string &name : context.assumptions)
    noteAssumption(report, name);
  describeSites(context, report.sites);
  findDivergentCode(context, report.divergent);
  for (Finding &finding : context.findings) {
    bool known =
        std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding &old) {
          return old.rule == finding.rule && old.primary == finding.primary &&
                 old.message == finding.message;
        });
    if (!known)
      result.findings.push_back(std::move(finding));
  }
  return true;
}

} // namespace

/// Why the verdict is not `ok`: what weighs most comes first.
static void explain(KernelResult &result) {
  KernelReport &report = result.report;
  if (report.verdict != Verdict::Violated && !report.reason.empty())
    return; // an unsupported construct, or a budget
  bool violated = report.verdict == Verdict::Violated;
  for (const Finding &finding : result.findings)
    if (violated ? finding.severity >= Severity::Warning : finding.rule == "unproved") {
      report.reason = finding.rule + ": " + finding.message;
      return;
    }
}

/// A launch that is seen, in rows whose length only the host knows: a row is a warp, as most such
/// kernels have it (assumption "whole warps").
static std::optional<LaunchContext> withRowsOfOneWarp(const LaunchContext &launch,
                                                      ir::FuncOp kernel, const Options &options) {
  const auto &[dx, dy, dz] = launch.block;
  if (!launch.seen || dx || options.assumptionsOff.contains("whole warps") ||
      dy.value_or(1) * dz.value_or(1) * options.warpWidth > launchBound(kernel).value_or(1024))
    return std::nullopt;
  const DimensionsRead read = dimensionsRead(kernel);
  if (!(read.block[1] && dy != 1) && !(read.block[2] && dz != 1))
    return std::nullopt;
  LaunchContext result = launch;
  result.block[0] = options.warpWidth;
  result.source += ", a row taken for a warp";
  return result;
}

/// A launch whose rows are so many that the kernel's bound leaves no room for rows of whole warps:
/// one context for each length of a row that makes the block whole warps (assumption "whole
/// warps").
static std::vector<LaunchContext> withWholeBlocks(const LaunchContext &launch,
                                                  std::optional<std::int64_t> bound,
                                                  const Options &options) {
  const std::int64_t width = options.warpWidth;
  const std::int64_t rows = launch.block[1].value_or(1) * launch.block[2].value_or(1);
  std::vector<LaunchContext> result;
  if (!launch.block[0] && bound && rows * width > *bound &&
      !options.assumptionsOff.contains("whole warps"))
    for (std::int64_t columns = 1; columns * rows <= *bound; ++columns)
      if (columns * rows % width == 0) {
        result.push_back(launch);
        result.back().block[0] = columns;
      }
  return result.empty() ? std::vector{launch} : result;
}

/// What goes wrong only in rows longer than the warp they were taken for: one information.
static void tellLongerRows(const KernelCheck &check, const LaunchContext &launch,
                           KernelResult &result) {
  KernelResult longer;
  checkContext(check, launch, longer);
  const auto found = std::ranges::find_if(
      longer.findings, [](const Finding &each) { return each.severity >= Severity::Warning; });
  if (found == longer.findings.end())
    return;
  found->severity = Severity::Information;
  found->confidence = Confidence::Possible;
  found->doubt.reset();
  found->message.resize(std::min(found->message.find(" (rests on"), found->message.size()));
  found->message +=
      " (only in rows longer than a warp; the " + launch.source + " does not show their length)";
  result.findings.push_back(std::move(*found));
}

std::string outOfBudget(std::chrono::milliseconds budget, const std::string &what) {
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%g", static_cast<double>(budget.count()) / 1000);
  return std::string("unproved: the budget of ") + seconds + " s for this " + what + " ran out";
}

KernelResult check(ir::FuncOp kernel, const std::vector<LaunchContext> &contexts,
                   const Options &options, Solver &solver, const Cancelled &cancelled) {
  const Budget budget(options.kernelBudget, solver);
  const KernelCheck shared{kernel, options, solver, budget, cancelled};
  KernelResult result;
  Kernel described = describe(kernel);
  result.report.name = described.name;
  result.report.instantiation = described.instantiation;
  result.report.range = described.nameRange;
  std::vector<const LaunchContext *> guessed;
  for (const LaunchContext &context : contexts) {
    const auto rows = withRowsOfOneWarp(context, kernel, options);
    if (rows && !cancelled() && checkContext(shared, *rows, result, /*guess=*/true)) {
      noteAssumption(result.report, "whole warps");
      guessed.push_back(&context);
      continue;
    }
    const auto whole = withWholeBlocks(context, launchBound(kernel), options);
    if (!context.block[0] && whole.front().block[0])
      noteAssumption(result.report, "whole warps");
    for (const LaunchContext &each : whole)
      if (!cancelled())
        checkContext(shared, each, result);
  }
  if (result.report.verdict == Verdict::Ok && !guessed.empty() && !cancelled())
    tellLongerRows(shared, *guessed.front(), result);
  for (Finding &finding : result.findings)
    finding.instantiations = {result.report.instantiation};
  explain(result);
  return result;
}

} // namespace warpdrf::contract
