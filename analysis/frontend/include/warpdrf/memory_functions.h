// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores with a cache hint, address spaces, prefetches. A hint changes nothing of what an
// access means.
#pragma once

#include "../host_defines.h"
#include "nv_atomic.h"

template <class T>
__device__ T __ldg(const T *from);
template <class T>
__device__ T __ldcg(const T *from);
template <class T>
__device__ T __ldca(const T *from);
template <class T>
__device__ T __ldcs(const T *from);
template <class T>
__device__ T __ldlu(const T *from);
template <class T>
__device__ T __ldcv(const T *from);

template <class T>
__device__ void __stwb(T *to, typename __warpdrf_operand<T>::type value);
template <class T>
__device__ void __stcg(T *to, typename __warpdrf_operand<T>::type value);
template <class T>
__device__ void __stcs(T *to, typename __warpdrf_operand<T>::type value);
template <class T>
__device__ void __stwt(T *to, typename __warpdrf_operand<T>::type value);

__device__ unsigned int __isGlobal(const void *pointer);
__device__ unsigned int __isShared(const void *pointer);
__device__ unsigned int __isConstant(const void *pointer);
__device__ unsigned int __isLocal(const void *pointer);
__device__ unsigned int __isGridConstant(const void *pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_global(const void *pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_shared(const void *pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_constant(const void *pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_local(const void *pointer);
__device__ __SIZE_TYPE__ __cvta_generic_to_grid_constant(const void *pointer);
__device__ void *__cvta_global_to_generic(__SIZE_TYPE__ address);
__device__ void *__cvta_shared_to_generic(__SIZE_TYPE__ address);
__device__ void *__cvta_constant_to_generic(__SIZE_TYPE__ address);
__device__ void *__cvta_local_to_generic(__SIZE_TYPE__ address);
__device__ void *__cvta_grid_constant_to_generic(__SIZE_TYPE__ address);
