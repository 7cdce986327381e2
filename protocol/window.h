// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages to the user and progress.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workDoneProgress
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

enum class MessageType { Error = 1, Warning = 2, Info = 3, Log = 4 };

/// Params of window/showMessage and window/logMessage.
struct MessageParams {
  MessageType type = MessageType::Log;
  std::string message;
};
void to_json(Json &json, const MessageParams &value);

struct ProgressCancelParams {
  std::string token; ///< ours are strings; others cannot name one of ours
};
bool fromJson(const Json &json, ProgressCancelParams &out, Path path);

/// Params of $/progress.
Json progressBegin(const std::string &token, const std::string &title, const std::string &message);
Json progressEnd(const std::string &token);

} // namespace warpdrf::protocol
