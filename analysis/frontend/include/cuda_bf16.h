// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16 and its pair: 16-bit floating point with float's exponent.
#pragma once

#include "warpdrf/short_float.inc"

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __nv_bfloat16;
__host__ __device__ float __bfloat162float(__nv_bfloat16 x);
__host__ __device__ __nv_bfloat16 __float2bfloat16(float x);
__host__ __device__ __nv_bfloat16 __double2bfloat16(double x);

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &bits) : __x(bits.x) {}
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
  WARPDRF_SHORT_MEMBERS(__nv_bfloat16, __float2bfloat16, __double2bfloat16, __bfloat162float)

protected:
  unsigned short __x;
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;

  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16 &a, const __nv_bfloat16 &b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &bits)
      : x(__nv_bfloat16_raw{bits.x}), y(__nv_bfloat16_raw{bits.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const { return {__nv_bfloat16_raw(x).x, __nv_bfloat16_raw(y).x}; }
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

WARPDRF_SHORT_OPERATORS(__nv_bfloat16, __nv_bfloat16(1.0f))
WARPDRF_SHORT_OPERATORS(__nv_bfloat162, __nv_bfloat162(__nv_bfloat16(1.0f), __nv_bfloat16(1.0f)))
WARPDRF_SHORT_ARITHMETIC(__nv_bfloat16, __nv_bfloat162)
WARPDRF_SHORT_MATH(__nv_bfloat16, __nv_bfloat162)
WARPDRF_SHORT_PRIMITIVES(__nv_bfloat16)
WARPDRF_SHORT_PRIMITIVES(__nv_bfloat162)
WARPDRF_SHORT_CONVERSIONS(__nv_bfloat16, bfloat16)
#undef WARPDRF_SHORT_MEMBERS
#undef WARPDRF_SHORT_OPERATORS
#undef WARPDRF_SHORT_ARITHMETIC
#undef WARPDRF_SHORT_MATH
#undef WARPDRF_SHORT_PRIMITIVES
#undef WARPDRF_SHORT_CONVERSIONS
#undef WARPDRF_SHORT_ROUNDED

// To and from float and double.
__host__ __device__ __nv_bfloat16 __float2bfloat16_rn(float x);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rz(float x);
__host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float x);
__host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float x);

// Pairs: built, taken apart, rearranged.
__host__ __device__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
__host__ __device__ __nv_bfloat162 __float2bfloat162_rn(float x);
__host__ __device__ __nv_bfloat162 __floats2bfloat162_rn(float x, float y);
__host__ __device__ __nv_bfloat162 __float22bfloat162_rn(float2 x);
__host__ __device__ float2 __bfloat1622float2(__nv_bfloat162 x);
__host__ __device__ float __low2float(__nv_bfloat162 x);
__host__ __device__ float __high2float(__nv_bfloat162 x);
__host__ __device__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 x);
__host__ __device__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 x);
__host__ __device__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x);
__host__ __device__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
__host__ __device__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 x);
__host__ __device__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 x);
__host__ __device__ __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y);
__host__ __device__ __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 x, __nv_bfloat162 y);
__host__ __device__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 x);

// The bits.
__host__ __device__ short __bfloat16_as_short(__nv_bfloat16 x);
__host__ __device__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 x);
__host__ __device__ __nv_bfloat16 __short_as_bfloat16(short x);
__host__ __device__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short x);
