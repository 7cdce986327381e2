// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc accepts and Clang's CUDA headers alone do not.
__global__ void hints(float4 *x, int *flag) {
  __stcs(x, __ldcs(x + 1));
  __stcg(x + 2, __ldcg(x + 3));
  if (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE))
    __nv_atomic_store_n(flag, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

int host(int n, unsigned int m, float x) {
  clock_t start = clock();
  return isfinite(x) && start ? min(n, 3) : int(max(m, 4u));
}
