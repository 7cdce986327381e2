// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The handshake's JSON and the admission rule.
#include "protocol/lifecycle.h"

#include <algorithm>

namespace warpdrf::protocol {

static bool isTrue(const Json &json, std::initializer_list<const char *> keys) {
  const Json &value = descend(json, keys);
  return value.is_boolean() && value.get<bool>();
}

static bool holds(const Json &array, std::string_view text) {
  return array.is_array() && std::find(array.begin(), array.end(), Json(text)) != array.end();
}

static std::vector<std::string> texts(const Json &array) {
  std::vector<std::string> out;
  if (array.is_array())
    for (const Json &each : array)
      if (each.is_string())
        out.push_back(each.get<std::string>());
  return out;
}

/// Capabilities never make initialize fail: what is malformed counts as absent.
bool fromJson(const Json &json, ClientCapabilities &out, Path) {
  auto diagnostics = [&](const char *key) {
    return descend(json, {"textDocument", "publishDiagnostics", key});
  };
  out.relatedInformation = diagnostics("relatedInformation") == true;
  out.codeDescription = diagnostics("codeDescriptionSupport") == true;
  out.diagnosticData = diagnostics("dataSupport") == true;
  out.diagnosticTags = !diagnostics("tagSupport").is_null() && diagnostics("tagSupport") != false;
  out.hoverMarkdown = holds(descend(json, {"textDocument", "hover", "contentFormat"}), "markdown");
  out.codeActionLiterals =
      descend(json, {"textDocument", "codeAction", "codeActionLiteralSupport"}).is_object();
  out.resolveEdits =
      isTrue(json, {"textDocument", "codeAction", "dataSupport"}) &&
      holds(descend(json, {"textDocument", "codeAction", "resolveSupport", "properties"}), "edit");
  out.documentChanges = isTrue(json, {"workspace", "workspaceEdit", "documentChanges"});
  out.workDoneProgress = isTrue(json, {"window", "workDoneProgress"});
  out.configuration = isTrue(json, {"workspace", "configuration"});
  out.watchedFilesRegistration =
      isTrue(json, {"workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  out.pullDiagnostics = descend(json, {"textDocument", "diagnostic"}).is_object();
  out.relatedDiagnostics = isTrue(json, {"textDocument", "diagnostic", "relatedDocumentSupport"});
  out.refreshDiagnostics = isTrue(json, {"workspace", "diagnostics", "refreshSupport"});
  out.refreshLenses = isTrue(json, {"workspace", "codeLens", "refreshSupport"});
  out.refreshHints = isTrue(json, {"workspace", "inlayHint", "refreshSupport"});
  out.refreshTokens = isTrue(json, {"workspace", "semanticTokens", "refreshSupport"});
  out.inactiveRegions =
      isTrue(json, {"textDocument", "inactiveRegionsCapabilities", "inactiveRegions"});
  out.symbolTree =
      isTrue(json, {"textDocument", "documentSymbol", "hierarchicalDocumentSymbolSupport"});
  out.commands = texts(descend(json, {"experimental", "commands", "commands"}));
  out.positionEncodings = texts(descend(json, {"general", "positionEncodings"}));
  return true;
}

bool fromJson(const Json &json, InitializeParams &out, Path path) {
  return ObjectReader(json, path)
      .required("capabilities", out.capabilities)
      .optional("initializationOptions", out.initializationOptions)
      .optional("trace", out.trace)
      .ok();
}

void to_json(Json &json, const InitializeResult &value) {
  const ServerCapabilities &c = value.capabilities;
  json = {
      {"capabilities",
       {
           {"positionEncoding", nameOf(c.positionEncoding)},
           {"textDocumentSync",
            {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
           {"hoverProvider", true},
           {"codeActionProvider",
            {{"codeActionKinds", c.codeActionKinds}, {"resolveProvider", true}}},
           {"executeCommandProvider", {{"commands", c.commands}}},
           {"codeLensProvider", {{"resolveProvider", false}}},
           {"documentSymbolProvider", {{"label", "warpdrf"}}},
           {"inlayHintProvider", true},
       }},
      {"serverInfo", {{"name", value.serverName}, {"version", value.serverVersion}}},
  };
  if (!c.semanticTokens.is_null())
    json["capabilities"]["semanticTokensProvider"] = c.semanticTokens;
  if (c.inactiveRegions)
    json["capabilities"]["inactiveRegionsProvider"] = true;
  if (c.pullDiagnostics)
    json["capabilities"]["diagnosticProvider"] = {{"identifier", "warpdrf"},
                                                  {"interFileDependencies", true},
                                                  {"workspaceDiagnostics", false}};
}

bool fromJson(const Json &json, SetTraceParams &out, Path path) {
  return ObjectReader(json, path).required("value", out.value).ok();
}

bool fromJson(const Json &, NoParams &, Path) {
  return true;
}

PositionEncoding negotiate(const std::vector<std::string> &offered) {
  std::optional<PositionEncoding> first;
  for (const std::string &name : offered) {
    auto encoding = encodingNamed(name);
    if (encoding == PositionEncoding::Utf8)
      return *encoding;
    if (!first)
      first = encoding;
  }
  return first.value_or(PositionEncoding::Utf16);
}

std::optional<ResponseError> Lifecycle::admit(std::string_view method) const {
  if (method == "exit")
    return std::nullopt;
  if (state == State::Fresh && method != "initialize")
    return ResponseError{ErrorCode::ServerNotInitialized, "the first request must be initialize"};
  if (state == State::Running && method == "initialize")
    return ResponseError{ErrorCode::InvalidRequest, "already initialized"};
  if (state == State::ShutDown)
    return ResponseError{ErrorCode::InvalidRequest, "the server was shut down"};
  return std::nullopt;
}

} // namespace warpdrf::protocol
