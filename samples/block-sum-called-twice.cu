// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block sum is right when it is called once. Called twice, the first warp to return from the
// first call overwrites the scratch array while a slower warp still adds up the old values. Only
// the helper can cure that, with a barrier after its reads.
//
// verdict: meanAndSpread = race(shared)
// verdict: meanAndSpreadFixed = drf
__device__ float warpSum(float v) {
  for (int lanes = 16; lanes > 0; lanes /= 2)
    v += __shfl_xor_sync(0xffffffff, v, lanes);
  return v;
}

__device__ float blockSum(float v, float *scratch) {
  v = warpSum(v);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = v; // FAULT race
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < 8; ++w)
    sum += scratch[w]; // FAULT race
  return sum;
}

__device__ float blockSumFixed(float v, float *scratch) {
  v = warpSum(v);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = v;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < 8; ++w)
    sum += scratch[w];
  __syncthreads();
  return sum;
}

__global__ void meanAndSpread(const float *x, float2 *out) {
  __shared__ float scratch[8];
  float v = x[blockIdx.x * 256 + threadIdx.x];
  float mean = blockSum(v, scratch) / 256;
  float spread = blockSum((v - mean) * (v - mean), scratch) / 256;
  if (threadIdx.x == 0)
    out[blockIdx.x] = make_float2(mean, spread);
}

__global__ void meanAndSpreadFixed(const float *x, float2 *out) {
  __shared__ float scratch[8];
  float v = x[blockIdx.x * 256 + threadIdx.x];
  float mean = blockSumFixed(v, scratch) / 256;
  float spread = blockSumFixed((v - mean) * (v - mean), scratch) / 256;
  if (threadIdx.x == 0)
    out[blockIdx.x] = make_float2(mean, spread);
}

void launch(const float *x, float2 *out, int rows) {
  meanAndSpread<<<rows, 256>>>(x, out);
  meanAndSpreadFixed<<<rows, 256>>>(x, out);
}
