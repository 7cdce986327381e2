// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seeded small kernels that stress what the checker reasons about: barriers under conditions and in
// loops, masks, early exits, switches, buffers that toggle, tickets, offsets of pointers. About
// half keep a discipline (phases of writing and reading with barriers between, now and then one
// left out), so that enough of them are free of errors; the others are random.
#pragma once

#include "analysis/fuzz/program.h"

namespace warpdrf::fuzz {

/// Depends on the seed only (and on the order in which the compiler evaluates arguments).
Program generate(std::uint64_t seed);

} // namespace warpdrf::fuzz
