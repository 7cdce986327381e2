// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the text that are drawn differently: code that a thread may run without the rest of its
// warp, and code that the checked view of the file does not have, which nobody has looked at.
#pragma once

#include "protocol/semantic_tokens.h"
#include "server/lsp/convert.h"

namespace warpdrf::lsp {

/// One per line of divergent code, without its indentation.
std::vector<protocol::SemanticToken> divergentTokens(const Checked &checked,
                                                     protocol::PositionEncoding encoding);

/// Whole lines.
protocol::InactiveRegionsParams inactiveRegions(const Checked &checked,
                                                protocol::PositionEncoding encoding);

} // namespace warpdrf::lsp
