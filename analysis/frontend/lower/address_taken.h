// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which scalar variables of a function need an address: everything that is used other than by
// reading or assigning it as a whole. The rest become slots; parameters nobody assigns stay plain
// values.
#pragma once

#include "analysis/frontend/clang_pch.h"

namespace warpdrf::frontend {

/// `std::min(a, b)` and `std::max(a, b)`, which take and give references but are mostly meant as
/// values.
bool isStandardMinMax(const clang::FunctionDecl *callee);

class AddressTaken {
public:
  explicit AddressTaken(const clang::FunctionDecl *function);
  bool needsAddress(const clang::VarDecl *variable) const { return taken.count(variable) != 0; }
  bool isModified(const clang::VarDecl *variable) const { return modified.count(variable) != 0; }

private:
  void visit(const clang::Stmt *stmt);
  /// Visits an lvalue whose value is only read.
  void visitRead(const clang::Expr *expr);
  /// Visits an lvalue that is assigned as a whole.
  void visitAssigned(const clang::Expr *expr);

  std::set<const clang::VarDecl *> taken, modified;
};

} // namespace warpdrf::frontend
