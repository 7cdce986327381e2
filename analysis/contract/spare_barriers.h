// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules redundant-barrier and weakenable-barrier, by experiment: the kernel is checked without the
// barrier, or with a narrower one in its place. As race-free programs have one meaning, a kernel
// that stays free of races did not need it.
#pragma once

#include "analysis/contract/check.h"

namespace warpdrf::contract {

/// Adds hints to the result of a kernel that is `ok` under these contexts, about barriers in its
/// own body that are not known to be `needed` by another instantiation. False if it has left out
/// any for that. Takes at most the kernel's budget divided by `kSpareShare`; what that leaves open
/// is not told. The IR is changed meanwhile, and put back.
bool tellSpareBarriers(ir::FuncOp kernel, const std::vector<LaunchContext> &contexts,
                       const Options &options, Solver &solver, const Cancelled &cancelled,
                       const std::set<Range> &needed, KernelResult &result);

inline constexpr int kSpareShare = 100;

} // namespace warpdrf::contract
