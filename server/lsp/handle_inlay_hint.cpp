// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/inlayHint; the setting `inlayHints` switches it off.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_inlayHint
#include "server/lsp/answer.h"
#include "server/lsp/handlers.h"
#include "server/lsp/hints.h"

namespace warpdrf::lsp {

using protocol::Json;

void inlayHint(Server &server, const protocol::InlayHintParams &params,
               protocol::Reply<Json> reply) {
  if (!server.settings.inlayHints)
    return reply(Json::array());
  answerFromCheck(server, params.textDocument.uri, Refresh::What::Hints, std::move(reply),
                  [&client = server.client, range = params.range](const Checked &checked) {
                    return Json(hintsOf(checked, range, client.encoding));
                  });
}

} // namespace warpdrf::lsp
