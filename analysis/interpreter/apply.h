// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `warpdrf.apply`: functions whose meaning everybody knows are computed, every other one is a
// deterministic hash of its name and arguments.
#pragma once

#include "analysis/interpreter/values.h"

namespace warpdrf::interpreter {

/// The number of a function we compute, if `info` is one with types that fit; else -1.
int knownFunction(const ApplyInfo &info);

/// `registers` are a thread's.
std::uint64_t applyFunction(const ApplyInfo &info, const std::uint64_t *registers);

} // namespace warpdrf::interpreter
