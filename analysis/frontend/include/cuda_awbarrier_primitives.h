// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory that threads arrive on and wait for separately.
#pragma once

#include "cuda_pipeline_primitives.h"

__device__ void __mbarrier_init(__mbarrier_t *barrier, unsigned int expected);
__device__ void __mbarrier_inval(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier);
__device__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token);
__device__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t token);
__device__ unsigned int __mbarrier_maximum_count();
