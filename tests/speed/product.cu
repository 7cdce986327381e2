// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two square matrices, tile by tile; its twin is product.cl.
constexpr int tile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float s[tile][tile], u[tile][tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int i = 0; i < n; i += tile) {
    s[y][x] = a[row * n + i + x];
    u[y][x] = b[(i + y) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += s[y][k] * u[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
