// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/inlayHint.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_inlayHint
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

struct InlayHintParams {
  TextDocumentIdentifier textDocument;
  Range range;
};
bool fromJson(const Json &json, InlayHintParams &out, Path path);

struct InlayHint {
  Position position;
  std::string label;
  std::string tooltip; ///< plain text; "" for none
};
/// With a gap in front: it stands behind the code that it is about.
void to_json(Json &json, const InlayHint &value);

} // namespace warpdrf::protocol
