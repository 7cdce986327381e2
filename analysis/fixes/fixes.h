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
};

/// The likeliest first. None is checked yet.
std::vector<Candidate> candidates(const Context &context);

/// Adds to each warning or error of the report the first candidate that holds. `checker` re-checks;
/// its report must be of `text`. Costs one check per candidate, so only the first few findings of a
/// file get any.
void addFixes(Checker &checker, FileReport &report, const std::vector<frontend::Statement> &outline,
              const std::string &text, const CheckOptions &options,
              const contract::Cancelled &cancelled);

// The kinds of fixes; each appends its candidates.
void insertBarrier(const Context &context, std::vector<Candidate> &candidates);
void hoistBarrier(const Context &context, std::vector<Candidate> &candidates);

} // namespace warpdrf::fixes
