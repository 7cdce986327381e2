// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/hover.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_hover
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

struct HoverParams {
  TextDocumentIdentifier textDocument;
  Position position;
};
bool fromJson(const Json &json, HoverParams &out, Path path);

struct Hover {
  MarkupContent contents;
  Range range;
};
void to_json(Json &json, const Hover &value);

} // namespace warpdrf::protocol
