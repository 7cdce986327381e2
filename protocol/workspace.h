// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workspace messages: configuration, watched files, commands, registration.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceFeatures
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

struct DidChangeConfigurationParams {
  Json settings; ///< null from clients that want to be asked (workspace/configuration)
};
bool fromJson(const Json &json, DidChangeConfigurationParams &out, Path path);

struct DidChangeWatchedFilesParams {
  std::vector<std::string> uris;
};
bool fromJson(const Json &json, DidChangeWatchedFilesParams &out, Path path);

struct ExecuteCommandParams {
  std::string command;
  std::vector<Json> arguments;
};
bool fromJson(const Json &json, ExecuteCommandParams &out, Path path);

/// Params of client/registerCapability that ask for didChangeWatchedFiles on these globs.
Json watchRegistration(const std::vector<std::string> &globs);

} // namespace warpdrf::protocol
