// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/symbols.h"

#include "server/lsp/describe.h"
#include "server/lsp/kernels.h"

#include <algorithm>

namespace warpdrf::lsp {

using protocol::DocumentSymbol;
using protocol::SymbolKind;

static DocumentSymbol symbolOf(const Site &site, Places &places) {
  DocumentSymbol symbol;
  symbol.name = site.site->name;
  symbol.detail = site.agreed ? site.site->participants : "differs between instantiations";
  symbol.kind =
      site.site->kind == SyncSite::Kind::Collective ? SymbolKind::Operator : SymbolKind::Event;
  symbol.range = symbol.selectionRange = places.range(site.site->range);
  return symbol;
}

static DocumentSymbol symbolOf(const Instances &instances, const std::vector<Site> &sites,
                               Places &places) {
  const KernelReport &kernel = *instances[0];
  DocumentSymbol symbol;
  symbol.name = kernel.name;
  symbol.detail = verdictInWords(instances);
  symbol.selectionRange = places.range(kernel.range);
  const bool known = kernel.extent.encloses(kernel.range);
  symbol.range = known ? places.range(kernel.extent) : symbol.selectionRange;
  for (const Site &site : sites)
    if (known && kernel.extent.encloses(site.site->range))
      symbol.children.push_back(symbolOf(site, places));
  return symbol;
}

static DocumentSymbol symbolOf(const DeviceFunction &function, Places &places) {
  DocumentSymbol symbol;
  symbol.name = function.name;
  symbol.detail = requirement(function);
  symbol.range = symbol.selectionRange = places.range(function.range);
  return symbol;
}

std::vector<DocumentSymbol> symbolsOf(const Checked &checked, protocol::PositionEncoding encoding) {
  Places places(checked.document, encoding);
  const std::vector<Site> sites = sitesHere(checked.report, places);
  std::vector<DocumentSymbol> symbols;
  for (const Instances &instances : kernelsHere(checked.report, places))
    symbols.push_back(symbolOf(instances, sites, places));
  for (const DeviceFunction &function : checked.report.functions)
    if (places.here(function.range) && !requirement(function).empty())
      symbols.push_back(symbolOf(function, places));
  std::ranges::stable_sort(symbols, {}, &DocumentSymbol::selectionRange);
  return symbols;
}

} // namespace warpdrf::lsp
