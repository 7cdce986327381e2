// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies that a group starts together and waits for together.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class Group, class T, class Size>
__device__ void memcpy_async(const Group &group, T *to, const T *from, const Size &size);
template <class Group, class To, class ToLayout, class From, class FromLayout>
__device__ void memcpy_async(const Group &group, To *to, const ToLayout &toLayout, const From *from,
                             const FromLayout &fromLayout);
template <class Group>
__device__ void wait(const Group &group);
template <unsigned int Stages, class Group>
__device__ void wait_prior(const Group &group);

} // namespace cooperative_groups
