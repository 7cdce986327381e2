// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// half and half2: 16-bit IEEE floating point.
#pragma once

#include "warpdrf/short_float.inc"

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __half;
__host__ __device__ float __half2float(__half x);
__host__ __device__ __half __float2half(float x);
__host__ __device__ __half __double2half(double x);

struct __align__(2) __half {
  __half() = default;
  __host__ __device__ __half(const __half_raw &bits) : __x(bits.x) {}
  __host__ __device__ operator __half_raw() const { return {__x}; }
  WARPDRF_SHORT_MEMBERS(__half, __float2half, __double2half, __half2float)

protected:
  unsigned short __x;
};

struct __align__(4) __half2 {
  __half x, y;

  __half2() = default;
  __host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw &bits)
      : x(__half_raw{bits.x}), y(__half_raw{bits.y}) {}
  __host__ __device__ operator __half2_raw() const { return {__half_raw(x).x, __half_raw(y).x}; }
};

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

WARPDRF_SHORT_OPERATORS(__half, __half(1.0f))
WARPDRF_SHORT_OPERATORS(__half2, __half2(__half(1.0f), __half(1.0f)))
WARPDRF_SHORT_ARITHMETIC(__half, __half2)
WARPDRF_SHORT_MATH(__half, __half2)
WARPDRF_SHORT_PRIMITIVES(__half)
WARPDRF_SHORT_PRIMITIVES(__half2)
WARPDRF_SHORT_CONVERSIONS(__half, half)
#undef WARPDRF_SHORT_MEMBERS
#undef WARPDRF_SHORT_OPERATORS
#undef WARPDRF_SHORT_ARITHMETIC
#undef WARPDRF_SHORT_MATH
#undef WARPDRF_SHORT_PRIMITIVES
#undef WARPDRF_SHORT_CONVERSIONS
#undef WARPDRF_SHORT_ROUNDED

// To and from float and double.
__host__ __device__ __half __float2half_rn(float x);
__host__ __device__ __half __float2half_rz(float x);
__host__ __device__ __half __float2half_ru(float x);
__host__ __device__ __half __float2half_rd(float x);

// Pairs: built, taken apart, rearranged.
__host__ __device__ __half2 make_half2(__half x, __half y);
__host__ __device__ __half2 __float2half2_rn(float x);
__host__ __device__ __half2 __floats2half2_rn(float x, float y);
__host__ __device__ __half2 __float22half2_rn(float2 x);
__host__ __device__ float2 __half22float2(__half2 x);
__host__ __device__ float __low2float(__half2 x);
__host__ __device__ float __high2float(__half2 x);
__host__ __device__ __half __low2half(__half2 x);
__host__ __device__ __half __high2half(__half2 x);
__host__ __device__ __half2 __half2half2(__half x);
__host__ __device__ __half2 __halves2half2(__half x, __half y);
__host__ __device__ __half2 __low2half2(__half2 x);
__host__ __device__ __half2 __high2half2(__half2 x);
__host__ __device__ __half2 __lows2half2(__half2 x, __half2 y);
__host__ __device__ __half2 __highs2half2(__half2 x, __half2 y);
__host__ __device__ __half2 __lowhigh2highlow(__half2 x);

// The bits.
__host__ __device__ short __half_as_short(__half x);
__host__ __device__ unsigned short __half_as_ushort(__half x);
__host__ __device__ __half __short_as_half(short x);
__host__ __device__ __half __ushort_as_half(unsigned short x);
