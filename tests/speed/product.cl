// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product of two square matrices, tile by tile; its twin is product.cu.
#define TILE 16

kernel void multiply(global const float *a, global const float *b, global float *c, int n) {
  local float s[TILE][TILE], u[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int row = get_group_id(1) * TILE + y, column = get_group_id(0) * TILE + x;
  float sum = 0;
  for (int i = 0; i < n; i += TILE) {
    s[y][x] = a[row * n + i + x];
    u[y][x] = b[(i + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      sum += s[y][k] * u[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
