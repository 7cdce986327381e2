// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens around the documents: settings, files on disk, the progress bar's button.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceFeatures
#include "server/lsp/handlers.h"

namespace warpdrf::lsp {

void didChangeConfiguration(Server &server, const protocol::DidChangeConfigurationParams &params) {
  if (params.settings.is_object())
    server.applySettings(params.settings);
  else if (server.client.can.configuration)
    server.pullSettings();
}

void didChangeWatchedFiles(Server &server, const protocol::DidChangeWatchedFilesParams &params) {
  if (!params.uris.empty())
    server.scheduler.recheckAll(server.settings);
}

void cancelProgress(Server &server, const protocol::ProgressCancelParams &params) {
  std::string uri = server.progress.documentOf(params.token);
  if (!uri.empty())
    server.scheduler.cancelCheck(uri);
  if (!server.runProgress.documentOf(params.token).empty())
    server.runs.stopRunning();
}

} // namespace warpdrf::lsp
