// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How an object and an offset make an address (memory.cpp says why).
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpdrf::interpreter {

struct Location {
  std::size_t object = 0;   ///< beyond every object if the address is of none
  std::uint64_t offset = 0; ///< huge when before the object's start
};

constexpr unsigned sharedShift = 24, otherShift = 40;

inline Location locate(std::uint64_t address) {
  const unsigned shift = address >> 32 ? otherShift : sharedShift;
  const std::uint64_t window = std::uint64_t{1} << shift;
  return {static_cast<std::size_t>(address >> shift) - 1, (address & (window - 1)) - window / 2};
}

inline std::uint64_t addressFor(std::size_t object, bool shared) {
  const unsigned shift = shared ? sharedShift : otherShift;
  return (std::uint64_t{object} + 1) << shift | std::uint64_t{1} << (shift - 1);
}

} // namespace warpdrf::interpreter
