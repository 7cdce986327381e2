// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes all threads execute the primitives of a guarded piece of code, and the rest of it only
// those that did before: the guard is spread over the statements around the primitives, which stay
// outside of it. What cannot be written so gives nothing.
#pragma once

#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

#include <optional>

namespace warpdrf::fixes {

/// What all threads shall execute, and how.
struct SpreadOptions {
  std::string_view text;     ///< of the file
  std::string_view function; ///< the body that it is all in
  std::vector<Range> calls;  ///< what all threads shall execute, in this file
  bool deep = false;         ///< also where there are branches and loops of their own around them
  bool fullMask = false;     ///< give them the mask of the whole warp
  std::string vote;          ///< `__any_sync(0xffffffff, ` or `__syncthreads_or(`, for loops
};

/// For all that the context knows, and one call more.
SpreadOptions spreadOptions(const Context &context, const Statement &function, const Range *call);

/// An `if` without its branching.
std::optional<TextEdit> spreadIf(const SpreadOptions &options, const StatementPath &path,
                                 std::size_t depth);

/// A loop in which all threads stay until the last one leaves.
std::optional<TextEdit> spreadLoop(const SpreadOptions &options, const StatementPath &path,
                                   std::size_t depth);

/// A `for` whose variable starts at `start` for all threads, each of which adds `own` to it.
std::optional<TextEdit> spreadCountedLoop(const SpreadOptions &options, const StatementPath &path,
                                          std::size_t depth, const std::string &start,
                                          const std::string &own);

/// `if (c) return;` and what follows it in its compound.
std::optional<TextEdit> spreadReturn(const SpreadOptions &options, const Statement &compound,
                                     std::size_t index);

/// What one more level of indentation is in this file.
std::string indentUnit(std::string_view text);

} // namespace warpdrf::fixes
