// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All handlers, each in a file of its own: handle_<name>.cpp. How to add one: registry.h.
#pragma once

#include "protocol/code_action.h"
#include "protocol/documents.h"
#include "protocol/hover.h"
#include "protocol/inlay_hint.h"
#include "protocol/window.h"
#include "protocol/workspace.h"
#include "server/lsp/server.h"

namespace warpdrf::lsp {

// handle_lifecycle.cpp
void initialize(Server &, const protocol::InitializeParams &,
                protocol::Reply<protocol::InitializeResult>);
void initialized(Server &, const protocol::NoParams &);
void shutdown(Server &, const protocol::NoParams &, protocol::Reply<protocol::Json>);
void exit(Server &, const protocol::NoParams &);
void setTrace(Server &, const protocol::SetTraceParams &);

// handle_documents.cpp
void didOpen(Server &, const protocol::DidOpenParams &);
void didChange(Server &, const protocol::DidChangeParams &);
void didClose(Server &, const protocol::DocumentParams &);
void didSave(Server &, const protocol::DocumentParams &);

void diagnostic(Server &, const protocol::DocumentDiagnosticParams &,
                protocol::Reply<protocol::DocumentDiagnosticReport>);
void hover(Server &, const protocol::HoverParams &, protocol::Reply<protocol::Json>);
void codeLens(Server &, const protocol::DocumentParams &, protocol::Reply<protocol::Json>);
void documentSymbol(Server &, const protocol::DocumentParams &, protocol::Reply<protocol::Json>);
void inlayHint(Server &, const protocol::InlayHintParams &, protocol::Reply<protocol::Json>);
void codeAction(Server &, const protocol::CodeActionParams &, protocol::Reply<protocol::Json>);
void semanticTokens(Server &, const protocol::DocumentParams &, protocol::Reply<protocol::Json>);
void codeActionResolve(Server &, const protocol::Json &, protocol::Reply<protocol::Json>);
/// Answers with these actions and, if there are fixes, the one that applies them all.
void addFixAll(Server &, const CheckedPtr &, std::vector<protocol::CodeAction>,
               protocol::Reply<protocol::Json>);
void executeCommand(Server &, const protocol::ExecuteCommandParams &,
                    protocol::Reply<protocol::Json>);
/// What `executeCommand` knows.
std::vector<std::string> commandNames();

// handle_workspace.cpp
void didChangeConfiguration(Server &, const protocol::DidChangeConfigurationParams &);
void didChangeWatchedFiles(Server &, const protocol::DidChangeWatchedFilesParams &);
void cancelProgress(Server &, const protocol::ProgressCancelParams &);

} // namespace warpdrf::lsp
