// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// warpdrf.showWitness [{uri, fingerprint | position, format?: "text"}]: the run that shows a
// finding. With a position instead of a fingerprint it is the worst finding that is shown in its
// line.
#include "server/lsp/answer.h"
#include "server/lsp/commands.h"

namespace warpdrf::lsp {

using protocol::ErrorCode;

static const Finding *findingInLine(const Checked &checked, unsigned line, const Client &client) {
  Places places(checked.document, client.encoding);
  const Finding *best = nullptr;
  for (const Finding &finding : checked.report.findings) {
    const protocol::Range range = toDiagnostic(finding, places, client).range;
    if (!finding.suppressed && finding.witness && range.start.line <= line &&
        line <= range.end.line && (!best || finding.severity > best->severity))
      best = &finding;
  }
  return best;
}

static const Finding *findingOf(const Checked &checked, const std::string &fingerprint) {
  for (const Finding &finding : checked.report.findings)
    if (finding.fingerprint == fingerprint)
      return &finding;
  return nullptr;
}

void showWitness(Server &server, const CommandArguments &arguments, CommandReply reply) {
  std::string fingerprint, format;
  std::optional<protocol::Position> position;
  const Snapshot *document = documentArgument(
      server, arguments,
      [&](protocol::ObjectReader &reader) {
        reader.optional("fingerprint", fingerprint)
            .optional("position", position)
            .optional("format", format);
      },
      reply);
  if (!document)
    return;
  if (fingerprint.empty() == !position)
    return reply.error(ErrorCode::InvalidParams,
                       "arguments[0]: expected either a fingerprint or a position");
  whenConfirmed(
      server, document->uri, reply.cancelled(),
      unlessChanged(reply, [&server, fingerprint, position, format,
                            reply](const CheckedPtr &checked) {
        if (!checked)
          return reply.error(ErrorCode::RequestFailed, "the document is not checked");
        const Finding *finding = position ? findingInLine(*checked, position->line, server.client)
                                          : findingOf(*checked, fingerprint);
        if (!finding)
          return reply.error(ErrorCode::RequestFailed,
                             position ? "no finding with an example is shown in this line"
                                      : "the document has no such finding any more");
        if (!finding->witness)
          return reply.error(ErrorCode::RequestFailed, "this finding has no example to run");
        runAndReply(
            server,
            {checked->document, checked->settings, planOf(*finding), *finding, format == "text"},
            reply);
      }));
}

} // namespace warpdrf::lsp
