// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LSP's basic structures.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#basicJsonStructures
#pragma once

#include "protocol/decode.h"

namespace warpdrf::protocol {

/// Counts from 0; `character` in the negotiated encoding.
struct Position {
  unsigned line = 0;
  unsigned character = 0;
  auto operator<=>(const Position &) const = default;
};
bool fromJson(const Json &json, Position &out, Path path);
void to_json(Json &json, const Position &value);

/// `end` is exclusive.
struct Range {
  Position start;
  Position end;
  auto operator<=>(const Range &) const = default;
};
bool fromJson(const Json &json, Range &out, Path path);
void to_json(Json &json, const Range &value);

struct Location {
  std::string uri;
  Range range;
};
void to_json(Json &json, const Location &value);

struct TextDocumentIdentifier {
  std::string uri;
};
bool fromJson(const Json &json, TextDocumentIdentifier &out, Path path);

struct TextEdit {
  Range range;
  std::string newText;
};
void to_json(Json &json, const TextEdit &value);

/// The edits of one document, and the version they were computed for where it is known.
struct DocumentEdit {
  std::string uri;
  std::optional<int> version;
  std::vector<TextEdit> edits;
};

struct WorkspaceEdit {
  std::vector<DocumentEdit> documents;
  bool versioned = false; ///< the client takes `documentChanges`; else `changes` is written
};
void to_json(Json &json, const WorkspaceEdit &value);

struct MarkupContent {
  bool markdown = false;
  std::string value;
};
void to_json(Json &json, const MarkupContent &value);

} // namespace warpdrf::protocol
