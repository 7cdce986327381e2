// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Server lifecycle: initialize, shutdown, exit, and which messages are admitted when. Also the
// types of the handshake; of the client's capabilities only what the server asks about.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#lifeCycleMessages
#pragma once

#include "protocol/decode.h"
#include "protocol/error.h"
#include "protocol/position.h"

namespace warpdrf::protocol {

/// Capabilities flattened to the questions we ask. All are false or empty for a client that says
/// nothing.
struct ClientCapabilities {
  bool relatedInformation = false;
  bool diagnosticTags = false;
  bool codeDescription = false;
  bool diagnosticData = false;
  bool hoverMarkdown = false;
  bool codeActionLiterals = false;
  bool resolveEdits = false;    ///< asks for a code action's edit when it is wanted
  bool documentChanges = false; ///< versioned edits
  bool workDoneProgress = false;
  bool configuration = false; ///< answers workspace/configuration
  bool watchedFilesRegistration = false;
  bool pullDiagnostics = false;
  bool relatedDiagnostics = false; ///< takes those of other documents in an answer
  bool refreshDiagnostics = false; ///< asks again when told to; so the next three
  bool refreshLenses = false;
  bool refreshHints = false;
  bool refreshTokens = false;
  bool inactiveRegions = false; ///< clangd's extension
  bool symbolTree = false;
  std::vector<std::string> commands; ///< that the client itself carries out, as rust-analyzer asks
  std::vector<std::string> positionEncodings;
};
bool fromJson(const Json &json, ClientCapabilities &out, Path path);

struct InitializeParams {
  ClientCapabilities capabilities;
  Json initializationOptions;
  std::string trace = "off";
};
bool fromJson(const Json &json, InitializeParams &out, Path path);

struct ServerCapabilities {
  PositionEncoding positionEncoding = PositionEncoding::Utf16;
  std::vector<std::string> codeActionKinds;
  std::vector<std::string> commands;
  bool pullDiagnostics = false;
  bool inactiveRegions = false;
  Json semanticTokens; ///< null: none
};

struct InitializeResult {
  ServerCapabilities capabilities;
  std::string serverName;
  std::string serverVersion;
};
void to_json(Json &json, const InitializeResult &value);

struct SetTraceParams {
  std::string value;
};
bool fromJson(const Json &json, SetTraceParams &out, Path path);

/// Params of messages that have none, or none that we read.
struct NoParams {};
bool fromJson(const Json &json, NoParams &out, Path path);

/// The first of the client's encodings that we know; they are in its order of preference. Byte
/// columns cost us nothing, so utf-8 wins when offered at all.
PositionEncoding negotiate(const std::vector<std::string> &offered);

/// Where in its life the server is.
class Lifecycle {
public:
  /// The error for a request (or, dropped, a notification) that comes at the wrong time.
  std::optional<ResponseError> admit(std::string_view method) const;

  void initialized() { state = State::Running; }
  void shutDown() { state = State::ShutDown; }
  void exit() {
    code = state == State::ShutDown ? 0 : 1;
    done = true;
  }
  bool exited() const { return done; }
  /// 0 after shutdown and exit, else 1, also when the stream just ended.
  int exitCode() const { return code; }

private:
  enum class State { Fresh, Running, ShutDown };
  State state = State::Fresh;
  bool done = false;
  int code = 1;
};

} // namespace warpdrf::protocol
