// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and bfloat16: arithmetic by operator and by name, conversions, pairs, primitives.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(half *h, half2 *p, __nv_bfloat16 *b, __nv_bfloat162 *q, float *x) {
  __shared__ half tile[32];
  tile[threadIdx.x] = h[threadIdx.x] + h[0] * h[1];
  tile[0] += __float2half(x[0]);
  x[0] = __half2float(tile[0]) + static_cast<float>(h[2]) + float(b[0]);
  h[0] = __hfma(h[1], h[2], h[3]);
  h[1] = half(1.f);
  h[2] = 0;
  b[0] = __hadd(b[1], __float2bfloat16(2.f));
  b[1] = 1.5f;
  p[0] = __hfma2(p[1], p[2], __float2half2_rn(0.f)) + __floats2half2_rn(x[1], x[2]);
  q[0] = __hmul2(q[1], q[2]);
  p[1] = __shfl_xor_sync(0xffffffff, p[0], 1);
  h[3] = __shfl_down_sync(0xffffffff, h[4], 2);
  x[1] = __low2float(p[0]) + __half22float2(p[1]).y + __bfloat1622float2(q[0]).x;
  if (h[0] > h[1] && __hlt(b[0], b[1]))
    h[4] = hexp(__hmax(h[5], h[6]));
  h[5] = __ldg(h + 6);
  atomicAdd(p, __halves2half2(h[0], h[1]));
  x[2] = __half_as_ushort(h[7]) + __half2int_rn(h[8]) + sizeof(half2);
}

void launch(half *h, half2 *p, __nv_bfloat16 *b, __nv_bfloat162 *q, float *x) {
  x[0] = __half2float(__float2half(1.f));
  halves<<<1, 32>>>(h, p, b, q, x);
}
