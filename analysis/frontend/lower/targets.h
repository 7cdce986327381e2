// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call that names no function may reach. A pointer to a device function can only come from
// device code of the same program, and an object's class only from there too: in a file that is
// linked with no other device code (no -rdc) all of them are in sight.
#pragma once

#include "analysis/frontend/clang_pch.h"

namespace warpdrf::frontend {

class CallTargets {
public:
  explicit CallTargets(clang::ASTContext &ast);

  /// The device functions of a type whose address is taken; nothing if there may be others.
  std::vector<const clang::FunctionDecl *> ofPointers(clang::QualType function) const;
  /// The functions that a virtual call of `method` may reach; nothing if there may be others.
  std::vector<const clang::CXXMethodDecl *> ofVirtual(const clang::CXXMethodDecl *method) const;

private:
  clang::ASTContext &ast;
  bool complete;
  std::vector<const clang::FunctionDecl *> addressed;
  std::vector<clang::QualType> fromLambdas; ///< function types that a lambda was converted to
  std::vector<const clang::CXXRecordDecl *> classes; ///< those that objects may have
};

} // namespace warpdrf::frontend
