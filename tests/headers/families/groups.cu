// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__device__ float tree(cg::thread_group group, float *scratch, float value) {
  int rank = group.thread_rank();
  for (int half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half)
      value += scratch[rank + half];
    group.sync();
  }
  return value;
}

template <class Tile>
__device__ float butterfly(Tile tile, float value) {
  for (int lanes = tile.size() / 2; lanes > 0; lanes /= 2)
    value += tile.shfl_xor(value, lanes);
  return value;
}

__global__ void groups(float *x) {
  __shared__ float scratch[256];
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  auto quad = cg::tiled_partition<4>(warp);
  x[grid.thread_rank()] = tree(block, scratch, x[0]) + butterfly(warp, x[1]);
  x[1] = cg::reduce(warp, x[1], cg::plus<float>()) + cg::reduce(quad, 3, cg::greater<int>());
  x[2] = cg::inclusive_scan(quad, x[3], cg::plus<float>()) + cg::exclusive_scan(warp, 1);
  x[3] = quad.any(1) + quad.all(1) + warp.ballot(0) + warp.match_any(3) + warp.shfl(x[4], 0);
  auto together = cg::coalesced_threads();
  if (together.thread_rank() == 0)
    x[4] = together.size() + together.shfl(x[5], 0);
  cg::memcpy_async(block, scratch, x, sizeof(float) * 32);
  cg::wait(block);
  x[5] = block.group_index().x + block.thread_index().y + warp.meta_group_rank();
  quad.sync();
  warp.sync();
  cg::sync(block);
  grid.sync();
}

void launch(float *x) {
  groups<<<8, 256>>>(x);
}
