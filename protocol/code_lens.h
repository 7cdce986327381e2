// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/codeLens.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeLens
#pragma once

#include "protocol/code_action.h"

namespace warpdrf::protocol {

struct CodeLens {
  Range range;
  Command command; ///< without a name it is a text that nothing happens at
};
void to_json(Json &json, const CodeLens &value);

} // namespace warpdrf::protocol
