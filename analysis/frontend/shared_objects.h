// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects in shared memory whose type has a destructor: nvcc runs none and says nothing, to Clang
// the variable is invalid, and with it all that names it.
#pragma once

#include "clang/AST/DeclBase.h"

#include "llvm/ADT/ArrayRef.h"

namespace warpdrf::frontend {

/// Empties the destructors of libcu++'s barriers, which are declared in shared memory. Call it on
/// top-level declarations as they are parsed: before a kernel declares such an object.
void emptySharedDestructors(llvm::ArrayRef<clang::Decl *> declarations);

} // namespace warpdrf::frontend
