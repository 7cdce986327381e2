// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread coordinates as terms. Coordinates are split into a part that is the same for a whole warp
// and the lane, so that `threadIdx.x / 32` is warp-uniform by construction and `threadIdx.x % 32`
// is the lane. Warp of a thread: (tx + ty·Dx + tz·Dx·Dy) / width.
#pragma once

#include "analysis/contract/check.h"
#include "analysis/contract/term.h"

#include <array>

namespace warpdrf::contract {

struct Coordinates {
  std::array<Term, 3> tid, bid, bdim, gdim;
  Term lane, warp;
  std::vector<Term>
      warpParts; ///< equal for two threads of a block exactly when they share the warp
  std::vector<Term>
      laneParts; ///< equal for two threads of a warp exactly when they are the same thread
  std::vector<Term> facts;     ///< hold for every launched thread
  bool sharesWarpAtoms = true; ///< warpParts are warp-uniform atoms (else they must be equated)
  bool completeWarps = false;  ///< every warp has all its lanes launched
  std::vector<std::string> assumptions; ///< names of those used
};

/// Which components of threadIdx/blockDim and blockIdx/gridDim the kernel reads.
struct DimensionsRead {
  std::array<bool, 3> block{}, grid{};
};

/// What a coordinate is for one lane of one warp; nothing: the atom is none, or that is not known.
std::optional<std::int64_t> coordinateAt(const Coordinates &coordinates, Term atom,
                                         std::optional<std::int64_t> warp, std::int64_t lane,
                                         std::int64_t width);

/// `bound` is `__launch_bounds__`' threads per block, if given: an upper bound only.
Coordinates makeCoordinates(TermPool &pool, const LaunchContext &context,
                            const DimensionsRead &read, std::optional<std::int64_t> bound,
                            const Options &options);

} // namespace warpdrf::contract
