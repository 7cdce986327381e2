// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums over a group, inclusive and exclusive. The first thread's exclusive result is zero.
#pragma once

#include "reduce.h"

namespace cooperative_groups {

template <unsigned int Size, class Parent, class T, class Operator>
__device__ T inclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Operator op) {
  for (unsigned int delta = 1; delta < Size; delta *= 2) {
    T before = group.shfl_up(value, delta);
    if (group.thread_rank() >= delta)
      value = op(before, value);
  }
  return value;
}
template <unsigned int Size, class Parent, class T, class Operator>
__device__ T exclusive_scan(const thread_block_tile<Size, Parent> &group, T value, Operator op) {
  T before = group.shfl_up(inclusive_scan(group, value, op), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class T, class Operator>
__device__ T inclusive_scan(const coalesced_group &group, T value, Operator op);
template <class T, class Operator>
__device__ T exclusive_scan(const coalesced_group &group, T value, Operator op);

template <class Group, class T>
__device__ T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T>
__device__ T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
