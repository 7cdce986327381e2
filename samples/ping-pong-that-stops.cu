// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smoothing with two buffers, one read, one written, so that one barrier a step is enough. But
// `next` is computed once, before the loop. The first step goes from buffer 0 to buffer 1; from the
// second on, buffer 1 is read and written in the same step. The cure is to compute it in every
// step.
//
// verdict: smooth = race(shared)
// verdict: smoothFixed = drf
__global__ void smooth(float *x, int steps) {
  __shared__ float row[2][258];
  int t = threadIdx.x + 1, now = 0, next = 1;
  row[0][t] = row[1][t] = x[blockIdx.x * 256 + t - 1];
  if (threadIdx.x == 0)
    row[0][0] = row[1][0] = row[0][257] = row[1][257] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    row[next][t] = (row[now][t - 1] + row[now][t + 1]) / 2; // FAULT race
    __syncthreads();
    now = next;
  }
  x[blockIdx.x * 256 + t - 1] = row[now][t];
}

__global__ void smoothFixed(float *x, int steps) {
  __shared__ float row[2][258];
  int t = threadIdx.x + 1, now = 0;
  row[0][t] = row[1][t] = x[blockIdx.x * 256 + t - 1];
  if (threadIdx.x == 0)
    row[0][0] = row[1][0] = row[0][257] = row[1][257] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    int next = now ^ 1;
    row[next][t] = (row[now][t - 1] + row[now][t + 1]) / 2;
    __syncthreads();
    now = next;
  }
  x[blockIdx.x * 256 + t - 1] = row[now][t];
}

void launch(float *x, int rows) {
  smooth<<<rows, 256>>>(x, 10);
  smoothFixed<<<rows, 256>>>(x, 10);
}
