// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A baseline: the findings that a project lives with for now, by fingerprint, so that only new ones
// count.
#pragma once

#include "server/render/run.h"

#include <optional>
#include <set>
#include <string>

namespace warpdrf::render {

/// The reason of a finding that a baseline suppresses.
inline constexpr const char *inBaseline = "in the baseline";

struct Baseline {
  std::set<std::string> fingerprints;

  /// Reads what `toBaseline` wrote; nothing, and why, if the file is something else.
  static std::optional<Baseline> read(const std::string &path, std::string &failure);

  /// Suppresses the findings that are in it, and revises the verdicts. How many of its findings
  /// there are no more.
  std::size_t apply(RunReport &run) const;
};

/// The baseline of what is found: the findings that count, one line each, sorted.
std::string toBaseline(const RunReport &run);

} // namespace warpdrf::render
