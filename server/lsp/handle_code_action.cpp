// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/codeAction: the verified fixes of the findings in the range, then the runs that show
// them, and last, for each rule among them, the comment that silences it.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeAction
#include "server/lsp/handlers.h"

#include "server/lsp/answer.h"
#include "server/lsp/command_names.h"
#include "server/lsp/fix_all.h"

#include <set>

namespace warpdrf::lsp {

using protocol::CodeAction;
using protocol::Json;

namespace {

class Collector {
public:
  Collector(const Checked &checked, const Client &client)
      : checked(checked), client(client), places(checked.document, client.encoding) {}

  std::vector<CodeAction> collect(const protocol::Range &range) {
    std::vector<CodeAction> witnesses, ignores;
    for (const Finding &finding : checked.report.findings) {
      if (finding.suppressed || !places.here(finding.primary))
        continue;
      protocol::Diagnostic diagnostic = toDiagnostic(finding, places, client);
      if (diagnostic.range.end < range.start || range.end < diagnostic.range.start)
        continue;
      for (const Fix &fix : finding.fixes)
        addFix(fix, diagnostic);
      if (finding.witness)
        witnesses.push_back(showWitness(finding, diagnostic));
      addIgnore(finding, diagnostic, ignores);
    }
    for (const std::vector<CodeAction> &more : {witnesses, ignores})
      actions.insert(actions.end(), more.begin(), more.end());
    return std::move(actions);
  }

private:
  void addFix(const Fix &fix, const protocol::Diagnostic &diagnostic) {
    std::map<std::string, std::vector<protocol::TextEdit>> edits;
    for (const TextEdit &edit : fix.edits)
      edits[places.uri(edit.range.file)].push_back({places.range(edit.range), edit.text});
    CodeAction action = newAction(fix.title, diagnostic);
    action.preferred = fix.verified && actions.empty();
    for (auto &[uri, list] : edits)
      addEdits(action, uri, std::move(list));
    actions.push_back(std::move(action));
  }

  CodeAction showWitness(const Finding &finding, const protocol::Diagnostic &diagnostic) {
    CodeAction action = newAction("show witness of " + finding.rule, diagnostic);
    const Json argument =
        Json::object({{"uri", checked.document.uri}, {"fingerprint", finding.fingerprint}});
    action.command = {"Show witness", showWitnessCommand, std::vector<Json>{argument}};
    return action;
  }

  /// A comment above the line. None where the line continues a macro: the comment would swallow it.
  void addIgnore(const Finding &finding, const protocol::Diagnostic &diagnostic,
                 std::vector<CodeAction> &out) {
    unsigned line = diagnostic.range.start.line;
    if (!ignored.insert({line, finding.rule}).second)
      return;
    const Text &text = *checked.document.text;
    if (line > 0 && text.line(line - 1).ends_with('\\'))
      return;
    std::string_view code = text.line(line);
    std::string indent(code.substr(0, std::min(code.find_first_not_of(" \t"), code.size())));
    CodeAction action = newAction("ignore " + finding.rule + " for this line", diagnostic);
    addEdits(
        action, checked.document.uri,
        {{{{line, 0}, {line, 0}}, indent + "// warpdrf: ignore " + finding.rule + " -- reason\n"}});
    out.push_back(std::move(action));
  }

  CodeAction newAction(std::string title, const protocol::Diagnostic &diagnostic) {
    CodeAction action;
    action.title = std::move(title);
    action.kind = "quickfix";
    action.diagnostics = {diagnostic};
    action.edit.versioned = client.can.documentChanges;
    return action;
  }

  void addEdits(CodeAction &action, const std::string &uri, std::vector<protocol::TextEdit> edits) {
    std::optional<int> version;
    if (uri == checked.document.uri)
      version = checked.document.version;
    action.edit.documents.push_back({uri, version, std::move(edits)});
  }

  const Checked &checked;
  const Client &client;
  Places places;
  std::vector<CodeAction> actions;
  std::set<std::pair<unsigned, std::string>> ignored;
};

} // namespace

void codeAction(Server &server, const protocol::CodeActionParams &params,
                protocol::Reply<Json> reply) {
  const bool quickFixes = protocol::wanted(params, "quickfix");
  const bool all = params.only && protocol::wanted(params, fixAllKind); // on request only
  if (!(quickFixes || all) || !server.client.can.codeActionLiterals)
    return reply(Json::array());
  server.scheduler.whenChecked(params.textDocument.uri, true,
                               unlessChanged(reply, [&server, quickFixes, all, range = params.range,
                                                     reply](const CheckedPtr &checked) {
                                 std::vector<CodeAction> actions;
                                 if (checked && quickFixes)
                                   actions = Collector(*checked, server.client).collect(range);
                                 if (checked && all)
                                   addFixAll(server, checked, std::move(actions), reply);
                                 else
                                   reply(actions);
                               }));
}

} // namespace warpdrf::lsp
