// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `block=(256,1,1) grid=(*,1,1)`: a launch as `--launch`, the annotation `// warpdrf: launch` and
// the project file spell it.
#pragma once

#include "analysis/contract/check.h"

namespace warpdrf::contract {

/// Reads a launch: `block` and `grid` in either order, each `(x,y,z)`, `(x,y)` or a single number;
/// `*` is unknown, dimensions left out are 1 as in `dim3`, and a whole triple left out is unknown.
/// A launch beyond CUDA's limits is refused. On failure the result is empty and `error` says what
/// was expected.
std::optional<LaunchContext> parseLaunchSpec(const std::string &spec, std::string &error);

} // namespace warpdrf::contract
