// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last thread of a block has no right-hand neighbour and returns early, after it has filled its
// own cell. The others pass the barrier without it, which is allowed; but a thread that has left is
// no participant, so nothing orders its store before its neighbour's load. The cure: let it stay
// until the barrier.
//
// verdict: slopes = race(shared)
// verdict: slopesFixed = drf
__global__ void slopes(const float *x, float *dx) {
  __shared__ float cell[256];
  int t = threadIdx.x;
  cell[t] = x[blockIdx.x * 256 + t]; // FAULT race
  if (t == 255)
    return;
  __syncthreads();
  dx[blockIdx.x * 256 + t] = cell[t + 1] - cell[t]; // FAULT race
}

__global__ void slopesFixed(const float *x, float *dx) {
  __shared__ float cell[256];
  int t = threadIdx.x;
  cell[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  if (t == 255)
    return;
  dx[blockIdx.x * 256 + t] = cell[t + 1] - cell[t];
}

void launch(const float *x, float *dx, int rows) {
  slopes<<<rows, 256>>>(x, dx);
  slopesFixed<<<rows, 256>>>(x, dx);
}
