// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the numbers of a launch hang together: `k<<<n, b>>>(x, n)` has as many blocks as n says, and
// runs only if the conditions around it hold.
#pragma once

#include "analysis/frontend/call_sites.h"
#include "analysis/frontend/frontend.h"

namespace clang {
class CUDAKernelCallExpr;
class FunctionDecl;
} // namespace clang

namespace warpdrf::frontend {

class HostConstants;

/// A condition and the function it stands in.
struct PlacedCondition {
  HostConstants *where = nullptr;
  Condition condition;
};

/// Fills in `values` and `facts` of a launch whose dimensions and arguments are set, if it launches
/// `kernel`. `conditions` hold there.
void tieTogether(Launch &launch, const clang::CUDAKernelCallExpr &call,
                 const clang::FunctionDecl &kernel, HostConstants &constants,
                 const std::vector<PlacedCondition> &conditions);

} // namespace warpdrf::frontend
