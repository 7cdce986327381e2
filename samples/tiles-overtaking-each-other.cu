// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices, tile by tile. The barrier after loading is there; the one after using the
// tiles is not, so a fast warp loads the next tiles over the ones a slow warp is still using.
//
// verdict: multiply = race(shared)
// verdict: multiplyFixed = drf
__global__ void multiply(const float *a, const float *b, float *c, int tiles) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y, width = tiles * 16;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    left[y][x] = a[row * width + tile * 16 + x];       // FAULT race
    right[y][x] = b[(tile * 16 + y) * width + column]; // FAULT race
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[k][x]; // FAULT race
  }
  c[row * width + column] = sum;
}

__global__ void multiplyFixed(const float *a, const float *b, float *c, int tiles) {
  __shared__ float left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y, width = tiles * 16;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    left[y][x] = a[row * width + tile * 16 + x];
    right[y][x] = b[(tile * 16 + y) * width + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}

void launch(const float *a, const float *b, float *c) {
  multiply<<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, 8);
  multiplyFixed<<<dim3(8, 8), dim3(16, 16)>>>(a, b, c, 8);
}
