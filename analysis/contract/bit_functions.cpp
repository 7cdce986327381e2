// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/bit_functions.h"

#include <bit>
#include <map>

namespace warpdrf::contract {

/// Integers of terms are mathematical; the functions look at the lower bits of their two's
/// complement.
template <typename Word>
static std::int64_t population(std::int64_t value) {
  return std::popcount(static_cast<Word>(value));
}

template <typename Word>
static std::int64_t leadingZeros(std::int64_t value) {
  return std::countl_zero(static_cast<Word>(value));
}

template <typename Word>
static std::int64_t firstSet(std::int64_t value) {
  return static_cast<Word>(value) ? std::countr_zero(static_cast<Word>(value)) + 1 : 0;
}

static std::int64_t reversed(std::int64_t value) {
  std::uint32_t result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (static_cast<std::uint32_t>(value) >> i & 1) << (31 - i);
  return result;
}

BitFunction bitFunction(const std::string &name) {
  static const std::map<std::string, BitFunction> functions = {
      {"__popc", population<std::uint32_t>},
      {"__popcll", population<std::uint64_t>},
      {"__builtin_popcount", population<std::uint32_t>},
      {"__builtin_popcountll", population<std::uint64_t>},
      {"__clz", leadingZeros<std::uint32_t>},
      {"__clzll", leadingZeros<std::uint64_t>},
      {"__ffs", firstSet<std::uint32_t>},
      {"__ffsll", firstSet<std::uint64_t>},
      {"__builtin_ffs", firstSet<std::uint32_t>},
      {"__builtin_ffsll", firstSet<std::uint64_t>},
      {"__brev", reversed}};
  auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

} // namespace warpdrf::contract
