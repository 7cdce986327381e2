// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's collectives of blocks and warps, and the device-wide algorithms that host code calls. Only
// the interface: a collective means who takes part, which storage it uses and what it returns.
#pragma once

#include "../cuda_runtime.h"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

// Operators.
struct Sum {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct Max {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
template <class Key, class Value>
struct KeyValuePair {
  Key key;
  Value value;
};
struct ArgMax {
  template <class Pair>
  __host__ __device__ Pair operator()(Pair a, Pair b) const {
    return a.value < b.value ? b : a;
  }
};
struct ArgMin {
  template <class Pair>
  __host__ __device__ Pair operator()(Pair a, Pair b) const {
    return b.value < a.value ? b : a;
  }
};

namespace warpdrf_detail {
/// Storage in shared memory for `Threads` threads. Its size is ours, not CUB's.
template <class T, int Threads>
struct storage {
  alignas(16) char bytes[(sizeof(T) < 4 ? 4 : sizeof(T)) * Threads];
};
} // namespace warpdrf_detail

// The block's collectives.
template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1,
          int Z = 1>
class BlockReduce {
public:
  using TempStorage = warpdrf_detail::storage<T, X * Y * Z>;
  __device__ BlockReduce();
  __device__ explicit BlockReduce(TempStorage &storage);
  __device__ T Sum(T value);
  __device__ T Sum(T value, int valid);
  template <int N>
  __device__ T Sum(T (&values)[N]);
  template <class Operator>
  __device__ T Reduce(T value, Operator op);
  template <class Operator>
  __device__ T Reduce(T value, Operator op, int valid);
  template <int N, class Operator>
  __device__ T Reduce(T (&values)[N], Operator op);
};

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1>
class BlockScan {
public:
  using TempStorage = warpdrf_detail::storage<T, X * Y * Z>;
  __device__ BlockScan();
  __device__ explicit BlockScan(TempStorage &storage);
  __device__ void ExclusiveSum(T value, T &result);
  __device__ void ExclusiveSum(T value, T &result, T &total);
  __device__ void InclusiveSum(T value, T &result);
  __device__ void InclusiveSum(T value, T &result, T &total);
  template <int N>
  __device__ void ExclusiveSum(T (&values)[N], T (&results)[N]);
  template <int N>
  __device__ void ExclusiveSum(T (&values)[N], T (&results)[N], T &total);
  template <int N>
  __device__ void InclusiveSum(T (&values)[N], T (&results)[N]);
  template <int N>
  __device__ void InclusiveSum(T (&values)[N], T (&results)[N], T &total);
  template <class Operator>
  __device__ void ExclusiveScan(T value, T &result, T initial, Operator op);
  template <class Operator>
  __device__ void ExclusiveScan(T value, T &result, T initial, Operator op, T &total);
  template <class Operator>
  __device__ void InclusiveScan(T value, T &result, Operator op);
  template <class Operator>
  __device__ void InclusiveScan(T value, T &result, Operator op, T &total);
};

template <class T, int X, int N, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1,
          int Z = 1>
class BlockLoad {
public:
  using TempStorage = warpdrf_detail::storage<T, X * Y * Z * N>;
  __device__ BlockLoad();
  __device__ explicit BlockLoad(TempStorage &storage);
  template <class Iterator>
  __device__ void Load(Iterator from, T (&values)[N]);
  template <class Iterator>
  __device__ void Load(Iterator from, T (&values)[N], int valid);
  template <class Iterator, class Default>
  __device__ void Load(Iterator from, T (&values)[N], int valid, Default rest);
};

template <class T, int X, int N, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1,
          int Z = 1>
class BlockStore {
public:
  using TempStorage = warpdrf_detail::storage<T, X * Y * Z * N>;
  __device__ BlockStore();
  __device__ explicit BlockStore(TempStorage &storage);
  template <class Iterator>
  __device__ void Store(Iterator to, T (&values)[N]);
  template <class Iterator>
  __device__ void Store(Iterator to, T (&values)[N], int valid);
};

struct NullType {};
template <class Key, int X, int N, class Value = NullType>
class BlockRadixSort {
public:
  using TempStorage = warpdrf_detail::storage<Key, X * N * 2>;
  __device__ BlockRadixSort();
  __device__ explicit BlockRadixSort(TempStorage &storage);
  __device__ void Sort(Key (&keys)[N], int begin = 0, int end = sizeof(Key) * 8);
  __device__ void Sort(Key (&keys)[N], Value (&values)[N], int begin = 0,
                       int end = sizeof(Key) * 8);
  __device__ void SortDescending(Key (&keys)[N], int begin = 0, int end = sizeof(Key) * 8);
  __device__ void SortDescending(Key (&keys)[N], Value (&values)[N], int begin = 0,
                                 int end = sizeof(Key) * 8);
};

// The warp's collectives, of `Threads` consecutive lanes.
template <class T, int Threads = 32>
class WarpReduce {
public:
  using TempStorage = warpdrf_detail::storage<T, Threads>;
  __device__ explicit WarpReduce(TempStorage &storage);
  __device__ T Sum(T value);
  __device__ T Sum(T value, int valid);
  template <class Operator>
  __device__ T Reduce(T value, Operator op);
  template <class Operator>
  __device__ T Reduce(T value, Operator op, int valid);
};
template <class T, int Threads = 32>
class WarpScan {
public:
  using TempStorage = warpdrf_detail::storage<T, Threads>;
  __device__ explicit WarpScan(TempStorage &storage);
  __device__ void InclusiveSum(T value, T &result);
  __device__ void InclusiveSum(T value, T &result, T &total);
  __device__ void ExclusiveSum(T value, T &result);
  __device__ void ExclusiveSum(T value, T &result, T &total);
  template <class Operator>
  __device__ void InclusiveScan(T value, T &result, Operator op);
  template <class Operator>
  __device__ void ExclusiveScan(T value, T &result, T initial, Operator op);
};

// Device-wide algorithms, called from the host.
struct DeviceReduce {
  template <class In, class Out>
  static cudaError_t Sum(void *space, size_t &size, In in, Out out, int n, cudaStream_t stream = 0);
  template <class In, class Out>
  static cudaError_t Max(void *space, size_t &size, In in, Out out, int n, cudaStream_t stream = 0);
  template <class In, class Out>
  static cudaError_t Min(void *space, size_t &size, In in, Out out, int n, cudaStream_t stream = 0);
};
struct DeviceScan {
  template <class In, class Out>
  static cudaError_t InclusiveSum(void *space, size_t &size, In in, Out out, int n,
                                  cudaStream_t stream = 0);
  template <class In, class Out>
  static cudaError_t ExclusiveSum(void *space, size_t &size, In in, Out out, int n,
                                  cudaStream_t stream = 0);
};

#define WARPDRF_SORT(name)                                                                         \
  template <class Key, class Value>                                                                \
  static cudaError_t name(void *space, size_t &size, const Key *in, Key *out, const Value *values, \
                          Value *results, int n, int begin = 0, int end = sizeof(Key) * 8,         \
                          cudaStream_t stream = 0);
struct DeviceRadixSort {
  WARPDRF_SORT(SortPairs)
  WARPDRF_SORT(SortPairsDescending)
};
#undef WARPDRF_SORT

// Segments are given by where they begin and end.
#define WARPDRF_SORT(name, ...)                                                                    \
  template <class Key, class Value, class Begins, class Ends>                                      \
  static cudaError_t name(void *space, size_t &size, const Key *in, Key *out, const Value *values, \
                          Value *results, int n, int segments, Begins begins, Ends ends,           \
                          __VA_ARGS__);
struct DeviceSegmentedRadixSort {
  WARPDRF_SORT(SortPairs, int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = 0)
  WARPDRF_SORT(SortPairsDescending, int begin = 0, int end = sizeof(Key) * 8,
               cudaStream_t stream = 0)
};
struct DeviceSegmentedSort {
  WARPDRF_SORT(SortPairs, cudaStream_t stream = 0)
  WARPDRF_SORT(SortPairsDescending, cudaStream_t stream = 0)
};
#undef WARPDRF_SORT

} // namespace cub
