// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls and launches in host code, each with the conditions that hold whenever it runs.
#pragma once

#include <vector>

namespace clang {
class CallExpr;
class Expr;
class LambdaExpr;
class Stmt;
} // namespace clang

namespace warpdrf::frontend {

/// `expression` is true or false; with `equals`, it has that value. Sure only where all of `given`
/// hold: what is asserted in the arm of a branch.
struct Condition {
  const clang::Expr *expression = nullptr;
  bool holds = true;
  const clang::Expr *equals = nullptr;
  std::vector<Condition> given;
};

struct CallSite {
  const clang::CallExpr *call = nullptr;
  std::vector<Condition> conditions; ///< outermost first
};

/// A generic lambda that is called somewhere is left out: its instantiations are functions of their
/// own. Code that jumps to labels has no conditions.
std::vector<CallSite> findCallSites(clang::Stmt *body);

/// The bodies of what a generic lambda is instantiated to; empty for other lambdas.
std::vector<clang::Stmt *> instantiatedBodies(const clang::LambdaExpr &lambda);

} // namespace warpdrf::frontend
