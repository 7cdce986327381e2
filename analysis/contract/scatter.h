// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scatter: stores through an index that is loaded from memory the kernel never writes. Whether they
// meet is a matter of that memory: they do not when its elements are distinct, or, for segments
// between neighbouring elements, when they never decrease.
#pragma once

#include "analysis/contract/check_context.h"

namespace warpdrf::contract {

struct Scatter {
  std::string object; ///< the indices' object; empty: no scatter
  bool segments = false;
  bool computed = false; ///< the places are functions of the indices
  std::string bounds{};  ///< what delimits the segments in which the indices stand
  /// No scatter: that the elements of what looks like an index object are distinct, which leaves
  /// the conflict as it is.
  std::vector<Term> distinct;
  bool undecided = false; ///< no scatter that the solver could show
};

/// What would have to hold of an index object for `terms`, the conflict of `event` at `offset1`
/// with an access at `offset2`, to have no solution.
Scatter scatteredBy(CheckContext &context, const std::vector<Term> &terms, const Event &event,
                    Term offset1, Term offset2, Uniform shared);

/// Whether what is in memory decides where an access goes, by way of loads, collectives and loops;
/// not the result of an atomic that hands out places.
bool restsOnContents(const CheckContext &context, const Event &access);

} // namespace warpdrf::contract
