// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions over a group, and the operators for them.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define WARPDRF_OPERATOR(name, expression)                                                         \
  template <class T>                                                                               \
  struct name {                                                                                    \
    __device__ T operator()(T a, T b) const { return expression; }                                 \
  };
WARPDRF_OPERATOR(plus, a + b)
WARPDRF_OPERATOR(less, b < a ? b : a)
WARPDRF_OPERATOR(greater, a < b ? b : a)
WARPDRF_OPERATOR(bit_and, a &b)
WARPDRF_OPERATOR(bit_or, a | b)
WARPDRF_OPERATOR(bit_xor, a ^ b)
#undef WARPDRF_OPERATOR

template <unsigned int Size, class Parent, class T, class Operator>
__device__ T reduce(const thread_block_tile<Size, Parent> &group, T value, Operator op) {
  for (unsigned int lanes = Size / 2; lanes > 0; lanes /= 2)
    value = op(value, group.shfl_xor(value, lanes));
  return value;
}
template <class T, class Operator>
__device__ T reduce(const coalesced_group &group, T value, Operator op);

template <class Group, class Atomic, class T, class Operator>
__device__ void reduce_update_async(const Group &group, Atomic &atomic, T value, Operator op);
template <class Group, class Atomic, class T, class Operator>
__device__ void reduce_store_async(const Group &group, Atomic &atomic, T value, Operator op);

} // namespace cooperative_groups
