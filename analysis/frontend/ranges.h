// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's source locations to the report's ranges. Code that a macro wrote is where the macro was
// used.
#pragma once

#include "analysis/report/report.h"

namespace clang {
class LangOptions;
class SourceLocation;
class SourceManager;
class SourceRange;
} // namespace clang

namespace warpdrf::frontend {

/// From the first byte of `range` to one past its last token. Invalid if the source range is.
Range rangeOf(const clang::SourceManager &sources, const clang::LangOptions &language,
              clang::SourceRange range);

/// The token at `location`.
Range rangeOf(const clang::SourceManager &sources, const clang::LangOptions &language,
              clang::SourceLocation location);

} // namespace warpdrf::frontend
