// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of the LSP types, in the order of their headers: base, documents, diagnostics, hover,
// code actions, workspace, window.
#include "protocol/base.h"
#include "protocol/code_action.h"
#include "protocol/diagnostics.h"
#include "protocol/documents.h"
#include "protocol/hover.h"
#include "protocol/window.h"
#include "protocol/workspace.h"

namespace warpdrf::protocol {

bool fromJson(const Json &json, Position &out, Path path) {
  return ObjectReader(json, path)
      .required("line", out.line)
      .required("character", out.character)
      .ok();
}

void to_json(Json &json, const Position &value) {
  json = {{"line", value.line}, {"character", value.character}};
}

bool fromJson(const Json &json, Range &out, Path path) {
  return ObjectReader(json, path).required("start", out.start).required("end", out.end).ok();
}

void to_json(Json &json, const Range &value) {
  json = {{"start", value.start}, {"end", value.end}};
}

void to_json(Json &json, const Location &value) {
  json = {{"uri", value.uri}, {"range", value.range}};
}

bool fromJson(const Json &json, TextDocumentIdentifier &out, Path path) {
  return ObjectReader(json, path).required("uri", out.uri).ok();
}

void to_json(Json &json, const TextEdit &value) {
  json = {{"range", value.range}, {"newText", value.newText}};
}

void to_json(Json &json, const WorkspaceEdit &value) {
  json = Json::object();
  if (!value.versioned) {
    Json &changes = json["changes"] = Json::object();
    for (const DocumentEdit &document : value.documents)
      changes[document.uri] = document.edits;
    return;
  }
  Json &changes = json["documentChanges"] = Json::array();
  for (const DocumentEdit &document : value.documents) {
    Json version = document.version ? Json(*document.version) : Json();
    changes.push_back({{"textDocument", {{"uri", document.uri}, {"version", version}}},
                       {"edits", document.edits}});
  }
}

void to_json(Json &json, const MarkupContent &value) {
  json = {{"kind", value.markdown ? "markdown" : "plaintext"}, {"value", value.value}};
}

/// Members of the `textDocument` of didOpen and didChange, read in place.
template <typename Read>
static bool readDocument(const Json &json, Path path, Read read) {
  auto document = json.is_object() ? json.find("textDocument") : json.end();
  if (document == json.end())
    return path.field("textDocument").fail("missing");
  Path inner = path.field("textDocument");
  return read(ObjectReader(*document, inner));
}

bool fromJson(const Json &json, DidOpenParams &out, Path path) {
  return readDocument(json, path, [&](ObjectReader reader) {
    return reader.required("uri", out.uri)
        .optional("languageId", out.languageId)
        .optional("version", out.version)
        .required("text", out.text)
        .ok();
  });
}

bool fromJson(const Json &json, ContentChange &out, Path path) {
  return ObjectReader(json, path).optional("range", out.range).required("text", out.text).ok();
}

bool fromJson(const Json &json, DidChangeParams &out, Path path) {
  return readDocument(
             json, path,
             [&](ObjectReader reader) {
               return reader.required("uri", out.uri).optional("version", out.version).ok();
             }) &&
         ObjectReader(json, path).required("contentChanges", out.changes).ok();
}

bool fromJson(const Json &json, DocumentParams &out, Path path) {
  return ObjectReader(json, path).required("textDocument", out.textDocument).ok();
}

void to_json(Json &json, const RelatedInformation &value) {
  json = {{"location", value.location}, {"message", value.message}};
}

void to_json(Json &json, const Diagnostic &value) {
  json = {{"range", value.range},
          {"severity", static_cast<int>(value.severity)},
          {"source", value.source},
          {"message", value.message}};
  if (!value.code.empty())
    json["code"] = value.code;
  if (!value.href.empty())
    json["codeDescription"] = {{"href", value.href}};
  if (value.unnecessary)
    json["tags"] = {1};
  if (!value.related.empty())
    json["relatedInformation"] = value.related;
  if (!value.data.is_null())
    json["data"] = value.data;
}

void to_json(Json &json, const PublishDiagnosticsParams &value) {
  json = {{"uri", value.uri}, {"diagnostics", value.diagnostics}};
  if (value.version)
    json["version"] = *value.version;
}

bool fromJson(const Json &json, DocumentDiagnosticParams &out, Path path) {
  return ObjectReader(json, path)
      .required("textDocument", out.textDocument)
      .optional("previousResultId", out.previousResultId)
      .ok();
}

void to_json(Json &json, const DocumentDiagnosticReport &value) {
  json = {{"kind", value.items ? "full" : "unchanged"}, {"resultId", value.resultId}};
  if (value.items)
    json["items"] = *value.items;
  for (const auto &[uri, items] : value.related)
    json["relatedDocuments"][uri] = {{"kind", "full"}, {"items", items}};
}

Json diagnosticsCancelled(bool retrigger) {
  return {{"retriggerRequest", retrigger}};
}

bool fromJson(const Json &json, HoverParams &out, Path path) {
  return ObjectReader(json, path)
      .required("textDocument", out.textDocument)
      .required("position", out.position)
      .ok();
}

void to_json(Json &json, const Hover &value) {
  json = {{"contents", value.contents}, {"range", value.range}};
}

bool fromJson(const Json &json, CodeActionParams &out, Path path) {
  if (!ObjectReader(json, path)
           .required("textDocument", out.textDocument)
           .required("range", out.range)
           .ok())
    return false;
  const Json &context = descend(json, {"context"});
  return context.is_null() ||
         ObjectReader(context, path.field("context")).optional("only", out.only).ok();
}

void to_json(Json &json, const Command &value) {
  json = {{"title", value.title}, {"command", value.command}, {"arguments", value.arguments}};
}

void to_json(Json &json, const CodeAction &value) {
  json = {{"title", value.title}, {"kind", value.kind}};
  if (!value.edit.documents.empty())
    json["edit"] = value.edit;
  if (value.command)
    json["command"] = *value.command;
  if (!value.data.is_null())
    json["data"] = value.data;
  if (!value.diagnostics.empty())
    json["diagnostics"] = value.diagnostics;
  if (value.preferred)
    json["isPreferred"] = true;
}

bool wanted(const CodeActionParams &params, std::string_view kind) {
  if (!params.only)
    return true;
  for (const std::string &prefix : *params.only)
    if (prefix.empty() || kind == prefix ||
        (kind.substr(0, prefix.size()) == prefix && kind[prefix.size()] == '.'))
      return true;
  return false;
}

bool fromJson(const Json &json, DidChangeConfigurationParams &out, Path path) {
  return ObjectReader(json, path).optional("settings", out.settings).ok();
}

bool fromJson(const Json &json, DidChangeWatchedFilesParams &out, Path path) {
  std::vector<TextDocumentIdentifier> changes; // each has a `uri`, and a `type` we do not need
  if (!ObjectReader(json, path).required("changes", changes).ok())
    return false;
  for (TextDocumentIdentifier &change : changes)
    out.uris.push_back(std::move(change.uri));
  return true;
}

bool fromJson(const Json &json, ExecuteCommandParams &out, Path path) {
  return ObjectReader(json, path)
      .required("command", out.command)
      .optional("arguments", out.arguments)
      .ok();
}

Json watchRegistration(const std::vector<std::string> &globs) {
  Json watchers = Json::array();
  for (const std::string &glob : globs)
    watchers.push_back({{"globPattern", glob}});
  Json registration = {{"id", "warpdrf-files"},
                       {"method", "workspace/didChangeWatchedFiles"},
                       {"registerOptions", {{"watchers", watchers}}}};
  return {{"registrations", Json::array({registration})}};
}

void to_json(Json &json, const MessageParams &value) {
  json = {{"type", static_cast<int>(value.type)}, {"message", value.message}};
}

bool fromJson(const Json &json, ProgressCancelParams &out, Path) {
  const Json &token = descend(json, {"token"});
  if (token.is_string())
    out.token = token.get<std::string>();
  return true;
}

Json progressBegin(const std::string &token, const std::string &title, const std::string &message) {
  return {{"token", token},
          {"value",
           {{"kind", "begin"}, {"title", title}, {"message", message}, {"cancellable", true}}}};
}

Json progressEnd(const std::string &token) {
  return {{"token", token}, {"value", {{"kind", "end"}}}};
}

} // namespace warpdrf::protocol
