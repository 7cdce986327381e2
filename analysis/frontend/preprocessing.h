// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the preprocessor includes and what it leaves out, noted while it runs: a preamble's part is
// lost once that is compiled.
#pragma once

#include "analysis/frontend/frontend.h"

#include <memory>

namespace clang {
class CompilerInstance;
class PPCallbacks;
} // namespace clang

namespace warpdrf::frontend {

/// Adds to `out`, which the compiler's preprocessor must not outlive.
std::unique_ptr<clang::PPCallbacks> notePreprocessing(clang::CompilerInstance &compiler,
                                                      Preprocessed &out);

} // namespace warpdrf::frontend
