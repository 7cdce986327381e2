// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/hover, from the last check of the current version.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_hover
#include "server/lsp/handlers.h"

#include "analysis/report/barrier_probe.h"
#include "server/lsp/answer.h"
#include "server/lsp/describe.h"

namespace warpdrf::lsp {

using protocol::Json;

static Json hoverOf(const FileReport &report, const Snapshot &document, Position at,
                    const Client &client) {
  Places places(document, client.encoding);
  auto linkTo = [&](const Range &range) {
    return places.uri(range.file) + "#L" + std::to_string(range.begin.line);
  };
  auto found = describe(report, document.path, at, linkTo);
  if (!found)
    return nullptr;
  bool markdown = client.can.hoverMarkdown;
  return protocol::Hover{{markdown, found->text.print(markdown)}, places.range(found->range)};
}

/// Answers at once, or for a barrier after the experiment that shows what it orders.
static void answer(Server &server, const CheckedPtr &checked, protocol::Position given,
                   protocol::Reply<Json> reply) {
  const Client &client = server.client;
  const Snapshot &document = checked->document;
  Position at = fromProtocol(given, *document.text, client.encoding);
  const SyncSite *barrier = barrierToProbe(checked->report, document.path, at);
  std::string text = barrier ? withoutBarrier(document.text->str(), *barrier) : "";
  if (text.empty())
    return reply(hoverOf(checked->report, document, at, client));
  server.scheduler.probe(
      checked, std::move(text),
      unlessChanged(reply, [&client, checked, barrier, at, reply](const CheckedPtr &without) {
        reply(hoverOf(without ? withOrders(checked->report, *barrier, without->report)
                              : checked->report,
                      checked->document, at, client));
      }));
}

void hover(Server &server, const protocol::HoverParams &params, protocol::Reply<Json> reply) {
  server.scheduler.whenChecked(
      params.textDocument.uri, false,
      unlessChanged(reply, [&server, at = params.position, reply](const CheckedPtr &checked) {
        if (!checked)
          reply(nullptr);
        else
          answer(server, checked, at, reply);
      }));
}

} // namespace warpdrf::lsp
