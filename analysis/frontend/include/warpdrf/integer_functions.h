// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics and the integer overloads of min, max and abs.
#pragma once

#include "../vector_types.h"

// Bits.
__device__ int __popc(unsigned int x);
__device__ int __popcll(unsigned long long x);
__device__ int __clz(int x);
__device__ int __clzll(long long x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long x);
__device__ unsigned int __brev(unsigned int x);
__device__ unsigned long long __brevll(unsigned long long x);
__device__ unsigned int __byte_perm(unsigned int low, unsigned int high, unsigned int selector);
__device__ unsigned int __fns(unsigned int mask, unsigned int base, int offset);
__device__ unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift);
__device__ unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift);

// Products.
__device__ int __mul24(int x, int y);
__device__ unsigned int __umul24(unsigned int x, unsigned int y);
__device__ int __mulhi(int x, int y);
__device__ unsigned int __umulhi(unsigned int x, unsigned int y);
__device__ long long __mul64hi(long long x, long long y);
__device__ unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
__device__ int __dp4a(int a, int b, int c);
__device__ int __dp4a(char4 a, char4 b, int c);
__device__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c);
__device__ unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c);
__device__ int __dp2a_lo(int a, int b, int c);
__device__ int __dp2a_lo(short2 a, char4 b, int c);
__device__ unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c);
__device__ unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c);
__device__ int __dp2a_hi(int a, int b, int c);
__device__ int __dp2a_hi(short2 a, char4 b, int c);
__device__ unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c);
__device__ unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c);

// Sums and averages.
__device__ int __hadd(int x, int y);
__device__ int __rhadd(int x, int y);
__device__ unsigned int __uhadd(unsigned int x, unsigned int y);
__device__ unsigned int __urhadd(unsigned int x, unsigned int y);
__device__ unsigned int __sad(int x, int y, unsigned int z);
__device__ unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);

// Two halfwords or four bytes at once.
#define WARPDRF_SIMD1(name)                                                                        \
  __device__ unsigned int name##2(unsigned int a);                                                 \
  __device__ unsigned int name##4(unsigned int a);
#define WARPDRF_SIMD2(name)                                                                        \
  __device__ unsigned int name##2(unsigned int a, unsigned int b);                                 \
  __device__ unsigned int name##4(unsigned int a, unsigned int b);
WARPDRF_SIMD1(__vabs)
WARPDRF_SIMD1(__vabsss)
WARPDRF_SIMD1(__vneg)
WARPDRF_SIMD1(__vnegss)
WARPDRF_SIMD2(__vabsdiffs)
WARPDRF_SIMD2(__vabsdiffu)
WARPDRF_SIMD2(__vadd)
WARPDRF_SIMD2(__vaddss)
WARPDRF_SIMD2(__vaddus)
WARPDRF_SIMD2(__vavgs)
WARPDRF_SIMD2(__vavgu)
WARPDRF_SIMD2(__vcmpeq)
WARPDRF_SIMD2(__vcmpges)
WARPDRF_SIMD2(__vcmpgeu)
WARPDRF_SIMD2(__vcmpgts)
WARPDRF_SIMD2(__vcmpgtu)
WARPDRF_SIMD2(__vcmples)
WARPDRF_SIMD2(__vcmpleu)
WARPDRF_SIMD2(__vcmplts)
WARPDRF_SIMD2(__vcmpltu)
WARPDRF_SIMD2(__vcmpne)
WARPDRF_SIMD2(__vmaxs)
WARPDRF_SIMD2(__vmaxu)
WARPDRF_SIMD2(__vmins)
WARPDRF_SIMD2(__vminu)
WARPDRF_SIMD2(__vsads)
WARPDRF_SIMD2(__vsadu)
WARPDRF_SIMD2(__vseteq)
WARPDRF_SIMD2(__vsetne)
WARPDRF_SIMD2(__vsub)
WARPDRF_SIMD2(__vsubss)
WARPDRF_SIMD2(__vsubus)
#undef WARPDRF_SIMD1
#undef WARPDRF_SIMD2

// Smaller and larger. CUDA offers them on the host too, and for mixed types, where the usual
// arithmetic conversions decide.
#define WARPDRF_MIN_MAX(result, left, right)                                                       \
  __host__ __device__ constexpr result min(left a, right b) {                                      \
    return static_cast<result>(b) < static_cast<result>(a) ? b : a;                                \
  }                                                                                                \
  __host__ __device__ constexpr result max(left a, right b) {                                      \
    return static_cast<result>(a) < static_cast<result>(b) ? b : a;                                \
  }
#define WARPDRF_MIN_MAX_FAMILY(type)                                                               \
  WARPDRF_MIN_MAX(type, type, type)                                                                \
  WARPDRF_MIN_MAX(unsigned type, unsigned type, unsigned type)                                     \
  WARPDRF_MIN_MAX(unsigned type, type, unsigned type)                                              \
  WARPDRF_MIN_MAX(unsigned type, unsigned type, type)
WARPDRF_MIN_MAX_FAMILY(int)
WARPDRF_MIN_MAX_FAMILY(long)
WARPDRF_MIN_MAX_FAMILY(long long)
#undef WARPDRF_MIN_MAX_FAMILY
#undef WARPDRF_MIN_MAX

__device__ unsigned int umin(unsigned int a, unsigned int b);
__device__ unsigned int umax(unsigned int a, unsigned int b);
__device__ long long llmin(long long a, long long b);
__device__ long long llmax(long long a, long long b);
__device__ unsigned long long ullmin(unsigned long long a, unsigned long long b);
__device__ unsigned long long ullmax(unsigned long long a, unsigned long long b);
