// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/documentSymbol.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_documentSymbol
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

enum class SymbolKind { Function = 12, Event = 24, Operator = 25 };

struct DocumentSymbol {
  std::string name;
  std::string detail; ///< "" for none
  SymbolKind kind = SymbolKind::Function;
  Range range;          ///< encloses the next one
  Range selectionRange; ///< the name
  std::vector<DocumentSymbol> children;
};
void to_json(Json &json, const DocumentSymbol &value);

/// The same as a list of SymbolInformation, for clients without a tree.
Json flattened(const std::vector<DocumentSymbol> &symbols, const std::string &uri);

} // namespace warpdrf::protocol
