// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers, fences, built-in variables, attributes, asserts and launches.
#include <assert.h>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>

__constant__ float table[16];
__device__ int counter;
__managed__ int seen;
extern __shared__ float dynamic[];

__device__ __forceinline__ int lane() {
  return threadIdx.x % warpSize;
}
__device__ __noinline__ int warp() {
  return threadIdx.x / warpSize;
}

__global__ void __launch_bounds__(256, 2) barriers(float *x, const __grid_constant__ int n) {
  __shared__ __align__(16) float tile[256];
  assert(n > 0);
  tile[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  int some = __syncthreads_or(tile[0] > 0) + __syncthreads_and(1) + __syncthreads_count(lane());
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  dim3 block = blockDim;
  uint3 thread = threadIdx;
  x[thread.y * block.x + gridDim.z] = table[warp()] + some + seen + counter;
  if (clock64() < 0 || clock() < 0)
    __trap();
  __nanosleep(10);
  printf("%d\n", some);
}

template <class T>
__global__ void filled(T *x, T value) {
  x[threadIdx.x] = value;
}

void launch(float *x, cudaStream_t stream) {
  barriers<<<dim3(4, 2), 256, 1024, stream>>>(x, 3);
  filled<float><<<1, 32>>>(x, 0.f);
}
