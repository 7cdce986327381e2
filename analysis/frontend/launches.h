// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch facts in their direct form: every `k<<<grid, block>>>(…)` that the file's code can reach,
// with what evaluates to a constant there.
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

/// `roots` are the declarations of the main file and the templates instantiated for it; functions
/// in user headers are followed from there. `kernels` maps canonical declarations to symbols;
/// launches of others are left out.
std::vector<Launch> findLaunches(clang::ASTContext &ast,
                                 const std::vector<clang::Decl *> &launching,
                                 const std::map<const clang::FunctionDecl *, std::string> &kernels);

} // namespace warpdrf::frontend
