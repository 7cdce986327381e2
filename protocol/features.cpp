// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of what is shown in and beside the text: lenses, symbols, hints.
#include "protocol/code_lens.h"
#include "protocol/document_symbol.h"
#include "protocol/inlay_hint.h"
#include "protocol/semantic_tokens.h"

namespace warpdrf::protocol {

void to_json(Json &json, const CodeLens &value) {
  json = {{"range", value.range}, {"command", value.command}};
}

void to_json(Json &json, const DocumentSymbol &value) {
  json = {{"name", value.name},
          {"kind", static_cast<int>(value.kind)},
          {"range", value.range},
          {"selectionRange", value.selectionRange}};
  if (!value.detail.empty())
    json["detail"] = value.detail;
  if (!value.children.empty())
    json["children"] = value.children;
}

static void flatten(const std::vector<DocumentSymbol> &symbols, const std::string &uri,
                    const std::string &container, Json &out) {
  for (const DocumentSymbol &symbol : symbols) {
    Json item = {{"name", symbol.name},
                 {"kind", static_cast<int>(symbol.kind)},
                 {"location", Location{uri, symbol.selectionRange}}};
    if (!container.empty())
      item["containerName"] = container;
    out.push_back(std::move(item));
    flatten(symbol.children, uri, symbol.name, out);
  }
}

Json flattened(const std::vector<DocumentSymbol> &symbols, const std::string &uri) {
  Json out = Json::array();
  flatten(symbols, uri, "", out);
  return out;
}

bool fromJson(const Json &json, InlayHintParams &out, Path path) {
  return ObjectReader(json, path)
      .required("textDocument", out.textDocument)
      .required("range", out.range)
      .ok();
}

void to_json(Json &json, const InlayHint &value) {
  json = {{"position", value.position}, {"label", value.label}, {"paddingLeft", true}};
  if (!value.tooltip.empty())
    json["tooltip"] = value.tooltip;
}

Json encoded(const std::vector<SemanticToken> &tokens) {
  Json data = Json::array();
  Position last;
  for (const SemanticToken &token : tokens) {
    const unsigned lines = token.start.line - last.line;
    const unsigned columns = token.start.character - (lines == 0 ? last.character : 0);
    for (unsigned number : {lines, columns, token.length, 0u, 1u})
      data.push_back(number);
    last = token.start;
  }
  return {{"data", std::move(data)}};
}

Json semanticTokensProvider(const std::string &type, const std::string &modifier) {
  return {{"legend",
           {{"tokenTypes", Json::array({type})}, {"tokenModifiers", Json::array({modifier})}}},
          {"full", true},
          {"range", false}};
}

void to_json(Json &json, const InactiveRegionsParams &value) {
  Json version = value.version ? Json(*value.version) : Json();
  json = {{"textDocument", {{"uri", value.uri}, {"version", std::move(version)}}},
          {"regions", value.regions}};
}

} // namespace warpdrf::protocol
