// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts this program again.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace warpdrf::worker {

/// Starts this program with `arguments` on these descriptors; standard error is shared. The child,
/// or -1 and an errno value in `error`.
pid_t spawnSelf(const std::vector<std::string> &arguments, int input, int output, int &error);

} // namespace warpdrf::worker
