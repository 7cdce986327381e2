// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// codeAction/resolve. Only `source.fixAll.warpdrf` comes without its edit: that has to be verified
// first.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#codeAction_resolve
#include "server/lsp/handlers.h"

#include "analysis/report/source.h"
#include "server/lsp/answer.h"
#include "server/lsp/fix_all.h"

namespace warpdrf::lsp {

using protocol::CodeAction;
using protocol::ErrorCode;
using protocol::Json;

using WithEdit = std::function<void(std::optional<protocol::WorkspaceEdit>, std::string failure)>;

/// Calls back with the edit of all fixes, or why there is none.
static void verified(Server &server, const CheckedPtr &checked, WithEdit then) {
  std::vector<TextEdit> edits = editsOfAllFixes(*checked);
  Places places(checked->document, server.client.encoding);
  protocol::DocumentEdit document{checked->document.uri, checked->document.version, {}};
  for (const TextEdit &edit : edits)
    document.edits.push_back({places.range(edit.range), edit.text});
  protocol::WorkspaceEdit edit{{std::move(document)}, server.client.can.documentChanges};
  if (edits.size() <= 1)
    return then(std::move(edit), "");
  server.scheduler.probe(
      checked, applyEdits(checked->document.text->str(), edits),
      [checked, edit = std::move(edit), then](Scheduler::Outcome outcome, CheckedPtr after) {
        if (outcome == Scheduler::Outcome::Superseded)
          then(std::nullopt, "the document changed");
        else if (!after)
          then(std::nullopt, "the fixes could not be checked together in time");
        else if (hasNewFinding(checked->report, after->report))
          then(std::nullopt, "together the fixes bring a new finding");
        else
          then(edit, "");
      });
}

void addFixAll(Server &server, const CheckedPtr &checked, std::vector<CodeAction> actions,
               protocol::Reply<Json> reply) {
  if (editsOfAllFixes(*checked).empty())
    return reply(actions);
  CodeAction all;
  all.title = "Fix all warpdrf findings that have a verified fix";
  all.kind = fixAllKind;
  if (server.client.can.resolveEdits) {
    all.data = {{"uri", checked->document.uri}, {"sequence", checked->sequence}};
    actions.push_back(std::move(all));
    return reply(actions);
  }
  verified(server, checked,
           [all, actions, reply](std::optional<protocol::WorkspaceEdit> edit, std::string) mutable {
             if (edit) {
               all.edit = std::move(*edit);
               actions.push_back(std::move(all));
             }
             reply(actions);
           });
}

void codeActionResolve(Server &server, const Json &action, protocol::Reply<Json> reply) {
  const Json &uri = protocol::descend(action, {"data", "uri"});
  if (!uri.is_string())
    return reply(action);
  server.scheduler.whenChecked(
      uri.get<std::string>(), true,
      unlessChanged(reply, [&server, action, reply](const CheckedPtr &checked) {
        if (checked && checked->sequence != action["data"].value("sequence", 0u))
          return answerChanged(reply);
        if (!checked)
          return reply.error(ErrorCode::RequestFailed, "the document is not checked");
        verified(server, checked,
                 [action, reply](std::optional<protocol::WorkspaceEdit> edit,
                                 const std::string &failure) {
                   if (!edit)
                     return reply.error(ErrorCode::RequestFailed, failure);
                   Json resolved = action;
                   resolved["edit"] = *edit;
                   reply(resolved);
                 });
      }));
}

} // namespace warpdrf::lsp
