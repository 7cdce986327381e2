// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc has and Clang's CUDA headers have not, though real code uses it. Included after Clang's
// own wrapper when a CUDA toolkit is there; in a folder apart, because the bundled declarations
// beside it would shadow the toolkit's.
#pragma once
#pragma clang system_header

#include "../include/warpdrf/nv_atomic.h"

// nvcc's runtime header brings the host's C library along. <math.h> is also what makes isfinite and
// kin of namespace std known in the global one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Clang has managed variables for HIP only. To a kernel they are device memory.
#undef __managed__
#define __managed__ __attribute__((device))

// Clang defines min and max for the device only.
#define WARPDRF_MIN_MAX(result, left, right)                                                       \
  __host__ inline result min(left a, right b) {                                                    \
    return static_cast<result>(b) < static_cast<result>(a) ? b : a;                                \
  }                                                                                                \
  __host__ inline result max(left a, right b) {                                                    \
    return static_cast<result>(a) < static_cast<result>(b) ? b : a;                                \
  }
#define WARPDRF_INTEGER_MIN_MAX(type)                                                              \
  WARPDRF_MIN_MAX(type, type, type)                                                                \
  WARPDRF_MIN_MAX(unsigned type, unsigned type, unsigned type)                                     \
  WARPDRF_MIN_MAX(unsigned type, type, unsigned type)                                              \
  WARPDRF_MIN_MAX(unsigned type, unsigned type, type)
WARPDRF_INTEGER_MIN_MAX(int)
WARPDRF_INTEGER_MIN_MAX(long)
WARPDRF_INTEGER_MIN_MAX(long long)
WARPDRF_MIN_MAX(float, float, float)
WARPDRF_MIN_MAX(double, double, double)
WARPDRF_MIN_MAX(double, float, double)
WARPDRF_MIN_MAX(double, double, float)
#undef WARPDRF_INTEGER_MIN_MAX
#undef WARPDRF_MIN_MAX

// Loads and stores with a cache hint; __ldg is in Clang's headers.
#define WARPDRF_LOAD(name)                                                                         \
  template <class T>                                                                               \
  __device__ T name(const T *from);
#define WARPDRF_STORE(name)                                                                        \
  template <class T>                                                                               \
  __device__ void name(T *to, typename __warpdrf_operand<T>::type value);
WARPDRF_LOAD(__ldcg)
WARPDRF_LOAD(__ldca)
WARPDRF_LOAD(__ldcs)
WARPDRF_LOAD(__ldlu)
WARPDRF_LOAD(__ldcv)
WARPDRF_STORE(__stwb)
WARPDRF_STORE(__stcg)
WARPDRF_STORE(__stcs)
WARPDRF_STORE(__stwt)
#undef WARPDRF_LOAD
#undef WARPDRF_STORE
