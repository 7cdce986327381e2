// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers that are the same with every compiler and library: the distributions of <random>
// are not. Who draws several numbers for one expression draws them in separate statements, since
// the order in which arguments are evaluated is the compiler's choice.
#pragma once

#include <cstdint>

namespace warpdrf::conformance {

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}

  /// SplitMix64.
  std::uint64_t next() {
    std::uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  /// 0 … count - 1; the bias is below 2^-32 for the small counts we ask for.
  unsigned below(unsigned count) {
    return static_cast<unsigned>((next() >> 32) * std::uint64_t{count} >> 32);
  }
  /// least … most
  unsigned between(unsigned least, unsigned most) { return least + below(most - least + 1); }
  bool percent(unsigned chance) { return below(100) < chance; }

private:
  std::uint64_t state;
};

} // namespace warpdrf::conformance
