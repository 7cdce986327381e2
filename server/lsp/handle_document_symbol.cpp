// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/documentSymbol.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentSymbol
#include "server/lsp/answer.h"
#include "server/lsp/handlers.h"
#include "server/lsp/symbols.h"

namespace warpdrf::lsp {

using protocol::Json;

void documentSymbol(Server &server, const protocol::DocumentParams &params,
                    protocol::Reply<Json> reply) {
  answerFromCheck(server, params.textDocument.uri, std::nullopt, std::move(reply),
                  [&client = server.client](const Checked &checked) {
                    auto symbols = symbolsOf(checked, client.encoding);
                    return client.can.symbolTree
                               ? Json(symbols)
                               : protocol::flattened(symbols, checked.document.uri);
                  });
}

} // namespace warpdrf::lsp
