// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instantiations of a template share their source: what is the same for several of them is said
// once.
#include "server/lsp/describe.h"

#include "analysis/report/names.h"

#include <cstdio>
#include <set>

namespace warpdrf::lsp {

/// More than this many different answers for one place do not help anybody.
static constexpr std::size_t maximalVariants = 4;
static constexpr std::size_t maximalPairs = 8;

static bool covers(const Range &range, const std::string &file, Position position) {
  return range.valid() && range.file == file && range.begin <= position && position <= range.end;
}

static std::string placeName(const Range &range, const std::string &file) {
  std::string line = "line " + std::to_string(range.begin.line);
  return range.file == file ? line : range.file.substr(range.file.rfind('/') + 1) + " " + line;
}

static constexpr std::uint32_t completeWarp = 0xffffffffu;

/// The warp as a row of 32 cells, those that take part filled.
static std::string lanesRow(std::uint32_t lanes) {
  std::string row;
  for (int lane = 0; lane < 32; ++lane)
    row += lanes >> lane & 1 ? "█" : "░";
  return row;
}

/// Who arrives, and what the configurations make of it: whether they guarantee that these lanes
/// take part together.
static std::string configurationRows(std::uint32_t lanes) {
  const std::string row = lanesRow(lanes);
  std::string out = "lane 0       8       16      24     31\n";
  if (lanes == completeWarp)
    return out + "     " + row + "  guaranteed by cuda, smr, fmr";
  const std::string nobody = lanesRow(0);
  out += "     " + row + "  arrive\n";
  out += "cuda " + nobody + "  the contract is for the complete warp only\n";
  out += "smr  " + row + "  but for cases of a switch that several selectors reach\n";
  return out + "fmr  " + row + "  guaranteed";
}

static const char *kindName(SyncSite::Kind kind) {
  switch (kind) {
  case SyncSite::Kind::Collective:
    return "warp collective";
  case SyncSite::Kind::WarpBarrier:
    return "warp barrier";
  case SyncSite::Kind::BlockBarrier:
    return "block barrier";
  case SyncSite::Kind::GridBarrier:
    return "grid barrier";
  }
  return "";
}

/// Says nothing without pairs: nobody may have looked for them.
static void describePairs(const SyncSite &site, const LinkTo &linkTo, Markup &out) {
  if (!site.ordersMemory || site.kind == SyncSite::Kind::Collective)
    return;
  if (site.orders.empty())
    return;
  out.paragraph().text("Only this barrier orders:");
  std::size_t shown = 0;
  for (const auto &[first, second] : site.orders) {
    if (shown++ == maximalPairs) {
      out.bullet().text("and " + std::to_string(site.orders.size() - maximalPairs) + " more");
      break;
    }
    out.bullet()
        .link(placeName(first, site.range.file), linkTo(first))
        .text(" and ")
        .link(placeName(second, site.range.file), linkTo(second));
  }
}

static Markup describeSite(const SyncSite &site, const LinkTo &linkTo) {
  Markup out;
  out.paragraph().code(site.name).text(std::string(": ") + kindName(site.kind));
  if (!site.participants.empty())
    out.paragraph().text("takes part: ").strong(site.participants);
  if (site.lanes)
    out.codeBlock(configurationRows(*site.lanes));
  if (!site.requires_.empty())
    out.bullet().text("must take part (req): " + site.requires_);
  out.bullet().text(site.ordersMemory ? "orders memory among its participants (ord)"
                                      : "exchanges registers only; orders no memory (ord: none)");
  for (const Related &branch : site.branches)
    out.bullet()
        .link(placeName(branch.range, site.range.file), linkTo(branch.range))
        .text(": " + branch.message);
  describePairs(site, linkTo, out);
  return out;
}

static std::string dimensions(const std::array<std::optional<std::int64_t>, 3> &dims) {
  std::string out = "(";
  for (std::size_t i = 0; i < dims.size(); ++i)
    out += (i ? "," : "") + (dims[i] ? std::to_string(*dims[i]) : std::string("*"));
  return out + ")";
}

static Markup describeKernel(const KernelReport &kernel, const FileReport &report) {
  Markup out;
  out.paragraph()
      .code(kernel.instantiation.empty() ? kernel.name : kernel.instantiation)
      .text(": ")
      .strong(name(kernel.verdict));
  out.paragraph().text("memory " + std::string(name(kernel.memory)) + ", participation " +
                       std::string(name(kernel.participation)) +
                       (kernel.portable ? ", portable" : ", not portable"));
  if (!kernel.reason.empty())
    out.paragraph().text(kernel.reason);
  for (const LaunchDims &launch : kernel.launches)
    out.bullet()
        .text("launch ")
        .code("block=" + dimensions(launch.block) + " grid=" + dimensions(launch.grid))
        .text(" from " + launch.source + ": " + std::string(name(launch.verdict)));
  if (!report.arch.empty())
    out.bullet()
        .text("device code for ")
        .code(report.arch)
        .text(", compiled as " + report.commandSource + " says");
  for (const std::string &assumption : kernel.assumptions)
    out.bullet().text("assumes: " + assumption);
  char cost[96];
  std::snprintf(cost, sizeof cost, "%u primitives, %u accesses, checked in %.1f ms",
                kernel.primitives, kernel.accesses, kernel.timeMs);
  out.paragraph().text(cost);
  return out;
}

static const char *whoConverges(DeviceFunction::Converged whom) {
  switch (whom) {
  case DeviceFunction::Converged::Nobody:
    return "";
  case DeviceFunction::Converged::Mask:
    return "the lanes that the masks in it name must call it together";
  case DeviceFunction::Converged::Warp:
    return "requires converged(warp)";
  case DeviceFunction::Converged::Block:
    return "requires converged(block)";
  case DeviceFunction::Converged::Grid:
    return "requires converged(grid)";
  }
  return "";
}

std::string requirement(const DeviceFunction &function) {
  return function.declared.empty() ? whoConverges(function.inferred)
                                   : "requires " + function.declared;
}

static Markup describeFunction(const DeviceFunction &function, const LinkTo &linkTo) {
  Markup out;
  out.paragraph().code(function.name).text(": ");
  const char *inferred = whoConverges(function.inferred);
  if (!function.declared.empty())
    out.strong("requires " + function.declared).text(" (declared)");
  else if (*inferred)
    out.strong(inferred).text(" (inferred)");
  else
    out.text("no primitive or barrier in it: its callers need not be converged");
  if (!function.declared.empty() && *inferred)
    out.bullet().text(std::string("inferred: ") + inferred);
  std::size_t shown = 0;
  for (const Related &reason : function.because) {
    if (shown++ == maximalPairs) {
      out.bullet().text("and " + std::to_string(function.because.size() - maximalPairs) + " more");
      break;
    }
    out.bullet()
        .link(placeName(reason.range, function.range.file), linkTo(reason.range))
        .text(": ")
        .code(reason.message);
  }
  return out;
}

/// Collects the distinct descriptions of one place, printed, each with its range.
class Variants {
public:
  void add(const Range &range, Markup text) {
    if (!this->range.valid() || range < this->range)
      this->range = range;
    if (seen.insert(text.print(false)).second)
      texts.push_back(std::move(text));
  }

