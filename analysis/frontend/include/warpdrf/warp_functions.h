// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp primitives: shuffles, votes, match, reduce, the warp barrier; and the lane masks.
#pragma once

#include "../device_launch_parameters.h"

#define WARPDRF_SHUFFLES(type)                                                                     \
  __device__ type __shfl_sync(unsigned mask, type value, int lane, int width = warpSize);          \
  __device__ type __shfl_up_sync(unsigned mask, type value, unsigned delta, int width = warpSize); \
  __device__ type __shfl_down_sync(unsigned mask, type value, unsigned delta,                      \
                                   int width = warpSize);                                          \
  __device__ type __shfl_xor_sync(unsigned mask, type value, int lanes, int width = warpSize);

WARPDRF_SHUFFLES(int)
WARPDRF_SHUFFLES(unsigned int)
WARPDRF_SHUFFLES(long)
WARPDRF_SHUFFLES(unsigned long)
WARPDRF_SHUFFLES(long long)
WARPDRF_SHUFFLES(unsigned long long)
WARPDRF_SHUFFLES(float)
WARPDRF_SHUFFLES(double)
#undef WARPDRF_SHUFFLES

__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ unsigned __activemask();

__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __uni_sync(unsigned mask, int predicate);
__device__ unsigned __ballot_sync(unsigned mask, int predicate);

#define WARPDRF_MATCH(type)                                                                        \
  __device__ unsigned __match_any_sync(unsigned mask, type value);                                 \
  __device__ unsigned __match_all_sync(unsigned mask, type value, int *predicate);

WARPDRF_MATCH(int)
WARPDRF_MATCH(unsigned int)
WARPDRF_MATCH(long)
WARPDRF_MATCH(unsigned long)
WARPDRF_MATCH(long long)
WARPDRF_MATCH(unsigned long long)
WARPDRF_MATCH(float)
WARPDRF_MATCH(double)
#undef WARPDRF_MATCH

__device__ int __reduce_add_sync(unsigned mask, int value);
__device__ int __reduce_min_sync(unsigned mask, int value);
__device__ int __reduce_max_sync(unsigned mask, int value);
__device__ unsigned __reduce_add_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_min_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_max_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_and_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_or_sync(unsigned mask, unsigned value);
__device__ unsigned __reduce_xor_sync(unsigned mask, unsigned value);
