// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every block leaves its share in memory and draws a ticket; whoever draws the last one adds up the
// shares. But a ticket alone does not publish a share: without a fence before it, the last block
// may draw its ticket and still read an old value.
//
// verdict: total = race(global)
// verdict: totalFixed = drf
__global__ void total(const float *x, float *share, unsigned *tickets, float *sum) {
  float mine = x[blockIdx.x * 32 + threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2)
    mine += __shfl_xor_sync(0xffffffff, mine, lanes);
  if (threadIdx.x == 0) {
    share[blockIdx.x] = mine; // FAULT race
    if (atomicAdd(tickets, 1) == gridDim.x - 1) {
      __threadfence();
      float all = 0;
      for (int b = 0; b < gridDim.x; ++b)
        all += share[b]; // FAULT race
      *sum = all;
    }
  }
}

__global__ void totalFixed(const float *x, float *share, unsigned *tickets, float *sum) {
  float mine = x[blockIdx.x * 32 + threadIdx.x];
  for (int lanes = 16; lanes > 0; lanes /= 2)
    mine += __shfl_xor_sync(0xffffffff, mine, lanes);
  if (threadIdx.x == 0) {
    share[blockIdx.x] = mine;
    __threadfence();
    if (atomicAdd(tickets, 1) == gridDim.x - 1) {
      __threadfence();
      float all = 0;
      for (int b = 0; b < gridDim.x; ++b)
        all += share[b];
      *sum = all;
    }
  }
}

void launch(const float *x, float *share, unsigned *tickets, float *sum) {
  total<<<128, 32>>>(x, share, tickets, sum);
  totalFixed<<<128, 32>>>(x, share, tickets, sum);
}
