// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads stand relative to each other. Control is structured and instructions are laid out
// in program order, so a place and the counts of the loops around it say what a thread may still
// reach: whatever comes later in its iteration, outside the other arms of the branches it is in,
// and everything in later iterations.
#pragma once

#include "analysis/interpreter/code.h"

namespace warpdrf::interpreter {

enum class Relation {
  Same,     ///< one dynamic block
  MayReach, ///< the first may still come to where the second is
  Excluded, ///< in another arm: neither comes to the other
  Passed,   ///< the first is behind the second
};

/// A thread's place; the registers hold its loop counts and selectors.
struct Standing {
  std::uint32_t pc = 0;
  const std::uint64_t *registers = nullptr;
};

Relation relate(const Code &code, const Standing &first, const Standing &second);

/// Whether two threads at one place are in the same iterations of the loops around it.
inline bool haveSameCounts(const Code &code, std::uint32_t pc, const std::uint64_t *first,
                           const std::uint64_t *second) {
  for (Register count : code.scopes[code.scopeOf[pc]].counts)
    if (first[count] != second[count])
      return false;
  return true;
}

/// The counts of the loops around a place, from outside.
std::vector<std::uint64_t> coordinates(const Code &code, const Standing &at);

/// Whether a place with its counts comes before another one in program order.
bool precedes(const Code &code, std::uint32_t firstPc,
              const std::vector<std::uint64_t> &firstCounts, std::uint32_t secondPc,
              const std::vector<std::uint64_t> &secondCounts);

} // namespace warpdrf::interpreter
