// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/codeAction, literals only, and codeAction/resolve.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_codeAction
#pragma once

#include "protocol/diagnostics.h"

namespace warpdrf::protocol {

struct CodeActionParams {
  TextDocumentIdentifier textDocument;
  Range range;
  /// The kinds the client wants, a prefix each; absent: all.
  std::optional<std::vector<std::string>> only;
};
bool fromJson(const Json &json, CodeActionParams &out, Path path);

/// For workspace/executeCommand.
struct Command {
  std::string title;
  std::string command;
  std::vector<Json> arguments;
};
void to_json(Json &json, const Command &value);

struct CodeAction {
  std::string title;
  std::string kind;
  std::vector<Diagnostic> diagnostics; ///< what it resolves
  bool preferred = false;
  WorkspaceEdit edit; ///< without documents: none
  std::optional<Command> command;
  Json data; ///< not null: for codeAction/resolve, which finds the edit
};
void to_json(Json &json, const CodeAction &value);

/// Whether an action of `kind` was asked for.
bool wanted(const CodeActionParams &params, std::string_view kind);

} // namespace warpdrf::protocol
