// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands of the program, one file each. To add one: write <command>.cpp with its function,
// declare it here, and add its line to the table in commands.cpp.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::cli {

using CommandArguments = std::vector<std::string>; ///< without the program's and the command's name

/// Runs the command that the first argument names. Gives the exit status: 0 fine, 1 findings, 2
/// something could not be done.
int run(const CommandArguments &arguments);

int check(const CommandArguments &arguments);
int conform(const CommandArguments &arguments);
int devices(const CommandArguments &arguments);
int doctor(const CommandArguments &arguments);
int explain(const CommandArguments &arguments);
int fix(const CommandArguments &arguments);
int fuzz(const CommandArguments &arguments);
int lower(const CommandArguments &arguments);
int lsp(const CommandArguments &arguments);
int raise(const CommandArguments &arguments);
int rules(const CommandArguments &arguments);
int runKernel(const CommandArguments &arguments);

} // namespace warpdrf::cli
