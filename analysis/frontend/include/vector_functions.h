// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// make_int2 and kin: build a vector from its components.
#pragma once

#include "vector_types.h"

#define WARPDRF_MAKE(name, type)                                                                   \
  __host__ __device__ inline name##1 make_##name##1(type x) {                                      \
    return name##1 {x};                                                                            \
  }                                                                                                \
  __host__ __device__ inline name##2 make_##name##2(type x, type y) {                              \
    return name##2 {x, y};                                                                         \
  }                                                                                                \
  __host__ __device__ inline name##3 make_##name##3(type x, type y, type z) {                      \
    return name##3 {x, y, z};                                                                      \
  }                                                                                                \
  __host__ __device__ inline name##4 make_##name##4(type x, type y, type z, type w) {              \
    return name##4 {x, y, z, w};                                                                   \
  }

WARPDRF_MAKE(char, signed char)
WARPDRF_MAKE(uchar, unsigned char)
WARPDRF_MAKE(short, short)
WARPDRF_MAKE(ushort, unsigned short)
WARPDRF_MAKE(int, int)
WARPDRF_MAKE(uint, unsigned int)
WARPDRF_MAKE(long, long)
WARPDRF_MAKE(ulong, unsigned long)
WARPDRF_MAKE(longlong, long long)
WARPDRF_MAKE(ulonglong, unsigned long long)
WARPDRF_MAKE(float, float)
WARPDRF_MAKE(double, double)
#undef WARPDRF_MAKE
