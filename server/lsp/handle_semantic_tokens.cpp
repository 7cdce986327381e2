// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/semanticTokens/full: divergent code. Offered only if the setting `divergentCode` is
// on at the start: many clients show the tokens of one server per file, and that should be the C++
// one.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens
#include "server/lsp/answer.h"
#include "server/lsp/handlers.h"
#include "server/lsp/regions.h"

namespace warpdrf::lsp {

using protocol::Json;

void semanticTokens(Server &server, const protocol::DocumentParams &params,
                    protocol::Reply<Json> reply) {
  if (!server.settings.divergentCode)
    return reply(nullptr);
  answerFromCheck(server, params.textDocument.uri, Refresh::What::Tokens, std::move(reply),
                  [&client = server.client](const Checked &checked) {
                    return protocol::encoded(divergentTokens(checked, client.encoding));
                  });
}

} // namespace warpdrf::lsp
