// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// didOpen, didChange, didClose, didSave.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_synchronization
#include "server/lsp/handlers.h"
#include "server/lsp/status.h"

namespace warpdrf::lsp {

void didOpen(Server &server, const protocol::DidOpenParams &params) {
  const Snapshot &document = server.documents.open(params);
  if (!isOnDisk(document))
    server.scheduler.setUnsaved(document.path, document.text, true);
  if (isCuda(params.languageId, document.path))
    server.scheduler.update(document, Scheduler::Cause::Opened);
  else
    server.endpoint.notify(statusMethod, statusFailed(document, "not a CUDA file"));
}

void didChange(Server &server, const protocol::DidChangeParams &params) {
  const Snapshot *document = server.documents.change(params, server.client.encoding);
  if (!document)
    return server.log("change of a document that is not open: " + params.uri);
  server.scheduler.setUnsaved(document->path, document->text, true);
  if (server.scheduler.knows(params.uri))
    server.scheduler.update(*document, Scheduler::Cause::Edited);
}

void didClose(Server &server, const protocol::DocumentParams &params) {
  const std::string &uri = params.textDocument.uri;
  const Snapshot *document = server.documents.find(uri);
  if (!document)
    return server.log("close of a document that is not open: " + uri);
  server.scheduler.setUnsaved(document->path, nullptr, !isOnDisk(*document));
  server.documents.close(uri);
  server.scheduler.close(uri);
  server.diagnostics.closed(uri);
  server.refresh.closed(uri);
}

/// Checks follow the text in the editor; now it is also on disk.
void didSave(Server &server, const protocol::DocumentParams &params) {
  const Snapshot *document = server.documents.find(params.textDocument.uri);
  if (document && isOnDisk(*document))
    server.scheduler.setUnsaved(document->path, nullptr, false);
}

} // namespace warpdrf::lsp
