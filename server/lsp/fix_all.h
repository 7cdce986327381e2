// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All fixes of a document in one edit. Each was verified alone; whether they also do together is
// found out by another check of the text that they make.
#pragma once

#include "server/lsp/scheduler.h"

namespace warpdrf::lsp {

inline constexpr const char *fixAllKind = "source.fixAll.warpdrf";

/// Of each finding the first verified fix, if it is in this document and apart from those before
/// it. Sorted.
std::vector<TextEdit> editsOfAllFixes(const Checked &checked);

/// Is there a warning or an error that was not there before?
bool hasNewFinding(const FileReport &before, const FileReport &after);

} // namespace warpdrf::lsp
