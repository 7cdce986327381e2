// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quick fixes. A fix proposes changes of the text (one file per kind, registered in
// candidates.cpp); each is applied in memory, the file is checked again, and only what takes the
// finding away and brings no new one is offered.
#pragma once

#include "analysis/analysis.h"

#include <string_view>

namespace warpdrf::fixes {

struct Candidate {
  std::string title;
  std::vector<TextEdit> edits;
};

/// What a fix sees. `outline` is of the file that `text` holds; positions in other files are out of
/// reach.
struct Context {
  const Finding &finding;
  const std::vector<frontend::Statement> &outline;
  std::string_view text;
  const std::string &path;       ///< of that file
  std::vector<Range> syncs = {}; ///< calls of primitives and barriers, all that are known
};

/// The likeliest first. None is checked yet.
std::vector<Candidate> candidates(const Context &context);

/// The text that a report is of, and its statements.
struct File {
  const std::string &text;
  const std::vector<frontend::Statement> &outline;
};

/// Adds to each warning or error of the report the first candidate that holds. `checker` re-checks.
/// A re-check costs what a parse and the check of a kernel cost, so their number and their time
/// together are bounded and late findings of a bad file may get no fix.
void addFixes(Checker &checker, FileReport &report, const File &file, const CheckOptions &options,
              const contract::Cancelled &cancelled);

// The kinds of fixes; each appends its candidates.
void correctMask(const Context &context, std::vector<Candidate> &candidates);
void evenTripCount(const Context &context, std::vector<Candidate> &candidates);
void guardInsteadOfReturn(const Context &context, std::vector<Candidate> &candidates);
void hoistBarrier(const Context &context, std::vector<Candidate> &candidates);
void hoistPrimitive(const Context &context, std::vector<Candidate> &candidates);
void initialize(const Context &context, std::vector<Candidate> &candidates);
void insertBarrier(const Context &context, std::vector<Candidate> &candidates);
void insertFence(const Context &context, std::vector<Candidate> &candidates);
void moveBarrier(const Context &context, std::vector<Candidate> &candidates);
void spareBarrier(const Context &context, std::vector<Candidate> &candidates);
void waitForCopies(const Context &context, std::vector<Candidate> &candidates);

// What several of them ask.

/// In this file: the primary place, then the calls that lead to it, innermost first.
std::vector<Range> placesOf(const Context &context);

/// `__syncthreads();` or `__syncwarp();`
bool isBarrier(std::string_view code);

/// `if (c) return;`, or another jump.
bool isLeaving(const frontend::Statement &statement, frontend::Statement::Kind how);

/// The edits, and the declaration of a variable goes, too, that nobody mentions after them.
std::vector<TextEdit> withoutUnused(const Context &context, std::vector<TextEdit> edits,
                                    const std::string &variable);

/// All lanes, as people write it.
bool isWholeMask(const std::string &mask);

} // namespace warpdrf::fixes
