// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread's pipeline object over the primitives of cuda_pipeline_primitives.h.
#pragma once

#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {

class pipeline {
public:
  __device__ size_t commit();
  __device__ void commit_and_wait();
  __device__ void wait(size_t batch);
  template <unsigned N>
  __device__ void wait_prior();
};

template <class T>
__device__ void memcpy_async(T &shared, const T &global, pipeline &pipe);

} // namespace experimental
} // namespace nvcuda
