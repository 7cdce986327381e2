// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts this program again.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <vector>

namespace warpdrf::worker {

/// To be called first, with the first word of the command line: a process that spawnSelf started
/// ends with whoever started it, however that ends.
void endWithParent(std::string_view name);

/// Starts this program with `arguments` on these descriptors; standard error is shared unless
/// `errors` is another one. The child, or -1 and an errno value in `error`.
pid_t spawnSelf(const std::vector<std::string> &arguments, int input, int output, int &error,
                int errors = STDERR_FILENO);

} // namespace warpdrf::worker
