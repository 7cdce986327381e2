// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function bodies that need not be parsed: half of what a CUDA file includes is the host's standard
// library.
#pragma once

namespace clang {
class Decl;
}

namespace warpdrf::frontend {

/// Whether a function of a system header can only run on the host. Clang asks while it parses, and
/// never skips what it needs itself (constexpr, deduced results). The checker evaluates host code
/// of the program, not of its libraries.
bool isOfNoUse(const clang::Decl *function);

} // namespace warpdrf::frontend
