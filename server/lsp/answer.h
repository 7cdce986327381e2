// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all requests have in common that show something of a document's check.
#pragma once

#include "server/lsp/server.h"

namespace warpdrf::lsp {

inline void answerChanged(const protocol::Reply<protocol::Json> &reply) {
  reply.error(protocol::ErrorCode::ContentModified, "the document changed");
}

/// Hands a check, or null if there is none, on to `then`; where the document has changed meanwhile,
/// that is the answer.
template <typename Then>
Scheduler::Callback unlessChanged(protocol::Reply<protocol::Json> reply, Then then) {
  return [reply, then = std::move(then)](Scheduler::Outcome outcome, const CheckedPtr &checked) {
    if (outcome == Scheduler::Outcome::Superseded)
      answerChanged(reply);
    else
      then(checked);
  };
}

/// Answers with `make(checked)` from the last check of the document as it is now, which it waits
/// for. Where there is none, with null; of the two kinds that the client can be told to ask for
/// again, it then is.
template <typename Make>
void answerFromCheck(Server &server, const std::string &uri, std::optional<Refresh::What> kind,
                     protocol::Reply<protocol::Json> reply, Make make) {
  server.scheduler.whenChecked(uri, false,
                               unlessChanged(reply, [&server, kind, reply, make = std::move(make)](
                                                        const CheckedPtr &checked) {
                                 if (checked)
                                   return reply(make(*checked));
                                 if (kind)
                                   server.refresh.unanswered(*kind);
                                 reply(nullptr);
                               }));
}

} // namespace warpdrf::lsp
