// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/publishDiagnostics.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#diagnostic
#pragma once

#include "protocol/base.h"

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

} // namespace warpdrf::protocol
