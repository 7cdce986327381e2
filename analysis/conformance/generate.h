// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded conformance programs, with a primitive wherever the generator likes; which of them a
// contract admits is found by running them (test.h).
#pragma once

#include "analysis/conformance/parameters.h"
#include "analysis/conformance/program.h"

namespace warpdrf::conformance {

/// Depends on its arguments only; `attempt` counts the draws for one seed.
Program generate(std::uint64_t seed, unsigned attempt, unsigned width,
                 const Parameters &parameters);

} // namespace warpdrf::conformance
