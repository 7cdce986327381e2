// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device did against what the oracle expects.
#pragma once

#include "analysis/conformance/test.h"

namespace warpdrf::conformance {

/// The first cell that differs, by place, visit and thread.
struct Difference {
  enum class Kind {
    Lanes,  ///< who took part (or, at a note, what an earlier primitive had said)
    Count,  ///< the ballot is right, but not how many a reduction counted
    Visits, ///< how often the thread was there
    NoEnd,  ///< the program does not end on the device, so there is nothing to compare
  };
  Kind kind = Kind::Lanes;
  bool note = false; ///< the place is a note, no primitive
  unsigned place = 0, visit = 0, thread = 0;
  std::uint32_t expected = 0, seen = 0;
  std::uint64_t cells = 0; ///< that differ, with this one
};

std::optional<Difference> compare(const Test &test, const Memory &seen);

/// "0-3, 7", or "none".
std::string lanesText(std::uint32_t lanes);
std::string text(const Difference &difference);

} // namespace warpdrf::conformance
