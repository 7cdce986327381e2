// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic read-modify-write operations, each at the scopes of device (no suffix), block and system;
// and nvcc's __nv_atomic_* built-ins, which name order and scope.
#pragma once

#include "vector_types.h"

#define WARPDRF_ATOMIC(name, type)                                                                 \
  __device__ type name(type *address, type value);                                                 \
  __device__ type name##_block(type *address, type value);                                         \
  __device__ type name##_system(type *address, type value);
#define WARPDRF_ATOMIC_CAS(type)                                                                   \
  __device__ type atomicCAS(type *address, type expected, type value);                             \
  __device__ type atomicCAS_block(type *address, type expected, type value);                       \
  __device__ type atomicCAS_system(type *address, type expected, type value);
#define WARPDRF_ATOMIC_ANY_INTEGER(name)                                                           \
  WARPDRF_ATOMIC(name, int)                                                                        \
  WARPDRF_ATOMIC(name, unsigned int)                                                               \
  WARPDRF_ATOMIC(name, unsigned long long)

WARPDRF_ATOMIC_ANY_INTEGER(atomicAdd)
WARPDRF_ATOMIC(atomicAdd, float)
WARPDRF_ATOMIC(atomicAdd, double)
WARPDRF_ATOMIC(atomicAdd, float2)
WARPDRF_ATOMIC(atomicAdd, float4)
WARPDRF_ATOMIC(atomicSub, int)
WARPDRF_ATOMIC(atomicSub, unsigned int)
WARPDRF_ATOMIC_ANY_INTEGER(atomicExch)
WARPDRF_ATOMIC(atomicExch, float)
WARPDRF_ATOMIC_ANY_INTEGER(atomicMin)
WARPDRF_ATOMIC(atomicMin, long long)
WARPDRF_ATOMIC_ANY_INTEGER(atomicMax)
WARPDRF_ATOMIC(atomicMax, long long)
WARPDRF_ATOMIC(atomicInc, unsigned int)
WARPDRF_ATOMIC(atomicDec, unsigned int)
WARPDRF_ATOMIC_ANY_INTEGER(atomicAnd)
WARPDRF_ATOMIC_ANY_INTEGER(atomicOr)
WARPDRF_ATOMIC_ANY_INTEGER(atomicXor)
WARPDRF_ATOMIC_CAS(int)
WARPDRF_ATOMIC_CAS(unsigned int)
WARPDRF_ATOMIC_CAS(unsigned long long)
WARPDRF_ATOMIC_CAS(unsigned short)
#undef WARPDRF_ATOMIC
#undef WARPDRF_ATOMIC_CAS
#undef WARPDRF_ATOMIC_ANY_INTEGER

#include "warpdrf/nv_atomic.h"
