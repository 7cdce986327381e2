// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram in shared memory: the threads clear it together and then count. Without a barrier in
// between, a slow warp clears what a fast one has already counted. That the counting is atomic does
// not help: the clearing is not.
//
// verdict: brightness = race(shared)
// verdict: brightnessFixed = drf
__global__ void brightness(const unsigned char *pixel, int n, unsigned *total) {
  __shared__ unsigned bin[256];
  bin[threadIdx.x] = 0; // FAULT race
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&bin[pixel[i]], 1); // FAULT race
  __syncthreads();
  atomicAdd(&total[threadIdx.x], bin[threadIdx.x]);
}

__global__ void brightnessFixed(const unsigned char *pixel, int n, unsigned *total) {
  __shared__ unsigned bin[256];
  bin[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&bin[pixel[i]], 1);
  __syncthreads();
  atomicAdd(&total[threadIdx.x], bin[threadIdx.x]);
}

void launch(const unsigned char *pixel, int n, unsigned *total) {
  brightness<<<64, 256>>>(pixel, n, total);
  brightnessFixed<<<64, 256>>>(pixel, n, total);
}
