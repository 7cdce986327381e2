// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unified diff of two texts, as `patch` and `git apply` take it.
#pragma once

#include <string>

namespace warpdrf::render {

/// Empty if they are equal.
std::string unifiedDiff(const std::string &path, const std::string &before,
                        const std::string &after);

} // namespace warpdrf::render
