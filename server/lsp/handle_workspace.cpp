// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens around the documents: settings, files on disk, the progress bar's button.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceFeatures
#include "server/lsp/handlers.h"

#include "protocol/uri.h"

namespace warpdrf::lsp {

void didChangeConfiguration(Server &server, const protocol::DidChangeConfigurationParams &params) {
  if (params.settings.is_object())
    server.applySettings(params.settings);
  else if (server.client.can.configuration)
    server.pullSettings();
}

/// What an editor has open counts as it is there. Of a source file only the documents matter that
/// include it; what else changed may be a new header, or the way to compile.
void didChangeWatchedFiles(Server &server, const protocol::DidChangeWatchedFilesParams &params) {
  std::vector<std::string> sources;
  bool others = false;
  for (const std::string &uri : params.uris) {
    if (const Snapshot *open = server.documents.find(uri); open && isOnDisk(*open))
      continue;
    std::string path = protocol::pathFromUri(uri);
    if (path.ends_with(".cu"))
      sources.push_back(std::move(path));
    else
      others = true;
  }
  if (others)
    server.scheduler.recheckAll(server.settings);
  else if (!sources.empty())
    server.scheduler.recheckIncluding(sources);
}

void cancelProgress(Server &server, const protocol::ProgressCancelParams &params) {
  std::string uri = server.progress.documentOf(params.token);
  if (!uri.empty())
    server.scheduler.cancelCheck(uri);
  if (!server.runProgress.documentOf(params.token).empty())
    server.runs.stopRunning();
}

} // namespace warpdrf::lsp
