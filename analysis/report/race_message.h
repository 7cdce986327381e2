// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a race is told, whoever found it.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf {

enum class AccessKind { Read, Write, Atomic };

/// "read", "matrix store", "asynchronous write", …
std::string accessWords(AccessKind kind, bool byWarp, bool asynchronous);

/// What a race is between: accessWords(), and where the other access stands.
struct RaceWords {
  std::string object; ///< as written
  std::string access, other;
  Range range, otherRange;
  Scope scope;
};

/// "tile[32]" where an access of `size` bytes at `offset` is one of a whole element of that size,
/// else "tile[byte 130]".
std::string cellName(const std::string &object, std::int64_t offset, std::int64_t size);

std::string raceMessage(const RaceWords &words);

} // namespace warpdrf
