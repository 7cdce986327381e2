// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dim3 and the built-in vector types. Alignment is part of their meaning: it decides how wide a
// single access may be.
#pragma once

#include "host_defines.h"

#define WARPDRF_VECTORS(name, type, align2, align4)                                                \
  struct name##1 {                                                                                 \
    type x;                                                                                        \
  };                                                                                               \
  struct __align__(align2) name##2 {                                                               \
    type x, y;                                                                                     \
  };                                                                                               \
  struct name##3 {                                                                                 \
    type x, y, z;                                                                                  \
  };                                                                                               \
  struct __align__(align4) name##4 {                                                               \
    type x, y, z, w;                                                                               \
  };

WARPDRF_VECTORS(char, signed char, 2, 4)
WARPDRF_VECTORS(uchar, unsigned char, 2, 4)
WARPDRF_VECTORS(short, short, 4, 8)
WARPDRF_VECTORS(ushort, unsigned short, 4, 8)
WARPDRF_VECTORS(int, int, 8, 16)
WARPDRF_VECTORS(uint, unsigned int, 8, 16)
WARPDRF_VECTORS(long, long, 2 * sizeof(long), 16)
WARPDRF_VECTORS(ulong, unsigned long, 2 * sizeof(long), 16)
WARPDRF_VECTORS(longlong, long long, 16, 16)
WARPDRF_VECTORS(ulonglong, unsigned long long, 16, 16)
WARPDRF_VECTORS(float, float, 8, 16)
WARPDRF_VECTORS(double, double, 16, 16)
#undef WARPDRF_VECTORS

struct dim3 {
  unsigned int x, y, z;

  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
