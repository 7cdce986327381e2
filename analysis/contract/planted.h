// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bugs to plant in the checker: the differential tests must be able to find each of them
// (tests/differential/plant.cpp), else the generated kernels lack something. Each is asked for in
// the one place where somebody might make it. In the product `planted` is constantly false and
// leaves no code; the sources that include this header are compiled a second time, with
// WARPDRF_PLANTED_BUGS, for the tests only.
#pragma once

#include <bitset>
#include <cstddef>

// WARPDRF_BUG(name, what the checker then believes)
#define WARPDRF_BUGS(WARPDRF_BUG)                                                                  \
  WARPDRF_BUG(backEdge, "behind a barrier, no thread starts another iteration")                    \
  WARPDRF_BUG(firstIteration, "a loop with a barrier is entered for its first iteration only")     \
  WARPDRF_BUG(skippedBarrier, "a barrier in a branch is met by everybody")                         \
  WARPDRF_BUG(shuffleOrders, "shuffles and votes order memory")                                    \
  WARPDRF_BUG(warpBarrierWide, "__syncwarp orders the whole block")                                \
  WARPDRF_BUG(exitedTakesPart, "threads that have left take part in later barriers")               \
  WARPDRF_BUG(exitedIsMissed, "threads that have left are waited for")                             \
  WARPDRF_BUG(returnGoesOn, "a thread goes on behind `return`")                                    \
  WARPDRF_BUG(continueBreaks, "`continue` leaves the loop")                                        \
  WARPDRF_BUG(fallthrough, "a case without `break` leaves the switch")                             \
  WARPDRF_BUG(elseFacts, "the condition may hold in its else branch")                              \
  WARPDRF_BUG(temporalDivergence, "threads leave every loop in the same iteration")                \
  WARPDRF_BUG(stillInLoop, "who has left a loop by `break` is still in it")                        \
  WARPDRF_BUG(toggleParity, "a toggled value starts with its second value")                        \
  WARPDRF_BUG(affineStart, "what a loop counts has made its first step before the loop")           \
  WARPDRF_BUG(pointerOffset, "a pointer that was moved, moved again, starts from its object")      \
  WARPDRF_BUG(pointerChoice, "of two objects that a pointer may point to, it is the first")        \
  WARPDRF_BUG(byteWidth, "accesses touch one byte")                                                \
  WARPDRF_BUG(wrap, "values of narrow types do not wrap around")                                   \
  WARPDRF_BUG(mixedRadix, "products with different strides never meet")                            \
  WARPDRF_BUG(blockIndex, "blocks do not race with each other")                                    \
  WARPDRF_BUG(partialWarp, "all lanes of the last warp were launched")                             \
  WARPDRF_BUG(firstWarp, "undefined lanes are those of the first warp")                            \
  WARPDRF_BUG(sourceLane, "every shuffle reads a lane that takes part")                            \
  WARPDRF_BUG(maskNotSplit, "lanes that meet pass one mask")                                       \
  WARPDRF_BUG(ballotNegated, "a ballot's mask has the bits of those that voted no")                \
  WARPDRF_BUG(voteWide, "a vote has the same result in every warp")                                \
  WARPDRF_BUG(matchWhole, "__match_any_sync gives all lanes one mask")                             \
  WARPDRF_BUG(barrierId, "named barriers of different ids meet")                                   \
  WARPDRF_BUG(atomicsAreNone, "atomics are no accesses")                                           \
  WARPDRF_BUG(atomicAgainstPlain, "an atomic does not race with a plain access")                   \
  WARPDRF_BUG(atomicScope, "atomics of a block's scope reach other blocks")                        \
  WARPDRF_BUG(fenceScope, "a fence of a block's scope publishes to other blocks")                  \
  WARPDRF_BUG(ticketAmount, "a ticket gives one element more than it was asked for")               \
  WARPDRF_BUG(rankOfAll, "lanes that did not vote have ranks of their own")                        \
  WARPDRF_BUG(sameValue, "racing stores write the same value")

namespace warpdrf::contract {

enum class Bug {
#define WARPDRF_BUG(name, text) name,
  WARPDRF_BUGS(WARPDRF_BUG)
#undef WARPDRF_BUG
      none
};

#ifdef WARPDRF_PLANTED_BUGS
inline Bug plantedBug = Bug::none;
inline std::bitset<static_cast<std::size_t>(Bug::none)> askedBugs; ///< that would make a difference
inline bool planted(Bug bug) {
  askedBugs.set(static_cast<std::size_t>(bug));
  return plantedBug == bug;
}
#else
constexpr bool planted(Bug) {
  return false;
}
#endif

} // namespace warpdrf::contract
