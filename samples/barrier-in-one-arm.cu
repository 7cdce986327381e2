// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree that halves the number of working threads each round. "Only those who work need to wait",
// so the barrier went into the branch; but a barrier of the block waits for every thread that has
// not left the kernel. The cure is one closing brace further up.
//
// verdict: largest = divergent-barrier
// verdict: largestFixed = drf
__global__ void largest(const float *x, float *out) {
  __shared__ float best[256];
  int t = threadIdx.x;
  best[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) {
      best[t] = fmaxf(best[t], best[t + half]);
      __syncthreads(); // FAULT divergence
    }
  }
  if (t == 0)
    out[blockIdx.x] = best[0];
}

__global__ void largestFixed(const float *x, float *out) {
  __shared__ float best[256];
  int t = threadIdx.x;
  best[t] = x[blockIdx.x * 256 + t];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half)
      best[t] = fmaxf(best[t], best[t + half]);
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = best[0];
}

void launch(const float *x, float *out, int rows) {
  largest<<<rows, 256>>>(x, out);
  largestFixed<<<rows, 256>>>(x, out);
}
