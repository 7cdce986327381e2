// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/regions.h"

namespace warpdrf::lsp {

using protocol::SemanticToken;

/// The part of each line that is divergent for some kernel; of several the hull.
static std::map<unsigned, std::pair<unsigned, unsigned>> divergentBytes(const Checked &checked,
                                                                        const Places &places) {
  std::map<unsigned, std::pair<unsigned, unsigned>> lines;
  const Text &text = *checked.document.text;
  for (const KernelReport &kernel : checked.report.kernels)
    for (const Range &range : kernel.divergent) {
      if (!range.valid() || !places.here(range))
        continue;
      for (unsigned line = range.begin.line - 1; line < range.end.line; ++line) {
        std::string_view code = text.line(line);
        const std::size_t indent = std::min(code.find_first_not_of(" \t"), code.size());
        const std::size_t begin = line + 1 == range.begin.line ? range.begin.column - 1 : indent;
        const std::size_t end = line + 1 == range.end.line
                                    ? std::min<std::size_t>(range.end.column - 1, code.size())
                                    : code.size();
        if (begin >= end)
          continue;
        auto [known, isNew] = lines.try_emplace(line, begin, end);
        known->second.first = std::min(known->second.first, static_cast<unsigned>(begin));
        known->second.second = std::max(known->second.second, static_cast<unsigned>(end));
      }
    }
  return lines;
}

std::vector<SemanticToken> divergentTokens(const Checked &checked,
                                           protocol::PositionEncoding encoding) {
  Places places(checked.document, encoding);
  std::vector<SemanticToken> tokens;
  for (const auto &[line, bytes] : divergentBytes(checked, places)) {
    const std::string_view code = checked.document.text->line(line);
    const auto units = [&](unsigned byte) {
      return static_cast<unsigned>(protocol::unitsFromBytes(code, byte, encoding));
    };
    tokens.push_back({{line, units(bytes.first)}, units(bytes.second) - units(bytes.first)});
  }
  return tokens;
}

protocol::InactiveRegionsParams inactiveRegions(const Checked &checked,
                                                protocol::PositionEncoding encoding) {
  Places places(checked.document, encoding);
  protocol::InactiveRegionsParams params{checked.document.uri, checked.document.version, {}};
  for (const Range &range : checked.report.inactive)
    if (places.here(range))
      params.regions.push_back(places.range(range));
  return params;
}

} // namespace warpdrf::lsp
