// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/order.h"

#include <algorithm>

namespace warpdrf::interpreter {

Relation relate(const Code &code, const Standing &first, const Standing &second) {
  const std::uint32_t firstScope = code.scopeOf[first.pc], secondScope = code.scopeOf[second.pc];
  const std::vector<PathStep> &a = code.scopes[firstScope].path;
  const std::vector<PathStep> &b = code.scopes[secondScope].path;
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common && a[i].construct == b[i].construct; ++i) {
    if (a[i].loop) {
      const std::uint64_t x = first.registers[a[i].count], y = second.registers[b[i].count];
      if (x != y)
        return x < y ? Relation::MayReach : Relation::Passed;
    } else if (a[i].arm != b[i].arm) {
      if (!a[i].isSwitch)
        return Relation::Excluded;
      if (a[i].arm < b[i].arm)
        return b[i].arm <= a[i].fallsTo ? Relation::MayReach : Relation::Excluded;
      return a[i].arm <= b[i].fallsTo ? Relation::Passed : Relation::Excluded;
    }
  }
  if (first.pc == second.pc)
    return Relation::Same;
  return first.pc < second.pc ? Relation::MayReach : Relation::Passed;
}

std::vector<std::uint64_t> coordinates(const Code &code, const Standing &at) {
  std::vector<std::uint64_t> result;
  for (const PathStep &step : code.scopes[code.scopeOf[at.pc]].path)
    if (step.loop)
      result.push_back(at.registers[step.count]);
  return result;
}

bool precedes(const Code &code, std::uint32_t firstPc,
              const std::vector<std::uint64_t> &firstCounts, std::uint32_t secondPc,
              const std::vector<std::uint64_t> &secondCounts) {
  const std::vector<PathStep> &a = code.scopes[code.scopeOf[firstPc]].path;
  const std::vector<PathStep> &b = code.scopes[code.scopeOf[secondPc]].path;
  std::size_t loops = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].construct != b[i].construct)
      break;
    if (!a[i].loop)
      continue;
    if (firstCounts[loops] != secondCounts[loops])
      return firstCounts[loops] < secondCounts[loops];
    ++loops;
  }
  return firstPc < secondPc;
}

} // namespace warpdrf::interpreter
