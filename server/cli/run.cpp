// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf run FILE --kernel K …`: a kernel in the reference interpreter. Exit status: 0 finished
// without any of what follows, 1 a race, a fault of participation, a read of uninitialised shared
// memory, or a fault that ended the run, 2 it could not be run.
#include "server/cli/commands.h"
#include "server/cli/common_options.h"
#include "server/cli/files.h"
#include "server/cli/run_arguments.h"
#include "server/render/execution.h"

#include <cstdlib>
#include <iostream>
#include <iterator>

namespace warpdrf::cli {

using namespace interpreter;

namespace {

struct RunOptions {
  CheckOptions compile;
  std::vector<std::string> paths;
  std::vector<std::string> focus;
  std::string kernel, format = "text", schedule = "reference";
  Launch launch;
  unsigned seed = 0, sharedBytes = 0, timeout = 60, steps = 2000, instances = 20000;
  render::JsonExtent extent;
  bool fromInput = false, choose = false, follow = false;
};

void declare(Arguments &parser, RunOptions &options) {
  Launch &launch = options.launch;
  declareCompileOptions(parser, options.compile);
  parser.option("--kernel", "NAME", "which kernel; may be left out if there is one",
                text(options.kernel));
  parser.option("--block", "X,Y,Z", "threads per block (default 1)",
                [&](const std::string &value) { return parseDimensions(value, launch.block); });
  parser.option("--grid", "X,Y,Z", "blocks (default 1)",
                [&](const std::string &value) { return parseDimensions(value, launch.grid); });
  parser.option("--only-blocks", "N,…",
                "run these blocks, counted from 0 with x first, as if the others had not begun",
                [&](const std::string &value) { return parseBlocks(value, launch.onlyBlocks); });
  parser.option("--focus", "[FILE:]LINE",
                "look for races of accesses in this line, and of others given so, and tell every "
                "pair; may be repeated",
                [&](const std::string &value) {
                  options.focus.push_back(value);
                  return std::string();
                });
  parser.option("--width", "N", "lanes per warp, 1 to 128 (default 32)", number(launch.width, 1));
  parser.option("--arg", "NAME=VALUE",
                "an argument: a number, zeros:N, iota:N, random:N, fill:N:VALUE (each with an "
                "optional :TYPE), @FILE, &OTHER; NAME@OFFSET=VALUE:TYPE in a record",
                [&](const std::string &value) { return parseArgument(value, launch.arguments); });
  parser.option("--args", "F.json", "arguments from a JSON object",
                [&](const std::string &value) { return readArguments(value, launch.arguments); });
  parser.flag("--choose", "choose the arguments and the dynamic shared memory that are not given",
              [&] { options.choose = true; });
  parser.option("--shared", "BYTES", "dynamic shared memory (default 0)",
                number(options.sharedBytes, 0));
  parser.option("--seed", "N", "of random arrays, unknown values and schedules (default 0)",
                number(options.seed, 0));
  parser.option("--schedule", "KIND", "'reference' (default) or 'random'",
                [&](const std::string &value) -> std::string {
                  options.schedule = value;
                  return value == "reference" || value == "random"
                             ? ""
                             : "expected reference or random, got '" + value + "'";
                });
  parser.option("--timeout", "S", "seconds (default 60)", number(options.timeout, 1));
  parser.option("--max-steps", "M", "millions of instructions (default 2000)",
                number(options.steps, 1));
  parser.option("--instances", "N",
                "how many primitive instances are recorded; all are counted (default 20000)",
                number(options.instances, 0));
  parser.option("--values", "N", "how many elements of an array '--format json' prints (1048576)",
                number(options.extent.values, 0));
  parser.option("--follow", "BLOCK:THREAD",
                "tell what this thread does, in '--format json'; may be repeated; 'auto': the two "
                "threads of the first race or fault",
                [&](const std::string &value) {
                  options.follow = true;
                  return value == "auto" ? "" : parseThread(value, launch.follow);
                });
  parser.flag("--no-races", "do not look for races", [&] { launch.detectRaces = false; });
  parser.option("--format", "FORMAT", "'text' (default), 'json' or 'svg'",
                [&](const std::string &value) -> std::string {
                  options.format = value;
                  return value == "text" || value == "json" || value == "svg"
                             ? ""
                             : "expected text, json or svg, got '" + value + "'";
                });
  parser.flag("--stdin", "the file's text comes from standard input: FILE is only its name",
              [&] { options.fromInput = true; });
  parser.hiddenOption("--compact", [&](const std::string &) {
    options.extent.compact = true;
    return std::string();
  });
  parser.hiddenOption("--no-toolkit", [](const std::string &) {
    setenv("WARPDRF_NO_TOOLKIT", "1", /*overwrite=*/1); // where the front end looks
    return std::string();
  });
  parser.positional(options.paths);
}

/// The module's text: of a `.mlir` file as it is, else what the front end makes of the file.
std::string moduleText(const RunOptions &options, std::string &error) {
  const std::string &path = options.paths.front();
  std::optional<std::string> text;
  if (options.fromInput)
    text.emplace(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  if (path.ends_with(".mlir")) {
    if (!text)
      text = readRegularFile(path);
    if (!text)
      error = path + ": cannot be read\n";
    return text.value_or("");
  }
  Checker checker;
  return checker.lower(path, text, options.compile, std::nullopt, /*locations=*/true, error);
}

/// Runs once more if that is what it takes to see what the format shows.
Execution runFor(const RunOptions &options, const Program &program, Launch &launch,
                 Chosen &chosen) {
  Execution execution =
      options.choose ? runWithChoices(program, launch, chosen) : program.run(launch);
  if (options.format == "svg")
    launch.timeline = render::timelineBlocks(launch, execution);
  else if (options.format == "json" && options.follow && launch.follow.empty())
    launch.follow = render::followedThreads(launch, execution);
  else
    return execution;
  return program.run(launch);
}

int exitStatus(const Execution &execution) {
  switch (execution.ending) {
  case Ending::Finished:
    return execution.hasRace() || execution.hasParticipationError() ||
                   execution.hasFault("uninitialized-shared")
               ? 1
               : 0;
  case Ending::OutOfBounds:
  case Ending::DivisionByZero:
  case Ending::Deadlock:
    return 1;
  default:
    return 2;
  }
}

} // namespace

int runKernel(const CommandArguments &arguments) {
  RunOptions options;
  Arguments parser("run [OPTIONS] FILE(.cu/.mlir) [-- COMPILER FLAGS]",
                   "Runs a kernel in the reference interpreter and says who took part in each "
                   "primitive, which accesses raced, and what else went wrong.");
  declare(parser, options);
  int exitCode = 0;
  if (!parser.parse(arguments, exitCode))
    return exitCode;
  if (options.paths.size() != 1) {
    std::cerr << "warpdrf: run takes one file\n";
    return 2;
  }
  std::string error;
  const std::string module = moduleText(options, error);
  std::cerr << error;
  if (module.empty())
    return 2;
  error.clear();
  std::optional<Program> program =
      Program::load(module, options.paths.front(), options.kernel, error);
  if (!program) {
    std::cerr << "warpdrf: " << options.paths.front() << ": " << error << "\n";
    return 2;
  }
  Launch &launch = options.launch;
  launch.seed = options.seed;
  launch.sharedBytes = options.sharedBytes;
  launch.schedule = options.schedule == "random" ? Schedule::Random : Schedule::Reference;
  launch.limits.seconds = options.timeout;
  launch.limits.instances = options.instances;
  launch.limits.steps = std::uint64_t{options.steps} * 1'000'000;
  for (const std::string &place : options.focus)
    if (std::string problem = parseLine(place, options.paths.front(), launch.focus);
        !problem.empty()) {
      std::cerr << "warpdrf: --focus: " << problem << "\n";
      return 2;
    }
  Chosen chosen;
  const Execution execution = runFor(options, *program, launch, chosen);
  std::cout << (options.format == "json" ? render::executionJson(program->kernel(), launch,
                                                                 execution, chosen, options.extent)
                : options.format == "svg"
                    ? render::executionSvg(program->kernel(), launch, execution)
                    : render::chosenText(chosen) +
                          render::executionText(program->kernel(), launch, execution))
            << std::flush;
  return exitStatus(execution);
}

} // namespace warpdrf::cli
