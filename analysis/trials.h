// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where it stayed open whether accesses of shared memory conflict, the interpreter may see that
// they do (contract::KernelResult::trials). What it sees counts when each launch of the trial shows
// it: then it does not hang on a number that we have chosen.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/ir/dialect.h"

namespace warpdrf {

/// Adds the races that are seen to the findings, `confirmed`. Bounded in processor time.
void runTrials(contract::KernelResult &result, mlir::ModuleOp module, const std::string &kernel,
               const std::string &path, unsigned warpWidth, const contract::Cancelled &cancelled);

} // namespace warpdrf
