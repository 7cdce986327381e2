// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transpose through a shared tile: what a thread stores row by row, other warps load column by
// column. Between the two belongs a barrier of the block. On the diagonal nothing goes wrong, which
// is why the first test, on a 1 x 1 matrix, passed.
//
// verdict: transpose = race(shared)
// verdict: transposeFixed = drf
__global__ void transpose(const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * 1024 + x + threadIdx.x];  // FAULT race
  out[(x + threadIdx.y) * 1024 + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y]; // FAULT race
}

__global__ void transposeFixed(const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  tile[threadIdx.y][threadIdx.x] = in[(y + threadIdx.y) * 1024 + x + threadIdx.x];
  __syncthreads();
  out[(x + threadIdx.y) * 1024 + y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

void launch(const float *in, float *out) {
  transpose<<<dim3(32, 32), dim3(32, 32)>>>(in, out);
  transposeFixed<<<dim3(32, 32), dim3(32, 32)>>>(in, out);
}
