// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp matrix operations: fragments and the four operations a whole warp performs together.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

// Which of the three operands a fragment is, how matrices lie in memory, and the element types that
// exist in fragments only.
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
} // namespace precision
namespace experimental {
namespace precision = ::nvcuda::wmma::precision;
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

namespace warpdrf_detail {
/// How an element type is kept in a fragment, and how it lies in memory.
template <class T>
struct element {
  using storage = T;
  using memory = T;
};
template <>
struct element<precision::tf32> {
  using storage = float;
  using memory = float;
};

/// A lane's share of a matrix. half operands are held twice; everything else once.
template <class Use, int M, int N, int K, class T>
struct share;
template <int M, int N, int K, class T>
struct share<matrix_a, M, N, K, T> {
  static constexpr int value = M * K / 32;
};
template <int M, int N, int K>
struct share<matrix_a, M, N, K, __half> {
  static constexpr int value = 16;
};
template <int M, int N, int K, class T>
struct share<matrix_b, M, N, K, T> {
  static constexpr int value = K * N / 32;
};
template <int M, int N, int K>
struct share<matrix_b, M, N, K, __half> {
  static constexpr int value = 16;
};
template <int M, int N, int K, class T>
struct share<accumulator, M, N, K, T> {
  static constexpr int value = M * N / 32;
};
} // namespace warpdrf_detail

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  typedef typename warpdrf_detail::element<T>::storage element_type;
  typedef element_type storage_element_type;
  static constexpr int num_elements = warpdrf_detail::share<Use, M, N, K, T>::value;
  static constexpr int num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class Use, int M, int N, int K, class T, class Layout>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &a,
                                 const typename warpdrf_detail::element<T>::memory *from,
                                 unsigned int stride);
template <int M, int N, int K, class T>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T> &a,
                                 const typename warpdrf_detail::element<T>::memory *from,
                                 unsigned int stride, layout_t layout);
template <int M, int N, int K, class T>
__device__ void store_matrix_sync(typename warpdrf_detail::element<T>::memory *to,
                                  const fragment<accumulator, M, N, K, T> &a, unsigned int stride,
                                  layout_t layout);
template <class Use, int M, int N, int K, class T, class Layout, class Value>
__device__ void fill_fragment(fragment<Use, M, N, K, T, Layout> &a, const Value &value);
template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB, class D, class C>
__device__ void mma_sync(fragment<accumulator, M, N, K, D> &d,
                         const fragment<matrix_a, M, N, K, A, LayoutA> &a,
                         const fragment<matrix_b, M, N, K, B, LayoutB> &b,
                         const fragment<accumulator, M, N, K, C> &c, bool saturate = false);

__device__ float __float_to_tf32(float x);

} // namespace wmma
} // namespace nvcuda
