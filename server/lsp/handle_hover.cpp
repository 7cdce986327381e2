// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/hover, from the last check of the current version.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_hover
#include "server/lsp/handlers.h"

#include "server/lsp/describe.h"

namespace warpdrf::lsp {

using protocol::Json;

static Json hoverOf(const Checked &checked, protocol::Position at, const Client &client) {
  const Snapshot &document = checked.document;
  Places places(document, client.encoding);
  auto linkTo = [&](const Range &range) {
    return places.uri(range.file) + "#L" + std::to_string(range.begin.line);
  };
  auto found = describe(checked.report, document.path,
                        fromProtocol(at, *document.text, client.encoding), linkTo);
  if (!found)
    return nullptr;
  bool markdown = client.can.hoverMarkdown;
  return protocol::Hover{{markdown, found->text.print(markdown)}, places.range(found->range)};
}

void hover(Server &server, const protocol::HoverParams &params, protocol::Reply<Json> reply) {
  server.scheduler.whenChecked(params.textDocument.uri, false,
                               [&client = server.client, at = params.position,
                                reply](Scheduler::Outcome outcome, CheckedPtr checked) {
                                 if (outcome == Scheduler::Outcome::Superseded)
                                   reply.error(protocol::ErrorCode::ContentModified,
                                               "the document changed");
                                 else
                                   reply(checked ? hoverOf(*checked, at, client) : Json());
                               });
}

} // namespace warpdrf::lsp
