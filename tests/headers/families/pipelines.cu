// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies and barriers in shared memory.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

__global__ void pipelines(const float4 *x, float4 *y) {
  __shared__ float4 tile[32];
  __shared__ __mbarrier_t barrier;
  if (threadIdx.x == 0)
    __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token))
    ;
  y[threadIdx.x] = tile[31 - threadIdx.x];
}

void launch(const float4 *x, float4 *y) {
  pipelines<<<1, 32>>>(x, y);
}
