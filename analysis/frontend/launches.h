// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch facts: every `k<<<grid, block>>>(…)` of the unit, with what evaluates to a constant there;
// also where a helper launches a kernel that it was handed.
#pragma once

#include "analysis/frontend/frontend.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class Decl;
class FunctionDecl;
} // namespace clang

namespace warpdrf::frontend {

/// `launching` are functions and variables that contain launches or name kernels, instantiations
/// among them. `kernels` maps canonical declarations to symbols; launches of others are left out. A
/// launch through a helper has the range of the call that hands the kernel over.
std::vector<Launch> findLaunches(clang::ASTContext &ast,
                                 const std::vector<clang::Decl *> &launching,
                                 const std::map<const clang::FunctionDecl *, std::string> &kernels);

} // namespace warpdrf::frontend
