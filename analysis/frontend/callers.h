// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose callers are all known, so that each call can be looked at instead of the function
// on its own.
#pragma once

#include "llvm/ADT/DenseSet.h"

#include <vector>

namespace clang {
class Decl;
class FunctionDecl;
} // namespace clang

namespace warpdrf::frontend {

/// Out of `code`, which must contain all code of the unit that refers to them: functions that are
/// only ever called, by name, and by this unit alone. Canonical declarations.
llvm::DenseSet<const clang::FunctionDecl *>
findCoveredFunctions(const std::vector<clang::Decl *> &code);

/// The functions that code refers to, canonical: in its body, in the initialisers of a constructor,
/// in default arguments.
llvm::DenseSet<const clang::FunctionDecl *> findReferences(clang::Decl *code);

} // namespace warpdrf::frontend
