// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies from global to shared memory, waited for in batches by the copying thread.
#pragma once

#include "cuda_runtime.h"

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

__device__ void __pipeline_memcpy_async(void *shared, const void *global, size_t size,
                                        size_t zeroFill = 0);
__device__ void __pipeline_commit();
__device__ void __pipeline_wait_prior(size_t batches);
__device__ void __pipeline_arrive_on(__mbarrier_t *barrier);
