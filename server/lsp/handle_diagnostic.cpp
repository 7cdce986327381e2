// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/diagnostic: what would be published of the document.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_pullDiagnostics
#include "server/lsp/handlers.h"

namespace warpdrf::lsp {

using Report = protocol::DocumentDiagnosticReport;

/// Who was told to ask again does so at once; else the refresh that comes with the check will do.
static void answer(Server &server, const protocol::DocumentDiagnosticParams &params,
                   const std::shared_ptr<const Text> &text, Scheduler::Outcome outcome,
                   const protocol::Reply<Report> &reply) {
  auto report = server.diagnostics.answer(params.textDocument.uri, text, params.previousResultId);
  if (outcome == Scheduler::Outcome::Superseded)
    return reply.error(protocol::ErrorCode::ServerCancelled, "the document changed",
                       protocol::diagnosticsCancelled(true));
  if (!report)
    return reply.error(protocol::ErrorCode::ServerCancelled, "the check takes long",
                       protocol::diagnosticsCancelled(!server.client.pulls()));
  reply(*report);
}

void diagnostic(Server &server, const protocol::DocumentDiagnosticParams &params,
                protocol::Reply<Report> reply) {
  const std::string &uri = params.textDocument.uri;
  if (!server.scheduler.knows(uri))
    return reply(Report{"", std::vector<protocol::Diagnostic>(), {}});
  server.diagnostics.asked(uri);
  const Snapshot *document = server.documents.find(uri);
  server.scheduler.whenChecked(uri, false,
                               [&server, params, text = document ? document->text : nullptr,
                                reply](Scheduler::Outcome outcome, CheckedPtr) {
                                 answer(server, params, text, outcome, reply);
                               });
}

} // namespace warpdrf::lsp
