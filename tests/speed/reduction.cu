// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of each block's numbers by a tree in shared memory; its twin is reduction.cl.
__global__ void reduce(const float *in, float *out) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
