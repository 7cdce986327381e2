// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mathematical library by its C, C++ and CUDA names, on the device and on the host.
#include <algorithm>
#include <cmath>
#include <math_constants.h>

template <class T>
__host__ __device__ T root(T x) {
  return std::sqrt(x) + sqrt(x);
}

__global__ void mathematics(float *x, double *y) {
  x[0] = sinf(x[1]) + cosf(x[2]) + expf(x[3]) + logf(x[4]) + powf(x[5], 2.f) + rsqrtf(x[6]);
  x[1] = std::exp(x[0]) + std::max(x[1], x[2]) + std::abs(x[3]) + fabsf(x[4]) + fmaxf(x[5], x[6]);
  x[2] = __expf(x[0]) + __fdividef(x[1], x[2]) + __fmaf_rn(x[3], x[4], x[5]) + __sinf(x[6]);
  x[3] = __int_as_float(__float_as_int(x[0])) + __float2int_rn(x[1]) + __uint2float_rz(3u);
  x[4] = CUDART_INF_F + INFINITY + erff(x[1]) + tanhf(x[2]) + normcdff(x[3]) + root(x[4]);
  x[5] = isnan(x[0]) + isinf(y[0]) + isfinite(x[1]) + signbit(x[2]) + truncf(x[3]) + pow(x[4], 2);
  float sine, cosine;
  sincosf(x[0], &sine, &cosine);
  __sincosf(x[1], &sine, &cosine);
  y[0] = sqrt(y[1]) + pow(y[2], y[3]) + fma(y[4], y[5], y[6]) + floor(y[7]) + __dadd_rn(y[8], y[9]);
  y[1] = sine + cosine + lgamma(y[0]) + root(y[1]) + exp(y[2]) + sqrt(2) + __hiloint2double(1, 2);
}

float host(float x) {
  return root(x) + expf(x) + std::pow(x, 2.f) + fmaxf(x, 1.f) + max(3, 4);
}
void launch(float *x, double *y) {
  mathematics<<<1, 32>>>(x, y);
}
