// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a race is told, whoever found it.
#pragma once

#include "analysis/report/report.h"

namespace warpdrf {

/// What a race is between: "write", "read", "atomic update", …, and where the other access stands.
struct RaceWords {
  std::string object; ///< as written
  std::string access, other;
  Range range, otherRange;
  Scope scope;
};

std::string raceMessage(const RaceWords &words);

} // namespace warpdrf
