// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/contract/coordinates.h"

#include <algorithm>

namespace warpdrf::contract {

namespace {

constexpr std::array<std::int64_t, 3> kMaxBlock{1024, 1024, 64};
constexpr std::array<char, 3> kAxis{'x', 'y', 'z'};

class Builder {
public:
  Builder(TermPool &pool, const Options &options) : pool(pool), width(options.warpWidth) {}

  Term atom(const std::string &name, SymbolKind kind, Uniform uniform, Uniform givenLane,
            Interval range) {
    if (range.lo == range.hi)
      return pool.integer(range.lo);
    return pool.atom(pool.addSymbol({kind, name, uniform, givenLane, false, range}));
  }
  Term warpAtom(const std::string &name, std::int64_t count) {
    return atom(name, SymbolKind::Coordinate, Uniform::Warp, Uniform::Warp, {0, count - 1});
  }
  Term laneAtom(const std::string &name, std::int64_t count) {
    return atom(name, SymbolKind::Coordinate, Uniform::Thread, Uniform::Grid, {0, count - 1});
  }

  void knownBlock(Coordinates &c, std::int64_t dx, std::int64_t dy, std::int64_t dz);
  void boundProducts(Coordinates &c, std::int64_t bound, std::int64_t unit);
  void symbolicBlock(Coordinates &c, const std::array<std::optional<std::int64_t>, 3> &dims,
                     std::int64_t bound, bool wholeWarps);

private:
  TermPool &pool;
  std::int64_t width;
};

void Builder::knownBlock(Coordinates &c, std::int64_t dx, std::int64_t dy, std::int64_t dz) {
  c.completeWarps = dx * dy * dz % width == 0;
  if (dy == 1 && dz == 1) {
    c.lane = laneAtom("lane", std::min(width, dx));
    c.warp = warpAtom("warp", (dx + width - 1) / width);
    c.tid = {pool.add(pool.scale(c.warp, width), c.lane), pool.integer(0), pool.integer(0)};
    if (dx > width && dx % width) {
      pool.capSum(c.lane, c.warp, width, dx - 1);
      c.facts.push_back(pool.lt(c.tid[0], pool.integer(dx)));
    }
    c.warpParts = {c.warp};
    c.laneParts = {c.lane};
    return;
  }
  if (dx % width == 0) { // a warp lies in one row
    c.lane = laneAtom("lane", width);
    Term column = warpAtom("warp.x", dx / width);
    Term y = warpAtom("threadIdx.y", dy), z = warpAtom("threadIdx.z", dz);
    c.tid = {pool.add(pool.scale(column, width), c.lane), y, z};
    c.warp = pool.add(column, pool.scale(pool.add(y, pool.scale(z, dy)), dx / width));
    c.warpParts = {column, y, z};
    c.laneParts = {c.lane};
    return;
  }
  if (width % dx == 0 && dy % (width / dx) == 0) { // a warp covers whole rows
    std::int64_t rows = width / dx;
    Term x = laneAtom("threadIdx.x", dx), row = laneAtom("lane.row", rows);
    Term group = warpAtom("warp.y", dy / rows), z = warpAtom("threadIdx.z", dz);
    c.tid = {x, pool.add(pool.scale(group, rows), row), z};
    c.lane = pool.add(x, pool.scale(row, dx));
    c.warp = pool.add(group, pool.scale(z, dy / rows));
    c.warpParts = {group, z};
    c.laneParts = {x, row};
    return;
  }
  std::array<std::int64_t, 3> dims{dx, dy, dz};
  for (int axis = 0; axis < 3; ++axis)
    c.tid[axis] = atom(std::string("threadIdx.") + kAxis[axis], SymbolKind::Coordinate,
                       Uniform::Thread, Uniform::Thread, {0, dims[axis] - 1});
  Term linear =
      pool.add(c.tid[0], pool.add(pool.scale(c.tid[1], dx), pool.scale(c.tid[2], dx * dy)));
  c.lane = pool.mod(linear, pool.integer(width));
  c.warp = pool.div(linear, pool.integer(width));
  c.warpParts = {c.warp};
  c.laneParts = {c.tid[0], c.tid[1], c.tid[2]};
  c.sharesWarpAtoms = constantOf(c.warp).has_value();
}

/// A block has at most `bound` threads. Two dimensions at a time, linear: with m or more of one
/// there are at most bound / m of the other. `unit` divides the first dimension.
void Builder::boundProducts(Coordinates &c, std::int64_t bound, std::int64_t unit) {
  for (auto [i, k] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    if (constantOf(c.bdim[i]) == 1 || constantOf(c.bdim[k]) == 1)
      continue;
    std::int64_t step = i == 0 ? unit : 1, most = bound / step;
    for (std::int64_t m = 2 * step; m <= bound; m += step)
      if (bound / m < most) {
        most = bound / m;
        c.facts.push_back(
            pool.disj(pool.lt(c.bdim[i], pool.integer(m)), pool.le(c.bdim[k], pool.integer(most))));
      }
  }
}

void Builder::symbolicBlock(Coordinates &c, const std::array<std::optional<std::int64_t>, 3> &dims,
                            std::int64_t bound, bool wholeWarps) {
  c.lane = laneAtom("lane", width);
  std::int64_t maxColumns = std::max<std::int64_t>(1, (dims[0] ? *dims[0] : bound) / width);
  Term column = warpAtom("warp.x", maxColumns);
  if (dims[0]) {
    c.bdim[0] = pool.integer(*dims[0]);
  } else if (wholeWarps) {
    Term columns = atom("blockDim.x/" + std::to_string(width), SymbolKind::Launch, Uniform::Grid,
                        Uniform::Grid, {1, maxColumns});
    pool.bound(column, columns);
    c.bdim[0] = pool.scale(columns, width);
    c.facts.push_back(pool.lt(column, columns));
    c.assumptions.push_back("whole warps");
    c.completeWarps = true;
  } else {
    c.bdim[0] = atom("blockDim.x", SymbolKind::Launch, Uniform::Grid, Uniform::Grid, {1, bound});
  }
  c.tid[0] = pool.add(pool.scale(column, width), c.lane);
  if (!wholeWarps || dims[0])
    c.facts.push_back(pool.lt(c.tid[0], c.bdim[0]));
  c.warpParts = {column};
  Term row = pool.integer(0), rows = pool.integer(1);
  for (int axis : {1, 2}) {
    std::int64_t columns = dims[0].value_or(wholeWarps ? width : 1);
    std::int64_t most = std::max<std::int64_t>(1, std::min(kMaxBlock[axis], bound / columns));
    c.bdim[axis] = dims[axis] ? pool.integer(*dims[axis])
                              : atom(std::string("blockDim.") + kAxis[axis], SymbolKind::Launch,
                                     Uniform::Grid, Uniform::Grid, {1, most});
    c.tid[axis] = warpAtom(std::string("threadIdx.") + kAxis[axis], dims[axis].value_or(most));
    pool.bound(c.tid[axis], c.bdim[axis]);
    c.facts.push_back(pool.lt(c.tid[axis], c.bdim[axis]));
    c.warpParts.push_back(c.tid[axis]);
    row = pool.add(row, pool.mul(c.tid[axis], rows));
    rows = pool.mul(rows, c.bdim[axis]);
  }
  boundProducts(c, bound, wholeWarps && !dims[0] ? width : 1);
  c.warp = pool.add(column, pool.mul(row, pool.div(c.bdim[0], pool.integer(width))));
  c.laneParts = {c.lane};
}

} // namespace

Coordinates makeCoordinates(TermPool &pool, const LaunchContext &context,
                            const DimensionsRead &read, std::optional<std::int64_t> bound,
                            const Options &options) {
  Coordinates c;
  Builder builder(pool, options);
  auto dims = context.block;
  bool known = dims[0].has_value();
  for (int axis : {1, 2}) {
    if (!dims[axis] && !read.block[axis]) {
      dims[axis] = 1; // assumption "dimensions"
      c.assumptions.push_back("dimensions");
    }
    known &= dims[axis].has_value();
  }
  if (known) {
    for (int axis = 0; axis < 3; ++axis)
      c.bdim[axis] = pool.integer(*dims[axis]);
    builder.knownBlock(c, *dims[0], *dims[1], *dims[2]);
  } else {
    const std::int64_t most = std::min<std::int64_t>(bound.value_or(1024), 1024);
    const std::int64_t least = options.warpWidth * dims[1].value_or(1) * dims[2].value_or(1);
    bool wholeWarps = !options.assumptionsOff.contains("whole warps") && least <= most;
    builder.symbolicBlock(c, dims, most, wholeWarps);
  }
  for (int axis = 0; axis < 3; ++axis) {
    auto extent = context.grid[axis];
    if (!extent && axis > 0 && !read.grid[axis]) {
      extent = 1;
      c.assumptions.push_back("dimensions");
    }
    std::string suffix = std::string(".") + kAxis[axis];
    std::int64_t most = axis == 0 ? 2147483647 : 65535;
    c.gdim[axis] = extent ? pool.integer(*extent)
                          : builder.atom("gridDim" + suffix, SymbolKind::Launch, Uniform::Grid,
                                         Uniform::Grid, {1, most});
    c.bid[axis] = builder.atom("blockIdx" + suffix, SymbolKind::Coordinate, Uniform::Block,
                               Uniform::Block, {0, extent.value_or(most) - 1});
    if (!extent) {
      pool.bound(c.bid[axis], c.gdim[axis]);
      c.facts.push_back(pool.lt(c.bid[axis], c.gdim[axis]));
    }
  }
  return c;
}

std::optional<std::int64_t> coordinateAt(const Coordinates &c, Term atom,
                                         std::optional<std::int64_t> warp, std::int64_t lane,
                                         std::int64_t width) {
  if (atom == c.warpParts[0])
    return warp;
  auto part = std::ranges::find(c.laneParts, atom);
  if (part == c.laneParts.end())
    return std::nullopt;
  if (c.laneParts.size() == 1)
    return lane;
  std::int64_t columns = *constantOf(c.bdim[0]), which = part - c.laneParts.begin();
  if (c.laneParts.size() == 2) // a warp covers whole rows
    return which == 0 ? lane % columns : lane / columns;
  std::int64_t thread = *warp * width + lane, rows = *constantOf(c.bdim[1]);
  return which == 0   ? thread % columns
         : which == 1 ? thread / columns % rows
                      : thread / columns / rows;
}

} // namespace warpdrf::contract
