// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/choose_arguments.h"

#include "analysis/replay_launch.h"

#include <algorithm>
#include <chrono>

namespace warpdrf {

using namespace interpreter;

namespace {

/// One way to choose what is missing.
struct Attempt {
  std::int64_t scalar;
  std::uint64_t elements;
  std::uint64_t sharedBytes;
};

/// From small to large, then with smaller numbers: `n` threads that index by `row * n + column`
/// want arrays of `n * n` elements.
std::vector<Attempt> attempts(const Launch &launch) {
  std::int64_t threads = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
    threads = std::min<std::int64_t>(threads * launch.block[axis], 1 << 20) *
              std::min<std::int64_t>(launch.grid[axis], 1 << 20);
  std::vector<Attempt> result;
  for (std::int64_t scalar : {std::min<std::int64_t>(threads, 1 << 20), std::int64_t{64},
                              std::int64_t{7}, std::int64_t{1}})
    for (std::uint64_t elements : {1ull << 12, 1ull << 18, 1ull << 22}) {
      result.push_back({scalar, elements, launch.sharedBytes});
      if (launch.sharedBytes == 0)
        result.push_back({scalar, elements, 48 << 10});
    }
  return result;
}

/// The largest number below `wanted` that the parameter holds.
std::int64_t fitting(std::int64_t wanted, const Parameter &parameter) {
  switch (parameter.element.value_or(Element::I64)) {
  case Element::I1:
    return 1;
  case Element::I8:
    return std::min<std::int64_t>(wanted, 100);
  case Element::I16:
  case Element::F16:
    return std::min<std::int64_t>(wanted, 30000);
  default:
    return wanted;
  }
}

/// Whether smaller numbers or larger arrays may get further.
bool mayHelp(Ending ending) {
  return ending == Ending::OutOfBounds || ending == Ending::Assumption ||
         ending == Ending::DivisionByZero || ending == Ending::MemoryLimit ||
         ending == Ending::StepLimit;
}

class Chooser {
public:
  Chooser(const Program &program, Launch &launch) : program(program), launch(launch) {
    for (const Parameter &parameter : program.parameters())
      if (!launch.arguments.contains(parameter.name))
        missing.push_back(&parameter);
  }

  Execution run(Chosen &chosen) {
    const auto end = Clock::now() + std::chrono::duration<double>(launch.limits.seconds);
    const std::vector<Attempt> all = attempts(launch);
    std::size_t at = 0;
    Execution execution = attempt(all[0]);
    // The first one tells most of what is wrong; it is run again if none gets to its end.
    while (mayHelp(execution.ending) && (!missing.empty() || (at == 0 && given == 0))) {
      at = next(all, at, execution.ending);
      launch.limits.seconds = std::chrono::duration<double>(end - Clock::now()).count();
      if (at == all.size() || launch.limits.seconds < 0.1)
        break;
      execution = attempt(all[at]);
    }
    if (at != 0 && !execution.finished()) {
      launch.limits.seconds = std::max(launch.limits.seconds, 1.0);
      execution = attempt(all[0]);
      at = 0;
    }
    describe(all[at], chosen);
    return execution;
  }

private:
  using Clock = std::chrono::steady_clock;

  /// Larger arrays help where one was left, smaller numbers otherwise.
  static std::size_t next(const std::vector<Attempt> &all, std::size_t at, Ending ending) {
    const std::int64_t scalar = all[at].scalar;
    ++at;
    while (ending != Ending::OutOfBounds && at < all.size() && all[at].scalar == scalar)
      ++at;
    return at;
  }

  Execution attempt(const Attempt &attempt) {
    launch.sharedBytes = attempt.sharedBytes;
    const Given nothing(Witness(), program.parameters());
    for (const Parameter *parameter : missing) {
      const Choice choice{Array::Fill::Random, 0, launch.seed, fitting(attempt.scalar, *parameter)};
      launch.arguments[parameter->name] =
          nothing.argument(*parameter, choice, attempt.elements, /*zeroed=*/false);
    }
    return program.run(launch);
  }

  void describe(const Attempt &used, Chosen &chosen) const {
    Launch of;
    for (const Parameter *parameter : missing)
      of.arguments[parameter->name] = launch.arguments[parameter->name];
    chosen.arguments = argumentTexts(of);
    chosen.sharedBytes = given == 0 ? used.sharedBytes : 0;
  }

  const Program &program;
  Launch &launch;
  const std::uint64_t given = launch.sharedBytes;
  std::vector<const Parameter *> missing;
};

} // namespace

Execution runWithChoices(const Program &program, Launch &launch, Chosen &chosen) {
  return Chooser(program, launch).run(chosen);
}

} // namespace warpdrf
