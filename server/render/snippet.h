// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source line with a caret under what is meant, and colours for terminals.
#pragma once

#include "analysis/report/source.h"

namespace warpdrf::render {

/// Wraps text in a terminal colour, or leaves it alone.
struct Paint {
  enum Color { Bold, Red, Magenta, Cyan, Green };
  bool on = false;
  std::string operator()(const std::string &text, Color color) const;
};

/// The range's first line with `^~~~` below it; empty when the source cannot be read.
std::string snippet(const Range &range, Sources &sources, const Paint &paint);

} // namespace warpdrf::render
