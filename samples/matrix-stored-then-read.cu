// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp multiplies two matrices and stores the product to shared memory to add a bias. A matrix
// store is one access by the whole warp: which lane writes which element nobody says. So a lane may
// read an element that another one has yet to write. The cure is a warp barrier after the store.
//
// verdict: biased = race(shared)
// verdict: biasedFixed = drf
#include <mma.h>
using namespace nvcuda;

__global__ void biased(const half *a, const half *b, const float *bias, float *out) {
  __shared__ float product[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a + blockIdx.x * 256, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(product, sum, 16, wmma::mem_row_major); // FAULT race
  for (int i = threadIdx.x; i < 256; i += 32)
    out[blockIdx.x * 256 + i] = product[i] + bias[i % 16]; // FAULT race
}

__global__ void biasedFixed(const half *a, const half *b, const float *bias, float *out) {
  __shared__ float product[256];
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a + blockIdx.x * 256, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(product, sum, 16, wmma::mem_row_major);
  __syncwarp();
  for (int i = threadIdx.x; i < 256; i += 32)
    out[blockIdx.x * 256 + i] = product[i] + bias[i % 16];
}

void launch(const half *a, const half *b, const float *bias, float *out) {
  biased<<<16, 32>>>(a, b, bias, out);
  biasedFixed<<<16, 32>>>(a, b, bias, out);
}
