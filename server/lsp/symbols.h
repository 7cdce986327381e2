// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A document's outline as far as it is ours: kernels with their verdicts, the primitives and
// barriers in them, and device functions that want to be called by a whole group.
#pragma once

#include "protocol/document_symbol.h"
#include "server/lsp/convert.h"

namespace warpdrf::lsp {

std::vector<protocol::DocumentSymbol> symbolsOf(const Checked &checked,
                                                protocol::PositionEncoding encoding);

} // namespace warpdrf::lsp
