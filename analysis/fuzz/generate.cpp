// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fuzz/generate.h"

#include "analysis/fuzz/generator.h"

#include <iterator>

namespace warpdrf::fuzz {

void append(Block &to, Block what) {
  to.insert(to.end(), std::make_move_iterator(what.begin()), std::make_move_iterator(what.end()));
}

/// Fills the shared arrays, so that not every kernel reads what nobody wrote.
Block Generator::initialise() {
  return {{"for (int z = t; z < 4096; z += D) {", {}, {{"", {Line{"s[z] = u[z] = 0;"}}}}},
          Line{"__syncthreads();"}};
}

Block Generator::recipe() {
  static constexpr Block (Generator::*recipes[])() = {
      &Generator::treeReduction,
      &Generator::growingReduction,
      &Generator::volatileReduction,
      &Generator::doubleBuffer,
      &Generator::warmBuffer,
      &Generator::broadcastSlot,
      &Generator::neighbours,
      &Generator::gridStride,
      &Generator::views,
      &Generator::overlappingViews,
      &Generator::eitherArray,
      &Generator::narrowIndex,
      &Generator::pointerWalk,
      &Generator::matrix,
      &Generator::scatter,
      &Generator::keptPlaces,
      &Generator::warpReduction,
      &Generator::scan,
      &Generator::compaction,
      &Generator::partOfWarp,
      &Generator::votersOnly,
      &Generator::matchLeader,
      &Generator::voteBranch,
      &Generator::activeLanes,
      &Generator::tailOfWarp,
      &Generator::tickets,
      &Generator::lastBlock,
      &Generator::flag,
      &Generator::sometimesBarrier,
      &Generator::cases,
      &Generator::namedBarriers,
      &Generator::countingBarrier,
      &Generator::earlyExit,
      &Generator::exitInLoop,
      &Generator::leftByBreak,
      &Generator::lateBarrier,
      &Generator::sharedCounter,
      &Generator::scopedAtomics,
      &Generator::templates,
      &Generator::byReference,
      &Generator::lambdas,
      &Generator::functions,
      &Generator::members,
      &Generator::tiles,
      &Generator::carved,
      &Generator::pingPong,
      &Generator::vectors,
      &Generator::effectsInConditions,
      &Generator::narrowCounters,
      &Generator::otherAccesses,
      &Generator::shuffles,
      &Generator::segments,
      &Generator::reductions,
      &Generator::matches,
      &Generator::votersInTurn,
      &Generator::argumentOfLargest,
      &Generator::computedMasks,
      &Generator::groupBarriers,
      &Generator::tileBarriers,
      &Generator::tileShuffles,
      &Generator::tileVotes,
      &Generator::tileReductions,
      &Generator::tilesOfTiles,
      &Generator::gridBarrier,
      &Generator::ptxBarriers,
      &Generator::arrivals,
      &Generator::ptxShuffles,
      &Generator::ptxVotes,
      &Generator::ptxMemory,
      &Generator::asyncCopies,
      &Generator::asyncStages,
      &Generator::ownPipeline,
      &Generator::winners,
      &Generator::aggregated,
      &Generator::histogram,
      &Generator::messages,
      &Generator::atomicReferences,
      &Generator::lastOfAll,
      &Generator::relays,
      // Twice: what they show comes from little else.
      &Generator::overlappingViews,
      &Generator::eitherArray,
      &Generator::matrix,
      &Generator::compaction,
      &Generator::lastBlock,
      &Generator::activeLanes,
      &Generator::scatter,
      &Generator::keptPlaces,
      &Generator::flag,
      &Generator::tailOfWarp,
      &Generator::tickets,
      &Generator::matchLeader,
      &Generator::voteBranch,
      &Generator::lateBarrier,
  };
  return (this->*recipes[below(std::size(recipes))])();
}

/// Everybody writes a place of its own, everybody reads.
Block Generator::phase() {
  Block all;
  const bool warp = chance(15);
  const char *barrier = warp ? "__syncwarp();" : "__syncthreads();";
  const std::string array = oneOf({"s", "u"});
  Statement write = Line{array + "[$0] = $1;", {ownIndex(), value()}};
  if (chance(25))
    write = {"if ($0) {", {condition()}, {{"", {write}}}};
  all.push_back(std::move(write));
  maybe(all, barrier);
  if (chance(30))
    all.push_back(Line{"v += __shfl_xor_sync(~0u, v, $0);", {{Type::Integer, number(1, 31), {}}}});
  Statement read = Line{"v += " + array + "[$0];",
                        {warp ? Expression{Type::Integer, "t ^ 1", {}} : sharedIndex()}};
  if (chance(25))
    read = {"if ($0) {", {condition()}, {{"", {read}}}};
  all.push_back(std::move(read));
  maybe(all, barrier);
  return all;
}

/// Phases one after the other, each left in order.
Block Generator::disciplined() {
  Block all;
  const std::uint64_t parts = 1 + below(3);
  for (std::uint64_t i = 0; i < parts; ++i) {
    switch (below(6)) {
    case 0:
      append(all, recipe());
      break;
    case 1:
      all.push_back(If{uniformCondition(), phase()});
      break;
    case 2: {
      const Expression count = integer({"n", "3", "in[b] & 3"});
      counters.push_back("i");
      all.push_back({"for (int i = 0; i < $0; ++i) {", {count}, {{"", phase()}}});
      counters.pop_back();
      break;
    }
    default:
      append(all, phase());
    }
    maybe(all, "__syncthreads();");
  }
  all.push_back(Line{"g[b * D + t] = v;"});
  return all;
}

Program Generator::program() {
  Program result;
  if (chance(10))
    result.rows = chance(70) ? 2 : 4;
  if (chance(60)) {
    const int blocks[] = {32, 64, 64, 96, 128, 128, 48, 20};
    result.block = blocks[below(8)];
  }
  if (chance(50))
    result.grid = 1 + static_cast<std::int64_t>(below(3));
  const std::uint64_t kind = below(100);
  if (kind < 12) {
    result.body = statements(2 + below(5));
  } else if (kind < 65) {
    result.body = recipe();
    if (chance(30))
      append(result.body, statements(1 + below(2)));
    if (chance(50))
      result.body.push_back(Line{"h[b * D + t] = v;"});
  } else {
    result.body = disciplined();
  }
  const std::string code = text(result, "k");
  if (chance(50) && (code.find("__shared__") != std::string::npos)) {
    Block body = initialise();
    append(body, std::move(result.body));
    result.body = std::move(body);
  }
  return result;
}

Program generate(std::uint64_t seed) {
  return Generator(seed).program();
}

} // namespace warpdrf::fuzz
