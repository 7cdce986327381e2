// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As much of HIP's header as raised tests need, to compile their device code where no ROCm is.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

struct dim3 {
  unsigned x, y, z;
  constexpr __host__ __device__ dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};

struct WorkItem {
  __declspec(property(get = first)) unsigned x;
  static __device__ unsigned first() { return __builtin_amdgcn_workitem_id_x(); }
};
extern const __device__ __attribute__((weak)) WorkItem threadIdx;
constexpr unsigned warpSize = 64; // of gfx90a

static inline __device__ unsigned long long __ballot(int yes) {
  return __builtin_amdgcn_ballot_w64(yes != 0);
}
static inline __device__ int __any(int yes) {
  return __ballot(yes) != 0;
}
static inline __device__ int __all(int yes) {
  return __ballot(!yes) == 0;
}
static inline __device__ int __shfl(int value, int lane) {
  return __builtin_amdgcn_ds_bpermute(4 * lane, value);
}
static inline __device__ int __ffsll(unsigned long long value) {
  return __builtin_ffsll(value);
}

enum hipError_t { hipSuccess };
enum hipDeviceAttribute_t { hipDeviceAttributeWarpSize };
struct ihipStream_t;
extern "C" hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, unsigned long shared = 0,
                                                 ihipStream_t *stream = nullptr);
hipError_t hipGetDevice(int *device);
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t which, int device);
hipError_t hipDeviceSynchronize();
template <typename T>
hipError_t hipMemcpyFromSymbol(void *to, const T &from, unsigned long size);
#define HIP_SYMBOL(name) name
