// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator's inside: choices, expressions (expressions.cpp), statements (statements.cpp),
// well-known pieces of kernels (recipes_*.cpp) and whole programs (generate.cpp).
#pragma once

#include "analysis/fuzz/program.h"

#include <initializer_list>

namespace warpdrf::fuzz {

class Generator {
public:
  explicit Generator(std::uint64_t seed) : state(seed * 0x9e3779b97f4a7c15ull + 1) {}
  Program program();

private:
  // --- choices
  std::uint64_t below(std::uint64_t bound);
  bool chance(unsigned percent) { return below(100) < percent; }
  std::string oneOf(std::initializer_list<const char *> choices);
  std::string number(std::uint64_t low, std::uint64_t high);
  Expression integer(std::initializer_list<const char *> choices);
  Expression numberBetween(std::uint64_t low, std::uint64_t high);

  // --- expressions.cpp
  Expression value();
  Expression sharedIndex();
  Expression ownIndex();
  Expression globalIndex();
  Expression condition();
  Expression uniformCondition();
  Expression mask();
  Expression tripCount();

  // --- statements.cpp
  Block statements(std::uint64_t count);
  Statement statement();
  Statement simple();
  Statement collective();
  Statement control();
  Statement loop();
  std::string loopHead(const std::string &counter, std::string &ending);
  Statement selection();
  bool inLoop() const { return !counters.empty(); }
  /// The barrier, but for now and then.
  void maybe(Block &block, const char *barrier);

  // --- recipes_memory.cpp
  Block treeReduction();
  Block growingReduction();
  Block volatileReduction();
  Block doubleBuffer();
  Block warmBuffer();
  Block broadcastSlot();
  Block neighbours();
  Block gridStride();
  Block views();
  Block overlappingViews();
  Block eitherArray();
  Block narrowIndex();
  Block pointerWalk();
  Block matrix();
  Block scatter();
  Block keptPlaces();

  // --- recipes_warp.cpp
  Block warpReduction();
  Block scan();
  Block compaction();
  Block partOfWarp();
  Block votersOnly();
  Block matchLeader();
  Block voteBranch();
  Block activeLanes();
  Block tailOfWarp();

  // --- recipes_order.cpp
  Block tickets();
  Block lastBlock();
  Block flag();
  Block sometimesBarrier();
  Block cases();
  Block namedBarriers();
  Block countingBarrier();
  Block earlyExit();
  Block exitInLoop();
  Block leftByBreak();
  Block lateBarrier();
  Block sharedCounter();
  Block scopedAtomics();

  // --- recipes_language.cpp
  Block templates();
  Block byReference();
  Block lambdas();
  Block functions();
  Block members();
  Block tiles();
  Block carved();
  Block pingPong();
  Block vectors();
  Block effectsInConditions();
  Block narrowCounters();
  Block otherAccesses();

  // --- recipes_lanes.cpp
  Block shuffles();
  Block segments();
  Block reductions();
  Block matches();
  Block votersInTurn();
  Block argumentOfLargest();
  Block computedMasks();

  // --- recipes_groups.cpp
  std::pair<std::string, std::string> someTile();
  Expression tileCondition(const std::string &size);
  Block groupBarriers();
  Block tileBarriers();
  Block tileShuffles();
  Block tileVotes();
  Block tileReductions();
  Block tilesOfTiles();
  Block gridBarrier();

  // --- recipes_ptx.cpp
  Block ptxBarriers();
  Block arrivals();
  Block ptxShuffles();
  Block ptxVotes();
  Block ptxMemory();
  Block ptxMessage();

  // --- recipes_async.cpp
  Statement asyncCopy(const std::string &to, const std::string &from);
  Block asyncCopies();
  Block asyncStages();
  Block ownPipeline();

  // --- recipes_atomics.cpp
  Block winners();
  Block aggregated();
  Block histogram();
  Block messages();
  Block atomicReferences();
  Block lastOfAll();
  Block relays();

  // --- generate.cpp
  Block initialise();
  Block recipe();
  Block phase();
  Block disciplined();

  std::uint64_t state;
  unsigned depth = 0;
  bool breakable = false;            ///< the innermost construct is a loop
  bool inCase = false;               ///< directly in a switch, where nothing can be declared
  std::vector<std::string> counters; ///< of the loops around
  unsigned whiles = 0;               ///< so far: their counters need names of their own
};

/// A statement without arms. An aggregate, because its members are initialised in their order: the
/// arguments of a call are evaluated as the compiler likes, and two that draw would draw in any.
struct Line {
  std::string pattern;
  std::vector<Expression> operands = {};
  operator Statement() && { return {std::move(pattern), std::move(operands), {}}; }
};

/// What is asked, with operands or as plain text.
struct Test {
  Test(Expression given) : expression(std::move(given)) {}
  Test(std::string text) : expression{Type::Condition, std::move(text), {}} {}
  Test(const char *text) : Test(std::string(text)) {}
  Expression expression;
};

/// A branch with one arm; an aggregate, like Line.
struct If {
  Test test;
  Block body;
  operator Statement() && {
    return {"if ($0) {", {std::move(test.expression)}, {{"", std::move(body)}}};
  }
};

void append(Block &to, Block what);

} // namespace warpdrf::fuzz
