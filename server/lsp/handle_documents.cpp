// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// didOpen, didChange, didClose, didSave.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_synchronization
#include "server/lsp/handlers.h"
#include "server/lsp/status.h"

namespace warpdrf::lsp {

using protocol::Json;

/// Clears what was published of a document.
static void clear(Server &server, const std::string &uri) {
  server.endpoint.notify("textDocument/publishDiagnostics",
                         Json(protocol::PublishDiagnosticsParams{uri, std::nullopt, {}}));
}

void didOpen(Server &server, const protocol::DidOpenParams &params) {
  const Snapshot &document = server.documents.open(params);
  if (isCuda(params.languageId, document.path))
    server.scheduler.update(document, Scheduler::Cause::Opened);
  else
    server.endpoint.notify(statusMethod, statusFailed(document, "not a CUDA file"));
}

void didChange(Server &server, const protocol::DidChangeParams &params) {
  const Snapshot *document = server.documents.change(params, server.client.encoding);
  if (!document)
    return server.log("change of a document that is not open: " + params.uri);
  if (server.scheduler.knows(params.uri))
    server.scheduler.update(*document, Scheduler::Cause::Edited);
}

void didClose(Server &server, const protocol::DocumentParams &params) {
  const std::string &uri = params.textDocument.uri;
  if (!server.documents.close(uri))
    return server.log("close of a document that is not open: " + uri);
  server.scheduler.close(uri);
  server.projectDiagnostics.closed(uri);
  clear(server, uri);
}

/// Nothing to do: checks follow the text in the editor, and saved headers come as watched files.
void didSave(Server &, const protocol::DocumentParams &) {}

} // namespace warpdrf::lsp
