// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics of every type and scope.
__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
  i[1] = atomicAdd(i, 1) + atomicSub(i, 1) + atomicMin(i, 2) + atomicMax_block(i, 3);
  u[1] = atomicInc(u, 31) + atomicDec(u, 31) + atomicAnd(u, 7u) + atomicOr_system(u, 1u);
  l[1] = atomicCAS(l, 0ull, 1ull) + atomicExch(l, 5ull) + atomicXor(l, 1ull) + atomicMax(l, 3ull);
  f[1] = atomicAdd(f, 1) + atomicExch(f, 2.f) + atomicAdd_block(f, 1.f);
  d[1] = atomicAdd(d, 1.0) + atomicAdd_system(d, 2.0);
  if (atomicCAS(i, 0, 1) == 0)
    atomicExch(i, 0);
}

void launch(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
  atomics<<<1, 32>>>(i, u, l, f, d);
}
