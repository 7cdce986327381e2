// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints in the text: who takes part, behind each primitive or barrier that not the complete group
// comes to.
#pragma once

#include "protocol/inlay_hint.h"
#include "server/lsp/convert.h"

namespace warpdrf::lsp {

/// Those in `range`.
std::vector<protocol::InlayHint> hintsOf(const Checked &checked, const protocol::Range &range,
                                         protocol::PositionEncoding encoding);

} // namespace warpdrf::lsp
