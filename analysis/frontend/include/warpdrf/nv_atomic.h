// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's own atomic built-ins: any type of 1 to 16 bytes, a memory order, a scope; those without _n
// pass values through pointers. Part of the toolkit shim too, as Clang knows none of them.
#pragma once

// In the order of nvcc's enumerations: their values reach the lowering as constants.
enum {
  __NV_ATOMIC_RELAXED,
  __NV_ATOMIC_CONSUME,
  __NV_ATOMIC_ACQUIRE,
  __NV_ATOMIC_RELEASE,
  __NV_ATOMIC_ACQ_REL,
  __NV_ATOMIC_SEQ_CST
};
enum {
  __NV_THREAD_SCOPE_THREAD,
  __NV_THREAD_SCOPE_BLOCK,
  __NV_THREAD_SCOPE_CLUSTER,
  __NV_THREAD_SCOPE_DEVICE,
  __NV_THREAD_SCOPE_SYSTEM
};

/// The operand's type follows the object's, so that a literal converts as it does in nvcc.
template <class T>
struct __warpdrf_operand {
  using type = T;
};

#define WARPDRF_T                                                                                  \
  template <class T>                                                                               \
  __attribute__((device))
#define WARPDRF_OPERAND typename __warpdrf_operand<T>::type
#define WARPDRF_SCOPE int scope = __NV_THREAD_SCOPE_SYSTEM

WARPDRF_T T __nv_atomic_load_n(const T *object, int order, WARPDRF_SCOPE);
WARPDRF_T void __nv_atomic_load(const T *object, T *result, int order, WARPDRF_SCOPE);
WARPDRF_T void __nv_atomic_store_n(T *object, WARPDRF_OPERAND value, int order, WARPDRF_SCOPE);
WARPDRF_T void __nv_atomic_store(T *object, T *value, int order, WARPDRF_SCOPE);
WARPDRF_T T __nv_atomic_exchange_n(T *object, WARPDRF_OPERAND value, int order, WARPDRF_SCOPE);
WARPDRF_T void __nv_atomic_exchange(T *object, T *value, T *result, int order, WARPDRF_SCOPE);
WARPDRF_T bool __nv_atomic_compare_exchange_n(T *object, T *expected, WARPDRF_OPERAND value,
                                              bool weak, int success, int failure, WARPDRF_SCOPE);
WARPDRF_T bool __nv_atomic_compare_exchange(T *object, T *expected, T *value, bool weak,
                                            int success, int failure, WARPDRF_SCOPE);

#define WARPDRF_FETCH(name)                                                                        \
  WARPDRF_T T __nv_atomic_fetch_##name(T *object, WARPDRF_OPERAND value, int order,                \
                                       WARPDRF_SCOPE);                                             \
  WARPDRF_T void __nv_atomic_##name(T *object, WARPDRF_OPERAND value, int order, WARPDRF_SCOPE);
WARPDRF_FETCH(add)
WARPDRF_FETCH(sub)
WARPDRF_FETCH(and)
WARPDRF_FETCH(or)
WARPDRF_FETCH(xor)
WARPDRF_FETCH(min)
WARPDRF_FETCH(max)
#undef WARPDRF_FETCH
#undef WARPDRF_SCOPE
#undef WARPDRF_OPERAND
#undef WARPDRF_T

__attribute__((device)) void __nv_atomic_thread_fence(int order,
                                                      int scope = __NV_THREAD_SCOPE_SYSTEM);
