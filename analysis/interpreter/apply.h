// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf.apply`: functions whose meaning everybody knows are computed, every other one is a
// deterministic hash of its name and arguments.
#pragma once

#include "analysis/interpreter/values.h"

namespace warpdrf::interpreter {

/// The number of a function we compute, if `info` is one with types that fit; else -1.
int knownFunction(ApplyInfo &info);
/// The same for half and bfloat16 alone, numbered on their own (apply_half.cpp).
int halfFunction(ApplyInfo &info);
std::uint64_t applyHalf(const ApplyInfo &info, int function, const std::uint64_t *registers);

/// `registers` are a thread's.
std::uint64_t applyFunction(const ApplyInfo &info, const std::uint64_t *registers);

} // namespace warpdrf::interpreter
