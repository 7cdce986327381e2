// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cooperative groups. Ranks, sizes and the operations of blocks and tiles have bodies in terms of
// the built-ins, because that is their meaning: a rank that was only declared would look the same
// in every thread. Grids, clusters and coalesced groups have operations that no built-in expresses;
// those are declared and known by name.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block;

namespace details {
__device__ inline unsigned int block_rank_of_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ inline unsigned int block_size() {
  return blockDim.x * blockDim.y * blockDim.z;
}
__device__ inline unsigned int lane() {
  return block_rank_of_thread() % 32;
}

/// The first lane of this thread's tile, and the lanes of the tile.
template <unsigned int Size>
__device__ unsigned int tile_base() {
  return lane() / Size * Size;
}
template <unsigned int Size>
__device__ unsigned int tile_mask() {
  return Size >= 32 ? 0xffffffffu : ((1u << Size % 32) - 1u) << tile_base<Size>();
}

// Groups shuffle values of any trivially copyable type.
using ::__shfl_down_sync;
using ::__shfl_sync;
using ::__shfl_up_sync;
using ::__shfl_xor_sync;
template <class T>
__device__ T __shfl_sync(unsigned mask, T value, int lane, int width);
template <class T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width);
template <class T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width);
template <class T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int lanes, int width);

/// Selects what a tile of one warp and a tile of several warps do differently.
template <bool>
struct one_warp {};
__device__ void sync_warps(unsigned int size);
} // namespace details

/// Any group, its kind unknown at compile time.
class thread_group {
public:
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
  __device__ unsigned int get_type() const;

protected:
  unsigned int data_[4]; // what kind it is, and its lanes
};

