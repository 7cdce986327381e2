// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table. `$/cancelRequest` is not in it: the endpoint itself sees to that.
#include "server/lsp/registry.h"

#include "server/lsp/handlers.h"

namespace warpdrf::lsp {

template <typename Params, typename Result>
static void request(Server &server, const char *method,
                    void (*handler)(Server &, const Params &, protocol::Reply<Result>)) {
  server.endpoint.onRequest<Params, Result>(
      method, [&server, handler](const Params &params, protocol::Reply<Result> reply) {
        handler(server, params, std::move(reply));
      });
}

template <typename Params>
static void notification(Server &server, const char *method,
                         void (*handler)(Server &, const Params &)) {
  server.endpoint.onNotification<Params>(
      method, [&server, handler](const Params &params) { handler(server, params); });
}

void registerHandlers(Server &server) {
  request(server, "initialize", initialize);
  notification(server, "initialized", initialized);
  request(server, "shutdown", shutdown);
  notification(server, "exit", exit);
  notification(server, "$/setTrace", setTrace);

  notification(server, "textDocument/didOpen", didOpen);
  notification(server, "textDocument/didChange", didChange);
  notification(server, "textDocument/didClose", didClose);
  notification(server, "textDocument/didSave", didSave);

  request(server, "textDocument/diagnostic", diagnostic);
  request(server, "textDocument/hover", hover);
  request(server, "textDocument/codeLens", codeLens);
  request(server, "textDocument/documentSymbol", documentSymbol);
  request(server, "textDocument/inlayHint", inlayHint);
  request(server, "textDocument/semanticTokens/full", semanticTokens);
  request(server, "textDocument/codeAction", codeAction);
  request(server, "codeAction/resolve", codeActionResolve);

  request(server, "workspace/executeCommand", executeCommand);
  notification(server, "workspace/didChangeConfiguration", didChangeConfiguration);
  notification(server, "workspace/didChangeWatchedFiles", didChangeWatchedFiles);
  notification(server, "window/workDoneProgress/cancel", cancelProgress);
}

std::span<const std::string_view> unimplementedMethods() {
  static constexpr std::string_view methods[] = {
      // Left to the C++ language server that runs beside this one.
      "textDocument/completion",
      "textDocument/declaration",
      "textDocument/definition",
      "textDocument/documentHighlight",
      "textDocument/foldingRange",
      "textDocument/formatting",
      "textDocument/implementation",
      "textDocument/references",
      "textDocument/rename",
      "textDocument/signatureHelp",
      "textDocument/typeDefinition",
      "workspace/symbol",
      // Not there yet.
      "textDocument/prepareCallHierarchy",
      "workspace/diagnostic",
  };
  return methods;
}

} // namespace warpdrf::lsp
