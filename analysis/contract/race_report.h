// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race that was found, or not decided, as a finding: rule, severity, words, witness, and what
// between the two accesses does not order them (CONTRACT 2.5).
#pragma once

#include "analysis/contract/intervals.h"
#include "analysis/contract/scatter.h"

namespace warpdrf::contract {

/// Two accesses that nothing orders, with their byte offsets as terms of both threads.
struct Race {
  const Event *x, *y;
  Term offsetX, offsetY;
  bool sameValue;  ///< both write the same, always
  bool sureToMeet; ///< whatever they write
  Decision decision;
  Scatter scatter;
  const Event *unpublished; ///< an arrival that would order them but for a missing barrier or fence
};

class RaceReport {
public:
  /// `shared` is what the two threads share; `orders` says of barriers whom they order.
  RaceReport(CheckContext &context, Uniform shared, std::function<Orders(const Event &)> orders)
      : context(context), shared(shared), orders(std::move(orders)) {}

  /// Gives how grave it is.
  Severity add(const Race &race);

private:
  Finding located(const Race &race) const;
  void judge(Finding &finding, const Race &race) const;
  void explain(Finding &finding, const Race &race) const;
  void explainBetween(Finding &finding, const Event &x, const Event &y) const;
  bool readsBack(const Event &write) const;

  CheckContext &context;
  Uniform shared;
  std::function<Orders(const Event &)> orders;
};

/// Two plain stores, or the two halves of a read-modify-write through one index: what may be a
/// scatter.
bool mayScatter(const Event &x, const Event &y);

/// Only the fence behind the arrival is missing.
void reportUnlooked(CheckContext &context, const Event &x, const Event &y, const Event &arrival);
void reportUndecided(CheckContext &context, const Event &x, const Event &y, Uniform shared);
void reportOutOfTime(CheckContext &context, const Event &event);

} // namespace warpdrf::contract
