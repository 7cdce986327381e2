// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/sites.h"

#include "analysis/contract/execute.h"
#include "analysis/contract/masks.h"

namespace warpdrf::contract {

namespace {

/// Lanes of a warp that take part, where only the lane index decides.
std::optional<std::uint32_t> lanesOf(CheckContext &context, const Event &event) {
  TermPool &pool = context.pool;
  if (context.options.warpWidth != 32 || context.coordinates.laneParts.size() != 1)
    return std::nullopt;
  Term lane = context.coordinates.laneParts[0];
  Term runs = pool.conj(event.path);
  std::uint32_t lanes = 0;
  for (int i = 0; i < 32; ++i) {
    std::unordered_map<Term, Term> memo;
    Term here = pool.rewrite(runs, memo, [&](Term atom, std::span<const Term>) -> Term {
      return atom == lane ? pool.integer(i) : nullptr;
    });
    if (pool.isTrue(here) || (!pool.isFalse(here) && here->uniform >= Uniform::Warp))
      lanes |= std::uint32_t{1} << i; // runs whenever the warp does
    else if (!pool.isFalse(here))
      return std::nullopt;
  }
  return lanes;
}

std::string inWords(std::optional<std::uint32_t> lanes) {
  if (!lanes)
    return "unknown: decided by values that differ between lanes";
  if (*lanes == 0xffffffffu)
    return "all lanes of the warp";
  std::string text;
  for (int i = 0; i < 32; ++i) {
    if (!(*lanes >> i & 1))
      continue;
    int end = i;
    while (end < 31 && (*lanes >> (end + 1) & 1))
      ++end;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(i) + (end > i ? "–" + std::to_string(end) : "");
    i = end;
  }
  return text.empty() ? "nobody" : "lanes " + text;
}

SyncSite describe(CheckContext &context, const Event &event) {
  SyncSite site;
  site.name = event.name;
  site.range = event.range;
  if (event.kind == Event::Kind::Barrier) {
    site.kind = event.scope >= ir::SyncScope::Grid ? SyncSite::Kind::GridBarrier
                                                   : SyncSite::Kind::BlockBarrier;
    site.ordersMemory = true;
    const std::string group =
        site.kind == SyncSite::Kind::GridBarrier ? "of the grid" : "of the block";
    site.requires_ = site.kind == SyncSite::Kind::GridBarrier
                         ? "every thread of the grid, at this call"
                         : "every thread of the block that has not left the kernel, at this call";
    site.participants =
        (context.violated.contains(&event) ? "not every thread " : "all threads ") + group;
  } else {
    auto op = llvm::cast<ir::PrimitiveOp>(event.op);
    bool barrier = event.isWarpBarrier();
    site.kind = barrier ? SyncSite::Kind::WarpBarrier : SyncSite::Kind::Collective;
    site.ordersMemory = barrier;
    site.requires_ = isFullMask(event.mask, context.options.warpWidth)
                         ? "the complete warp"
                         : "the lanes its mask names, each passing the same mask";
    site.lanes = lanesOf(context, event);
    if (!site.lanes && !context.violated.contains(&event) &&
        isFullMask(event.mask, context.options.warpWidth))
      site.lanes = 0xffffffffu; // proved: whoever arrives, arrives with the whole warp
    site.participants = inWords(site.lanes);
  }
  for (mlir::Operation *op = event.op->getParentOp(); op; op = op->getParentOp())
    if (llvm::isa<ir::IfOp, ir::SwitchOp, ir::LoopOp>(op))
      site.branches.push_back({Related::Role::Branch, "decides who arrives", rangeOf(op)});
  return site;
}

} // namespace

void describeSites(CheckContext &context, std::vector<SyncSite> &sites) {
  std::set<std::pair<Range, std::string>> seen;
  for (const SyncSite &site : sites)
    seen.emplace(site.range, site.name);
  for (const Event &event : context.trace.events)
    if (event.kind == Event::Kind::Primitive || event.kind == Event::Kind::Barrier)
      if (seen.emplace(event.range, event.name).second)
        sites.push_back(describe(context, event));
}

void findDivergentCode(CheckContext &context, std::vector<Range> &out) {
  // In each block of the code, from the first to the last thing that not the whole warp does: what
  // lies in front of an early return is common to all.
  std::map<std::pair<mlir::Block *, std::string>, Range> found;
  for (const Event &event : context.trace.events) {
    if (event.kind == Event::Kind::Exit || !event.range.valid() ||
        context.pool.conj(event.path)->uniform >= Uniform::Warp)
      continue;
    Range &range =
        found.try_emplace({event.op->getBlock(), event.range.file}, event.range).first->second;
    range.begin = std::min(range.begin, event.range.begin);
    range.end = std::max(range.end, event.range.end);
  }
  for (auto &[place, range] : found)
    if (std::find(out.begin(), out.end(), range) == out.end())
      out.push_back(std::move(range));
  std::sort(out.begin(), out.end()); // the blocks' addresses are no order
}

} // namespace warpdrf::contract