  std::optional<Description> join() {
    if (texts.empty())
      return std::nullopt;
    Description out{range, {}};
    for (std::size_t i = 0; i < texts.size() && i < maximalVariants; ++i) {
      if (i > 0)
        out.text.rule();
      out.text.append(texts[i]);
    }
    if (texts.size() > maximalVariants)
      out.text.rule().paragraph().text("and " + std::to_string(texts.size() - maximalVariants) +
                                       " more instantiations that differ");
    return out;
  }

private:
  Range range;
  std::set<std::string> seen;
  std::vector<Markup> texts;
};

std::optional<Description> describe(const FileReport &report, const std::string &file,
                                    Position position, const LinkTo &linkTo) {
  Variants sites, kernels, functions;
  for (const KernelReport &kernel : report.kernels) {
    if (covers(kernel.range, file, position))
      kernels.add(kernel.range, describeKernel(kernel, report));
    for (const SyncSite &site : kernel.sites)
      if (covers(site.range, file, position))
        sites.add(site.range, describeSite(site, linkTo));
  }
  for (const DeviceFunction &function : report.functions)
    if (covers(function.range, file, position))
      functions.add(function.range, describeFunction(function, linkTo));
  for (Variants *each : {&sites, &kernels, &functions})
    if (auto found = each->join())
      return found;
  return std::nullopt;
}

} // namespace warpdrf::lsp
