// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that several commands share: how a file is compiled, and what is asked of its
// kernels.
#pragma once

#include "analysis/analysis.h"
#include "server/cli/arguments.h"

namespace warpdrf::cli {

/// `-p`, `--arch`, and compiler flags after `--`.
void declareCompileOptions(Arguments &parser, CheckOptions &options);

/// `--kernel`, `--contract`, `--strict`, `--launch`, `--assume`, `--timeout-per-kernel`,
/// `--no-suppressions`.
void declareCheckOptions(Arguments &parser, CheckOptions &options);

/// A line that says that no kernel matches, and which kernels there are.
std::string noSuchKernel(const std::string &asked, const std::vector<std::string> &kernels);

} // namespace warpdrf::cli
