// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp 0 finds the largest value of a row, one thread publishes it, and everybody divides by it. A
// warp barrier stands between, but the readers are eight warps: the narrowest barrier that reaches
// them is the block's.
//
// verdict: normalise = race(shared)
// verdict: normaliseFixed = drf
__device__ float rowMaximum(const float *row) {
  float most = 0;
  for (int i = threadIdx.x % 32; i < 256; i += 32)
    most = fmaxf(most, row[i]);
  for (int lanes = 16; lanes > 0; lanes /= 2)
    most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, lanes));
  return most;
}

__global__ void normalise(const float *x, float *y) {
  __shared__ float factor;
  const float *row = x + blockIdx.x * 256;
  if (threadIdx.x < 32) {
    float most = rowMaximum(row);
    if (threadIdx.x == 0)
      factor = 1 / most; // FAULT race
  }
  __syncwarp();
  y[blockIdx.x * 256 + threadIdx.x] = row[threadIdx.x] * factor; // FAULT race
}

__global__ void normaliseFixed(const float *x, float *y) {
  __shared__ float factor;
  const float *row = x + blockIdx.x * 256;
  if (threadIdx.x < 32) {
    float most = rowMaximum(row);
    if (threadIdx.x == 0)
      factor = 1 / most;
  }
  __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = row[threadIdx.x] * factor;
}

void launch(const float *x, float *y, int rows) {
  normalise<<<rows, 256>>>(x, y);
  normaliseFixed<<<rows, 256>>>(x, y);
}
