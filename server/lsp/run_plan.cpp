// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/run_plan.h"

#include "analysis/report/shell_words.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace warpdrf::lsp {

using Triple = std::array<std::int64_t, 3>;
using Unknown = std::array<std::optional<std::int64_t>, 3>;

/// Of a grid that nobody needs as a whole.
static constexpr std::int64_t mostBlocks = 4;

static std::string words(const Triple &v) {
  return "(" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]) + ")";
}

static std::string option(const Triple &v) {
  return std::to_string(v[0]) + "," + std::to_string(v[1]) + "," + std::to_string(v[2]);
}

static void addLaunch(RunPlan &plan, const std::string &kernel, const Triple &block,
                      const Triple &grid) {
  plan.options = {"--kernel", kernel, "--block", option(block), "--grid", option(grid)};
}

static void addArguments(RunPlan &plan, const std::map<std::string, std::string> &arguments) {
  for (const auto &[name, value] : arguments) {
    plan.options.push_back("--arg");
    plan.options.push_back(name + "=" + value);
  }
}

/// The launch whose block is known best.
static const LaunchDims *launchOf(const KernelReport *report) {
  const LaunchDims *best = nullptr;
  const auto known = [](const Unknown &v) {
    return std::ranges::count_if(v, [](const auto &each) { return each.has_value(); });
  };
  if (report)
    for (const LaunchDims &launch : report->launches)
      if (!best || known(launch.block) > known(best->block))
        best = &launch;
  return best;
}

/// The block: what is wished, else what was seen, else two warps.
static Triple blockOf(const Unknown &wished, const LaunchDims *seen, RunPlan &plan) {
  Triple block;
  bool chosen = false, fromLaunch = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool isSeen = !wished[axis] && seen && seen->block[axis];
    chosen |= !wished[axis] && !isSeen;
    fromLaunch |= isSeen;
    block[axis] = wished[axis] ? *wished[axis] : isSeen ? *seen->block[axis] : axis == 0 ? 64 : 1;
  }
  if (fromLaunch)
    plan.notes.push_back("block " + words(block) + ": " + seen->source);
  else if (chosen)
    plan.notes.push_back("block " + words(block) + ": chosen, no launch is known");
  return block;
}

/// The grid in the same way, cut down where it was not wished.
static Triple gridOf(const Unknown &wished, const LaunchDims *seen, RunPlan &plan) {
  Triple grid, whole;
  std::int64_t blocks = 1;
  bool chosen = false, asked = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool isSeen = seen && seen->grid[axis];
    asked &= wished[axis].has_value();
    chosen |= !wished[axis] && !isSeen;
    whole[axis] = isSeen ? *seen->grid[axis] : axis == 0 ? 2 : 1;
    grid[axis] = wished[axis]
                     ? *wished[axis]
                     : std::min(whole[axis], std::max<std::int64_t>(mostBlocks / blocks, 1));
    blocks *= std::max<std::int64_t>(grid[axis], 1);
  }
  if (asked)
    return grid;
  std::string note = "grid " + words(grid);
  if (chosen)
    note += ": chosen";
  else if (grid != whole)
    note += ": cut down from " + words(whole);
  plan.notes.push_back(note);
  return grid;
}

RunPlan planOf(const RunWishes &wishes, const KernelReport *report) {
  RunPlan plan;
  const LaunchDims *seen = launchOf(report);
  const Triple block = blockOf(wishes.launch.block, seen, plan);
  addLaunch(plan, wishes.kernel, block, gridOf(wishes.launch.grid, seen, plan));
  addArguments(plan, wishes.arguments);
  plan.options.push_back("--choose");
  plan.follow = {"--follow", "auto"};
  return plan;
}

static std::int64_t linear(const Triple &at, const Triple &extent) {
  return at[0] + extent[0] * (at[1] + extent[1] * at[2]);
}

static std::vector<std::string> followed(const Witness &witness) {
  if (witness.threads.size() < 2) // the run knows who is worth comparing with
    return {"--follow", "auto"};
  std::vector<std::string> options;
  for (const WitnessThread &thread : witness.threads) {
    options.push_back("--follow");
    options.push_back(std::to_string(linear(thread.block, witness.grid)) + ":" +
                      std::to_string(linear(thread.thread, witness.block)));
  }
  return options;
}

/// Values of a model that are arguments: a parameter's number or another one's address. Iteration
/// counts, dimensions and single elements are none.
static std::map<std::string, std::string> argumentsOf(const Witness &witness) {
  std::map<std::string, std::string> arguments;
  for (const auto &[name, value] : witness.values)
    if (std::ranges::all_of(
            name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }))
      arguments[name] = value;
  return arguments;
}

/// The words of Witness::run between the file and the compiler's flags; none if it has none.
static std::vector<std::string> optionsOf(const Witness &witness) {
  std::vector<std::string> words = shellWords(witness.run);
  if (words.size() < 3)
    return {};
  return {words.begin() + 3, std::ranges::find(words, "--")};
}

RunPlan planOf(const Finding &finding) {
  const Witness &witness = *finding.witness;
  RunPlan plan;
  plan.options = optionsOf(witness);
  plan.follow = followed(witness);
  if (!plan.options.empty()) {
    plan.notes.push_back("launch and arguments: those of the finding's example");
    return plan;
  }
  addLaunch(plan, finding.instantiations.empty() ? finding.kernel : finding.instantiations.front(),
            witness.block, witness.grid);
  if (witness.grid[0] * witness.grid[1] * witness.grid[2] > mostBlocks) {
    std::set<std::int64_t> blocks;
    for (const WitnessThread &thread : witness.threads)
      blocks.insert(linear(thread.block, witness.grid));
    std::string list;
    for (std::int64_t block : blocks)
      list += (list.empty() ? "" : ",") + std::to_string(block);
    plan.options.push_back("--only-blocks");
    plan.options.push_back(list.empty() ? "0" : list);
    plan.notes.push_back("of the grid " + words(witness.grid) +
                         " these blocks: " + plan.options.back());
  }
  addArguments(plan, argumentsOf(witness));
  plan.options.push_back("--choose");
  plan.notes.push_back("no run has confirmed this finding: launch and numbers are those of its "
                       "example, the rest was chosen, and the run may not show it");
  return plan;
}

} // namespace warpdrf::lsp
