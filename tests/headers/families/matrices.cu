// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp matrix operations.
#include <mma.h>
using namespace nvcuda;

__global__ void matrices(const half *a, const half *b, float *c, const float *t,
                         const signed char *s, int *i) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int k = 0; k < fc.num_elements; ++k)
    fc.x[k] *= 2.0f;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);

  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> ft;
  wmma::load_matrix_sync(ft, t, 8);
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fs;
  wmma::load_matrix_sync(fs, s, 16);
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fi;
  wmma::load_matrix_sync(fi, i, 16, wmma::mem_col_major);
}

void launch(const half *a, const half *b, float *c, const float *t, const signed char *s, int *i) {
  matrices<<<1, 32>>>(a, b, c, t, s, i);
}
