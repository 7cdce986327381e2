// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime API around a kernel.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <vector>

__device__ float scale;
__global__ void scaled(float *x) {
  x[threadIdx.x] *= scale;
}

#define CHECK(call)                                                                                \
  if (cudaError_t error = (call))                                                                  \
  std::printf("%s\n", cudaGetErrorString(error))

int main() {
  std::vector<float> host(256);
  float *x, factor = 2, elapsed;
  cudaDeviceProp properties;
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  CHECK(cudaMalloc(&x, 1024));
  CHECK(cudaMemset(x, 0, 1024));
  CHECK(cudaMemcpy(x, host.data(), 1024, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(scale, &factor, sizeof factor));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, stream));
  scaled<<<1, 256, 0, stream>>>(x);
  CHECK(cudaGetLastError());
  void *arguments[] = {&x};
  CHECK(cudaLaunchCooperativeKernel(scaled, dim3(1), dim3(256), arguments, 0, stream));
  CHECK(cudaLaunchKernel((void *)scaled, dim3(1), dim3(256), arguments, 0, stream));
  CHECK(cudaFuncSetAttribute(scaled, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  CHECK(cudaEventElapsedTime(&elapsed, start, stop));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  return properties.multiProcessorCount > 0 ? 0 : 1;
}
