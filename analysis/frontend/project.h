// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `.warpdrf.json` says. Its schema is docs/warpdrf.schema.json.
#pragma once

#include "analysis/report/report.h"

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

/// A text in the file, and where it stands.
struct PlacedText {
  std::string key; ///< of the member it is the value of: a rule, a kernel; "" in a list
  std::string text;
  Range range;
};

/// What is wrong in the file is in `problems` and counts as absent. Texts that other layers
/// understand (launches, assumptions, rules, regular expressions) are not looked into here.
struct Project {
  std::string file; ///< empty: there is none
  std::vector<std::string> flags;
  std::optional<std::string> architecture, toolkit;
  std::optional<std::string> contract; ///< cuda, smr, fmr
  std::optional<std::string> masks;    ///< documented, strict
  std::vector<PlacedText> severities;  ///< of rules
  std::vector<std::string> assumptionsOff;
  std::vector<PlacedText> allow, deny; ///< regular expressions for kernels
  std::vector<PlacedText> launches;    ///< of kernels
  std::vector<PlacedText> assumptions; ///< of kernels
  std::optional<double> kernelSeconds, querySeconds, fileSeconds;
  std::vector<ParseError> problems;
};

/// The nearest `.warpdrf.json` in the folder of `path` or above it.
Project findProject(const std::string &path);

} // namespace warpdrf::frontend
