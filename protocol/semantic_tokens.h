// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// textDocument/semanticTokens/full, and clangd's notification textDocument/inactiveRegions.
// https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#textDocument_semanticTokens
// https://clangd.llvm.org/extensions#inactive-regions
#pragma once

#include "protocol/base.h"

namespace warpdrf::protocol {

/// Within one line, sorted, apart from one another. We have one type and one modifier.
struct SemanticToken {
  Position start;
  unsigned length = 0;
};

/// The five numbers for each.
Json encoded(const std::vector<SemanticToken> &tokens);
/// The capability: `type` with `modifier` is what each token means.
Json semanticTokensProvider(const std::string &type, const std::string &modifier);

struct InactiveRegionsParams {
  std::string uri;
  std::optional<int> version;
  std::vector<Range> regions;
};
void to_json(Json &json, const InactiveRegionsParams &value);

} // namespace warpdrf::protocol
