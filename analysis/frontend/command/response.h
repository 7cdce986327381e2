// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files of options: `@file`, and what nvcc reads with --options-file.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::frontend {

/// The options in a file, split as a shell would. A file that cannot be read is noted and gives
/// none.
std::vector<std::string> readResponseFile(const std::string &file, const std::string &directory,
                                          std::vector<std::string> &notes);

/// Replaces every `@file` by what is in it, also in files that such files name. An argument `@x`
/// whose file does not exist stays as it is.
std::vector<std::string> expandResponseFiles(const std::vector<std::string> &arguments,
                                             const std::string &directory,
                                             std::vector<std::string> &notes);

/// Splits a command line as a shell would.
std::vector<std::string> splitCommandLine(const std::string &line);

} // namespace warpdrf::frontend
