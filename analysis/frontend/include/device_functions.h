// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in device functions but for atomics and mathematics: barriers, fences, warp primitives,
// integer intrinsics, address spaces, clocks.
#pragma once

#include "device_launch_parameters.h"
#include "warpdrf/integer_functions.h"
#include "warpdrf/memory_functions.h"
#include "warpdrf/warp_functions.h"

// Barriers of the block.
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __barrier_sync(unsigned int id);
__device__ void __barrier_sync_count(unsigned int id, unsigned int count);

// Fences.
__device__ void __threadfence_block();
__device__ void __threadfence();
__device__ void __threadfence_system();

// Time.
extern "C" {
__device__ long clock();
__device__ long long clock64();
}
__device__ unsigned long long __globaltimer();
__device__ void __nanosleep(unsigned int ns);

// Dependent launches.
__device__ void cudaGridDependencySynchronize();
__device__ void cudaTriggerProgrammaticLaunchCompletion();

// Traps.
__device__ __attribute__((noreturn)) void __trap();
__device__ void __brkpt();
__device__ void __prof_trigger(int counter);

// What the C library offers in device code. Clang turns printf into vprintf.
extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void *malloc(__SIZE_TYPE__ size) __attribute__((nothrow, malloc));
__device__ void free(void *pointer) __attribute__((nothrow));
__device__ void *memcpy(void *to, const void *from, __SIZE_TYPE__ size) __attribute__((nothrow));
__device__ void *memmove(void *to, const void *from, __SIZE_TYPE__ size) __attribute__((nothrow));
__device__ void *memset(void *to, int value, __SIZE_TYPE__ size) __attribute__((nothrow));
__device__ __attribute__((noreturn)) void __assert_fail(const char *message, const char *file,
                                                        unsigned int line, const char *function);
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, __SIZE_TYPE__ charSize);
}

namespace std {
using ::free;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
} // namespace std
