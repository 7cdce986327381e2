// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all requests have in common that show something of a document's check.
#pragma once

#include "server/lsp/server.h"

namespace warpdrf::lsp {

/// Answers with `make(checked)` from the last check of the document as it is now, which it waits
/// for. Where there is none, with null; of the two kinds that the client can be told to ask for
/// again, it then is.
template <typename Make>
void answerFromCheck(Server &server, const std::string &uri, std::optional<Refresh::What> kind,
                     protocol::Reply<protocol::Json> reply, Make make) {
  server.scheduler.whenChecked(uri, false,
                               [&server, kind, reply, make = std::move(make)](
                                   Scheduler::Outcome outcome, CheckedPtr checked) {
                                 if (outcome == Scheduler::Outcome::Superseded)
                                   return reply.error(protocol::ErrorCode::ContentModified,
                                                      "the document changed");
                                 if (checked)
                                   return reply(make(*checked));
                                 if (kind)
                                   server.refresh.unanswered(*kind);
                                 reply(nullptr);
                               });
}

} // namespace warpdrf::lsp
