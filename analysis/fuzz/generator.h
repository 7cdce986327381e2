// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generator's inside: choices, expressions (expressions.cpp), well-known pieces of kernels
// (recipes.cpp), statements and whole programs (generate.cpp).
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

  // --- expressions.cpp
  Expression value();
  Expression sharedIndex();
  Expression ownIndex();
  Expression globalIndex();
  Expression condition();
  Expression uniformCondition();
  Expression mask();
  Expression tripCount();

  // --- recipes.cpp
  Statement synchronise();
  void maybe(Block &block, const char *barrier);
  Block recipe();
  Block treeReduction();
  Block warpReduction();
  Block doubleBuffer();
  Block tickets();
  Block lastBlock();
  Block compaction();
  Block broadcastSlot();
  Block neighbours();
  Block gridStride();

  // --- generate.cpp
  Block statements(unsigned count);
  Statement statement();
  Statement simple();
  Statement collective();
  Statement control();
  Statement loop();
  Statement selection();
  Block phase();
  Block disciplined();
  bool inLoop() const { return !counters.empty(); }

  std::uint64_t state;
  unsigned depth = 0;
  bool breakable = false;            ///< the innermost construct is a loop
  std::vector<std::string> counters; ///< of the loops around
};

/// A statement without arms.
inline Statement line(std::string pattern, std::vector<Expression> operands = {}) {
  return {std::move(pattern), std::move(operands), {}};
}

} // namespace warpdrf::fuzz