class thread_block : public thread_group {
public:
  struct arrival_token {};

  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned int thread_rank() { return details::block_rank_of_thread(); }
  __device__ static unsigned int num_threads() { return details::block_size(); }
  __device__ static unsigned int size() { return details::block_size(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
};

__device__ inline thread_block this_thread_block() {
  return thread_block();
}

class grid_group : public thread_group {
public:
  struct arrival_token {};

  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&token) const;
  __device__ static unsigned long long block_rank() {
    return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x +
           blockIdx.x;
  }
  __device__ static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  __device__ static unsigned long long thread_rank() {
    return block_rank() * details::block_size() + details::block_rank_of_thread();
  }
  __device__ static unsigned long long num_threads() {
    return num_blocks() * details::block_size();
  }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

__device__ inline grid_group this_grid() {
  return grid_group();
}

class cluster_group : public thread_group {
public:
  struct arrival_token {};

  __device__ static void sync();
  __device__ static arrival_token barrier_arrive();
  __device__ static void barrier_wait();
  __device__ static void barrier_wait(arrival_token &&token);
  __device__ static unsigned int thread_rank();
  __device__ static unsigned int num_threads();
  __device__ static unsigned int size();
  __device__ static unsigned int block_rank();
  __device__ static unsigned int num_blocks();
  __device__ static dim3 block_index();
  __device__ static dim3 thread_index();
  __device__ static dim3 dim_blocks();
  __device__ static dim3 dim_threads();
  __device__ static unsigned int query_shared_rank(const void *address);
  template <class T>
  __device__ static T *map_shared_rank(T *address, int rank);
};

__device__ inline cluster_group this_cluster() {
  return cluster_group();
}

/// The threads of a warp that were there together when the group was formed.
class coalesced_group : public thread_group {
public:
  __device__ explicit coalesced_group(unsigned int mask) : mask_(mask) {}

  __device__ void sync() const;
  __device__ unsigned int size() const { return __popc(mask_); }
  __device__ unsigned int num_threads() const { return __popc(mask_); }
  __device__ unsigned int thread_rank() const {
    return __popc(mask_ & ((1u << details::lane()) - 1u));
  }
  __device__ unsigned long long meta_group_size() const;
  __device__ unsigned long long meta_group_rank() const;
  template <class T>
  __device__ T shfl(T value, int rank) const;
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const;
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const;
  __device__ int any(int predicate) const;
  __device__ int all(int predicate) const;
  __device__ unsigned int ballot(int predicate) const;
  template <class T>
  __device__ unsigned int match_any(T value) const;
  template <class T>
  __device__ unsigned int match_all(T value, int &predicate) const;

private:
  unsigned int mask_;
};

__device__ inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// A part of a block, Size consecutive threads. Which group it was cut from makes no difference to
/// what it does: the tile of a known parent is the plain tile.
template <unsigned int Size, class Parent = void>
class thread_block_tile : public thread_block_tile<Size, void> {};

template <unsigned int Size>
class thread_block_tile<Size, void> : public thread_group {
  static_assert(Size && !(Size & (Size - 1)), "a tile's size is a power of two");

public:
  __device__ static void sync() { sync(details::one_warp<Size <= 32>()); }
  __device__ static unsigned int thread_rank() { return details::block_rank_of_thread() % Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static unsigned int meta_group_rank() {
    return details::block_rank_of_thread() / Size;
  }
  __device__ static unsigned int meta_group_size() {
    return (details::block_size() + Size - 1) / Size;
  }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return details::__shfl_sync(mask(), value, rank, static_cast<int>(Size));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned int delta) const {
    return details::__shfl_up_sync(mask(), value, delta, static_cast<int>(Size));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned int delta) const {
    return details::__shfl_down_sync(mask(), value, delta, static_cast<int>(Size));
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned int lanes) const {
    return details::__shfl_xor_sync(mask(), value, static_cast<int>(lanes), static_cast<int>(Size));
  }
  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ unsigned int ballot(int predicate) const {
    return __ballot_sync(mask(), predicate) >> details::tile_base<Size>();
  }
  template <class T>
  __device__ unsigned int match_any(T value) const {
    return __match_any_sync(mask(), value) >> details::tile_base<Size>();
  }
  template <class T>
  __device__ unsigned int match_all(T value, int &predicate) const {
    return __match_all_sync(mask(), value, &predicate) >> details::tile_base<Size>();
  }

private:
  // Tiles of several warps have these operations too, through memory; they are known by name.
  __device__ static unsigned int mask() { return details::tile_mask<Size>(); }
  __device__ static void sync(details::one_warp<true>) { __syncwarp(details::tile_mask<Size>()); }
  __device__ static void sync(details::one_warp<false>) { details::sync_warps(Size); }
};

/// Scratch memory with which a block's tiles of several warps have warp operations too.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  char bytes[MaxBlockSize / 32 * 8 + 256];
};
template <unsigned int MaxBlockSize>
__device__ thread_block this_thread_block(block_tile_memory<MaxBlockSize> &) {
  return thread_block();
}

// Cutting groups into parts.
template <unsigned int Size, class Parent>
__device__ thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}
__device__ thread_group tiled_partition(const thread_group &parent, unsigned int size);
__device__ coalesced_group tiled_partition(const coalesced_group &parent, unsigned int size);
template <unsigned int Size, class Parent>
__device__ coalesced_group binary_partition(const thread_block_tile<Size, Parent> &parent,
                                            bool predicate);
__device__ coalesced_group binary_partition(const coalesced_group &parent, bool predicate);
template <unsigned int Size, class Parent, class Label>
__device__ coalesced_group labeled_partition(const thread_block_tile<Size, Parent> &parent,
                                             Label label);
template <class Label>
__device__ coalesced_group labeled_partition(const coalesced_group &parent, Label label);

// The same operations as free functions.
template <class Group>
__device__ void sync(const Group &group) {
  group.sync();
}
template <class Group>
__device__ unsigned long long thread_rank(const Group &group) {
  return group.thread_rank();
}
template <class Group>
__device__ unsigned long long group_size(const Group &group) {
  return group.size();
}
template <class Group, class Function, class... Arguments>
__device__ void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    function(static_cast<Arguments &&>(arguments)...);
}

} // namespace cooperative_groups
