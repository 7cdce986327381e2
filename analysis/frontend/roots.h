// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis of a unit starts from, out of the declarations that Clang reports while it
// parses and instantiates. Walking the whole unit instead would read all headers back from the
// preamble.
#pragma once

#include <vector>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace warpdrf::frontend {

struct Roots {
  std::vector<clang::Decl *> kernels;   ///< with a body: plain functions and every instantiation
  std::vector<clang::Decl *> templates; ///< kernel templates; look at their specialisations
  std::vector<clang::Decl *>
      launching; ///< host code with a launch or a kernel's name, and its callers

  void append(const Roots &more);
};

/// `declarations`: what an ASTConsumer got. Declarations of system headers are left out; what Clang
/// reports twice is there once. `known`: of other declarations, which these may call.
Roots findRoots(const std::vector<clang::Decl *> &declarations, const Roots &known = {});

/// Makes traversals of the unit visit the kernels, in source order, and the kernel templates that
/// nobody instantiates, instead of everything.
void limitTraversal(clang::ASTContext &ast, const Roots &roots);

} // namespace warpdrf::frontend
