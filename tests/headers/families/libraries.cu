// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collectives and libcu++'s atomics, barriers and pipelines.
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>

__global__ void collectives(const int *x, int *out) {
  using Reduce = cub::BlockReduce<int, 128>;
  using Scan = cub::BlockScan<int, 128>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
  } storage;
  __shared__ typename cub::WarpReduce<float>::TempStorage warp[4];
  int sum = Reduce(storage.reduce).Sum(x[threadIdx.x]);
  __syncthreads();
  int before;
  Scan(storage.scan).ExclusiveSum(x[threadIdx.x], before);
  float most = cub::WarpReduce<float>(warp[threadIdx.x / 32]).Sum(1.f);
  out[threadIdx.x] = sum + before + most;
}

__global__ void atomics(int *counter, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> count(*counter);
  int ticket = count.fetch_add(1, cuda::std::memory_order_acq_rel);
  if (count.load(cuda::memory_order_acquire) > 3)
    out[ticket] = 1;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_block);
}

__global__ void copies(const int *x, int *out) {
  namespace cg = cooperative_groups;
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile, x, sizeof tile, pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = tile[127 - threadIdx.x];
  pipe.consumer_release();
}

void launch(const int *x, int *counter, int *out) {
  collectives<<<1, 128>>>(x, out);
  atomics<<<1, 128>>>(counter, out);
  copies<<<1, 128>>>(x, out);
}
