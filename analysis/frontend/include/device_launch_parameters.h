// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// threadIdx, blockIdx, blockDim, gridDim and warpSize. Clang declares them; the conversions to dim3
// and uint3 are left to whoever defines those types.
#pragma once

#include "vector_types.h"

#include <__clang_cuda_builtin_vars.h>

#define WARPDRF_CONVERSIONS(type)                                                                  \
  __device__ inline type::operator dim3() const {                                                  \
    return dim3(x, y, z);                                                                          \
  }                                                                                                \
  __device__ inline type::operator uint3() const {                                                 \
    return uint3{x, y, z};                                                                         \
  }

WARPDRF_CONVERSIONS(__cuda_builtin_threadIdx_t)
WARPDRF_CONVERSIONS(__cuda_builtin_blockIdx_t)
WARPDRF_CONVERSIONS(__cuda_builtin_blockDim_t)
WARPDRF_CONVERSIONS(__cuda_builtin_gridDim_t)
#undef WARPDRF_CONVERSIONS
