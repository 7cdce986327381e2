// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands above a kernel: its verdict, and what can be done about it.
#pragma once

#include "protocol/code_lens.h"
#include "server/lsp/convert.h"

namespace warpdrf::lsp {

/// Of commands only those that somebody carries out.
std::vector<protocol::CodeLens> lensesOf(const Checked &checked, const Client &client);

} // namespace warpdrf::lsp
