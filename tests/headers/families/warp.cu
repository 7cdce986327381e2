// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp primitives.
__global__ void warp(int *x, float *y, unsigned long long *z, double *w) {
  unsigned mask = __ballot_sync(0xffffffff, x[0] > 0);
  int sum = __shfl_sync(mask, x[1], 0) + __shfl_up_sync(mask, x[1], 1);
  y[0] = __shfl_down_sync(mask, y[1], 2, 16) + __shfl_xor_sync(mask, y[2], 4);
  z[0] = __shfl_xor_sync(mask, z[1], 1);
  w[0] = __shfl_down_sync(mask, w[1], 1);
  sum += __any_sync(mask, sum) + __all_sync(mask, sum) + __uni_sync(mask, sum);
  int same;
  sum += __match_any_sync(mask, z[2]) + __match_all_sync(mask, y[3], &same) + same;
  sum += __reduce_add_sync(mask, sum) + __reduce_max_sync(mask, 3u) + __reduce_xor_sync(mask, 1u);
  __syncwarp();
  __syncwarp(mask);
  x[2] = sum + __activemask();
}

void launch(int *x, float *y, unsigned long long *z, double *w) {
  warp<<<1, 32>>>(x, y, z, w);
}
