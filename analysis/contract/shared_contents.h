// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may have been stored in the shared arrays of a block up to a point of the program: enough to
// see that an array still holds what a simple rule says of each cell, such as `s[i] = i`. A cell
// that nobody has written holds nothing that counts: reading it is a finding of its own.
#pragma once

#include "analysis/contract/term.h"

#include <map>
#include <memory>
#include <vector>

namespace warpdrf::contract {

/// A write that may be what a read of the object sees.
struct StoredWrite {
  Term offset; ///< in bytes, of the writing thread
  std::int64_t size;
  Term value; ///< null: not known
  std::vector<Term> path;
  bool ready = false; ///< a barrier of the block lies behind it
  bool operator==(const StoredWrite &) const = default;
};

struct StoredContents {
  std::vector<StoredWrite> writes;
  Interval others{0, 0}; ///< bytes that may hold anything; empty where the ends are equal
  bool fromLoop = false; ///< writes of earlier iterations of a loop around are missing here
  bool operator==(const StoredContents &other) const {
    return writes == other.writes && others.lo == other.others.lo && others.hi == other.others.hi &&
           fromLoop == other.fromLoop;
  }
};

/// By object; copies share what neither has changed. Not thread-safe.
using SharedContents = std::map<std::int64_t, std::shared_ptr<const StoredContents>>;

} // namespace warpdrf::contract
