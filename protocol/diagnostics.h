// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/publishDiagnostics and textDocument/diagnostic.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnostic
#pragma once

#include "protocol/base.h"

#include <map>

namespace warpdrf::protocol {

enum class DiagnosticSeverity { Error = 1, Warning = 2, Information = 3, Hint = 4 };

struct RelatedInformation {
  Location location;
  std::string message;
};
void to_json(Json &json, const RelatedInformation &value);

struct Diagnostic {
  Range range;
  DiagnosticSeverity severity = DiagnosticSeverity::Error;
  std::string code;
  std::string href; ///< codeDescription; "" for none
  std::string source;
  std::string message;
  bool unnecessary = false; ///< tag 1: shown faded
  std::vector<RelatedInformation> related;
  Json data;
};
void to_json(Json &json, const Diagnostic &value);

struct PublishDiagnosticsParams {
  std::string uri;
  std::optional<int> version;
  std::vector<Diagnostic> diagnostics;
};
void to_json(Json &json, const PublishDiagnosticsParams &value);

/// textDocument/diagnostic
struct DocumentDiagnosticParams {
  TextDocumentIdentifier textDocument;
  std::string previousResultId; ///< "" for none
};
bool fromJson(const Json &json, DocumentDiagnosticParams &out, Path path);

struct DocumentDiagnosticReport {
  std::string resultId;
  std::optional<std::vector<Diagnostic>> items;           ///< none: as they were under that id
  std::map<std::string, std::vector<Diagnostic>> related; ///< of other documents, by URI
};
void to_json(Json &json, const DocumentDiagnosticReport &value);

/// The data of the error ServerCancelled: is the client to ask again at once?
Json diagnosticsCancelled(bool retrigger);

} // namespace warpdrf::protocol
