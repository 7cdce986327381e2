// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next smaller versions of a program. Some do not compile (a `break` that lost its loop): the
// caller finds out.
#pragma once

#include "analysis/fuzz/program.h"

namespace warpdrf::fuzz {

/// Each differs in one place: a statement less, an arm for the whole branch, a simpler expression.
std::vector<Program> smaller(const Program &program);

} // namespace warpdrf::fuzz
