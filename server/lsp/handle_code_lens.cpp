// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/codeLens.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeLens
#include "server/lsp/answer.h"
#include "server/lsp/handlers.h"
#include "server/lsp/lenses.h"

namespace warpdrf::lsp {

using protocol::Json;

void codeLens(Server &server, const protocol::DocumentParams &params, protocol::Reply<Json> reply) {
  answerFromCheck(server, params.textDocument.uri, Refresh::What::Lenses, std::move(reply),
                  [&client = server.client](const Checked &checked) {
                    return Json(lensesOf(checked, client));
                  });
}

} // namespace warpdrf::lsp
