// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text document synchronisation.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_synchronization
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

struct DidOpenParams {
  std::string uri;
  std::string languageId;
  std::optional<int> version; ///< clients that keep none send null
  std::string text;
};
bool fromJson(const Json &json, DidOpenParams &out, Path path);

struct ContentChange {
  std::optional<Range> range; ///< absent: `text` is the whole document
  std::string text;
};
bool fromJson(const Json &json, ContentChange &out, Path path);

struct DidChangeParams {
  std::string uri;
  std::optional<int> version; ///< clients that keep none send null
  std::vector<ContentChange> changes;
};
bool fromJson(const Json &json, DidChangeParams &out, Path path);

/// didClose and didSave: only the document matters to us.
struct DocumentParams {
  TextDocumentIdentifier textDocument;
};
bool fromJson(const Json &json, DocumentParams &out, Path path);

} // namespace warpdrf::protocol
