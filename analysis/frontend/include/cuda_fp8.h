// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 8-bit floating-point types, single and packed, and their conversions.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };

#define WARPDRF_FP8(name)                                                                          \
  struct name {                                                                                    \
    __nv_fp8_storage_t __x;                                                                        \
    name() = default;                                                                              \
    __host__ __device__ explicit name(float x);                                                    \
    __host__ __device__ explicit name(double x);                                                   \
    __host__ __device__ explicit name(int x);                                                      \
    __host__ __device__ explicit name(unsigned int x);                                             \
    __host__ __device__ explicit name(__half x);                                                   \
    __host__ __device__ explicit name(__nv_bfloat16 x);                                            \
    __host__ __device__ explicit operator float() const;                                           \
    __host__ __device__ explicit operator double() const;                                          \
    __host__ __device__ explicit operator __half() const;                                          \
    __host__ __device__ explicit operator __nv_bfloat16() const;                                   \
  };
#define WARPDRF_FP8_PACKED(name, storage, floats)                                                  \
  struct name {                                                                                    \
    storage __x;                                                                                   \
    name() = default;                                                                              \
    __host__ __device__ explicit name(floats x);                                                   \
    __host__ __device__ explicit operator floats() const;                                          \
  };
WARPDRF_FP8(__nv_fp8_e4m3)
WARPDRF_FP8(__nv_fp8_e5m2)
WARPDRF_FP8_PACKED(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t, float2)
WARPDRF_FP8_PACKED(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t, float2)
WARPDRF_FP8_PACKED(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t, float4)
WARPDRF_FP8_PACKED(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t, float4)
#undef WARPDRF_FP8
#undef WARPDRF_FP8_PACKED

__host__ __device__ __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate,
                                                             __nv_fp8_interpretation_t to);
__host__ __device__ __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x,
                                                               __nv_saturation_t saturate,
                                                               __nv_fp8_interpretation_t to);
__host__ __device__ __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x,
                                                                  __nv_saturation_t saturate,
                                                                  __nv_fp8_interpretation_t to);
__host__ __device__ __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x,
                                                       __nv_fp8_interpretation_t from);
__host__ __device__ __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x,
                                                           __nv_fp8_interpretation_t from);
