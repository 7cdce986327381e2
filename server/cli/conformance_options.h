// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that `fuzz` and `conform` have in common.
#pragma once

#include "analysis/conformance/test.h"
#include "server/cli/arguments.h"

namespace warpdrf::cli {

/// `--set NAME=VALUE`, whose help lists the parameters with their defaults.
void declareParameters(Arguments &parser, conformance::Parameters &parameters);

/// A Store for a contract's name.
Arguments::Store contract(conformance::Contract &target);

/// Writes a file in a folder that is made if need be. Says what went wrong, or nothing.
std::string writeInFolder(const std::string &folder, const std::string &name,
                          const std::string &text);

/// The same for a test and what the oracle expects of it: `name`.mlir and `name`.json.
std::string writeTest(const std::string &folder, const std::string &name,
                      const conformance::Test &test);

} // namespace warpdrf::cli
