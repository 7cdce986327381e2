// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/lsp/hints.h"

#include "server/lsp/kernels.h"

namespace warpdrf::lsp {

using protocol::InlayHint;

static InlayHint hintOf(const Site &site, Places &places) {
  InlayHint hint;
  hint.position = places.range(site.site->range).end;
  const bool warp = site.site->kind == SyncSite::Kind::Collective ||
                    site.site->kind == SyncSite::Kind::WarpBarrier;
  if (!site.agreed)
    hint.label = "differs";
  else if (warp && !site.site->lanes)
    hint.label = "some lanes";
  else
    hint.label = site.site->participants;
  hint.tooltip =
      site.site->name + ": " +
      (site.agreed ? site.site->participants : "who takes part differs between instantiations");
  if (!site.site->requires_.empty())
    hint.tooltip += "\nmust take part: " + site.site->requires_;
  return hint;
}

std::vector<InlayHint> hintsOf(const Checked &checked, const protocol::Range &range,
                               protocol::PositionEncoding encoding) {
  Places places(checked.document, encoding);
  std::vector<InlayHint> hints;
  for (const Site &site : sitesHere(checked.report, places)) {
    if (site.agreed && !isPartial(*site.site))
      continue;
    InlayHint hint = hintOf(site, places);
    if (range.start <= hint.position && hint.position <= range.end)
      hints.push_back(std::move(hint));
  }
  return hints;
}

} // namespace warpdrf::lsp
