// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of sixteen threads each reverse their part of a row through shared memory. They are smaller
// than a warp, "so they run in lockstep anyway": since Volta they need not. The cure is the tile's
// own barrier, which costs next to nothing.
//
// verdict: mirror = race(shared)
// verdict: mirrorFixed = drf
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void mirror(const float *x, float *y) {
  __shared__ float row[128];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int first = tile.meta_group_rank() * 16, rank = tile.thread_rank();
  row[first + rank] = x[blockIdx.x * 128 + threadIdx.x];      // FAULT race
  y[blockIdx.x * 128 + threadIdx.x] = row[first + 15 - rank]; // FAULT race
}

__global__ void mirrorFixed(const float *x, float *y) {
  __shared__ float row[128];
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int first = tile.meta_group_rank() * 16, rank = tile.thread_rank();
  row[first + rank] = x[blockIdx.x * 128 + threadIdx.x];
  tile.sync();
  y[blockIdx.x * 128 + threadIdx.x] = row[first + 15 - rank];
}

void launch(const float *x, float *y) {
  mirror<<<32, 128>>>(x, y);
  mirrorFixed<<<32, 128>>>(x, y);
}
