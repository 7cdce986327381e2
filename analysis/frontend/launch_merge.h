// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch in the source is reached by several chains of calls, each of which knows other things
// of it. Where the dimensions are the same it is checked once, with what all of them agree on, and
// with that one of them holds.
#pragma once

#include "analysis/frontend/frontend.h"

namespace warpdrf::frontend {

struct MergedLaunch {
  /// What one chain of calls knows.
  struct Chain {
    std::map<std::string, std::string> values;
    std::vector<std::string> facts;
    bool operator==(const Chain &) const = default;
  };
  Launch launch;             ///< values and facts only once settled
  std::vector<Chain> chains; ///< all different
};

/// Adds a launch to those that were found.
void merge(std::vector<MergedLaunch> &found, Launch launch);

/// The launch with what its chains say.
Launch settled(MergedLaunch merged);

} // namespace warpdrf::frontend
