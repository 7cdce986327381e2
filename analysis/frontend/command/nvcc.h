// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's command line in Clang's words. nvcc is never run: what its options mean for the front end
// is in a table.
#pragma once

#include <string>
#include <vector>

namespace warpdrf::frontend {

/// Whether a program is nvcc, by its name.
bool isNvcc(const std::string &compiler);

/// Whether flags that name no compiler are meant for nvcc: some option is there that only nvcc has.
bool looksLikeNvcc(const std::vector<std::string> &arguments);

/// Translates nvcc's arguments (without the program's name). Options that only steer assembling,
/// linking or nvcc itself are dropped with their values; options nvcc does not know are left as
/// they are, for it hands them to the host compiler. Architectures become `--offload-arch=`. Files
/// of options
/// (--options-file) are read relative to `directory`; trouble with them goes to `notes`.
std::vector<std::string> translateNvcc(const std::vector<std::string> &arguments,
                                       const std::string &directory,
                                       std::vector<std::string> &notes);

} // namespace warpdrf::frontend
