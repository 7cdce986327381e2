// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a failing test small. What it gives is still a test of its contract: primitives that the
// contract no longer admits in the smaller program are left out before it is tried.
#pragma once

#include "analysis/conformance/test.h"

#include <functional>

namespace warpdrf::conformance {

/// The smallest test found for which `fails` is still true, within so many tries.
Test reduce(Test test, const std::function<bool(const Test &)> &fails, unsigned tries = 3000);

/// How many statements a program has.
std::size_t statements(const Program &program);

} // namespace warpdrf::conformance
