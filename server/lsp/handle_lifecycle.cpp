// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// initialize, initialized, shutdown, exit, $/setTrace.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lifeCycleMessages
#include "server/lsp/handlers.h"

#include "protocol/semantic_tokens.h"
#include "server/lsp/fix_all.h"

namespace warpdrf::lsp {

/// What changes a check's result without being an open document. `.h` and friends because kernels
/// include them.
static const std::vector<std::string> watchedGlobs = {
    "**/compile_commands.json",           "**/compile_flags.txt", "**/.clangd", "**/.warpdrf.json",
    "**/*.{cu,cuh,h,hh,hpp,hxx,inc,inl}",
};

void initialize(Server &server, const protocol::InitializeParams &params,
                protocol::Reply<protocol::InitializeResult> reply) {
  server.lifecycle.initialized();
  server.client.can = params.capabilities;
  server.client.encoding = protocol::negotiate(params.capabilities.positionEncodings);
  if (params.capabilities.workDoneProgress)
    for (Progress *each : {&server.progress, &server.runProgress})
      each->enable();
  protocol::InitializeResult result;
  result.capabilities.positionEncoding = server.client.encoding;
  result.capabilities.codeActionKinds = {"quickfix", fixAllKind};
  result.capabilities.commands = commandNames();
  result.capabilities.pullDiagnostics = server.client.pulls();
  result.capabilities.inactiveRegions = server.client.can.inactiveRegions;
  std::string mistakes; // are shown when the settings are taken over
  if (settingsFromJson(params.initializationOptions, mistakes).divergentCode)
    result.capabilities.semanticTokens = protocol::semanticTokensProvider("statement", "divergent");
  server.client.serverCommands = result.capabilities.commands;
  result.serverName = "warpdrf";
  result.serverVersion = WARPDRF_VERSION;
  server.settingsToCome =
      params.initializationOptions.is_null() && params.capabilities.configuration;
  reply(result);
  server.applySettings(params.initializationOptions);
}

void initialized(Server &server, const protocol::NoParams &) {
  if (server.settingsToCome)
    server.pullSettings();
  if (server.client.can.watchedFilesRegistration)
    server.endpoint.call("client/registerCapability", protocol::watchRegistration(watchedGlobs));
}

void shutdown(Server &server, const protocol::NoParams &, protocol::Reply<protocol::Json> reply) {
  server.lifecycle.shutDown();
  server.runs.shutDown();
  server.scheduler.shutDown();
  reply(nullptr);
}

void exit(Server &server, const protocol::NoParams &) {
  server.lifecycle.exit();
}

/// There is no trace to switch: clients log the conversation themselves. Accepted, so that they
/// need not know.
void setTrace(Server &, const protocol::SetTraceParams &) {}

} // namespace warpdrf::lsp
