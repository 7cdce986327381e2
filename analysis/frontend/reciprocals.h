// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divisors that the host knows. Instead of dividing by d, kernels multiply by a reciprocal that the
// host has computed (Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication", 1994, figure 4.1; N = 32):
//   s = ceil(log2 d),  m = floor(2^32 * (2^s - d) / d) + 1,  n / d == (umulhi(n, m) + n) >> s
// for n below 2^31, where the sum does not overflow.
#pragma once

#include "analysis/frontend/constants.h"

namespace warpdrf::frontend {

/// Where a record has them: unsigned integers of 32 bits, in bytes from its start.
struct Reciprocal {
  unsigned multiplier = 0, shift = 0, divisor = 0;
  std::vector<HostConstants::Place> origins; ///< of the divisor (HostConstants::originsOf)
  /// What the divisor is a product of, in order, each as far back as it is known; parts of it that
  /// are at no place are left out, which `isWhole` denies.
  std::vector<HostConstants::Place> factors;
  bool isWhole = true;

  /// Whether it is a multiple of the other one's divisor, whatever the factors are.
  bool isMultipleOf(const Reciprocal &other) const;
};

/// Of a record that a kernel is started with. It is recognised by what the function that makes it
/// computes, not by its text: it is run for many divisors.
std::optional<Reciprocal> findReciprocal(HostConstants &constants, const clang::Expr *argument);

} // namespace warpdrf::frontend
