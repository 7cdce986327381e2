// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer intrinsics.
__global__ void integers(int *x, unsigned *u, long long *l) {
  u[0] = __popc(u[1]) + __ffs(x[0]) + __clz(x[1]) + __brev(u[2]) + __umulhi(u[3], 5);
  u[1] = __byte_perm(u[0], u[2], 0x3210) + __funnelshift_l(u[0], u[1], 3) + __fns(u[0], 0, 1);
  x[0] = __dp4a(x[1], x[2], x[3]) + __mul24(x[4], 3) + __mulhi(x[5], 7) + __sad(x[6], 1, 2u);
  l[0] = __popcll(l[1]) + __ffsll(l[2]) + __clzll(l[3]) + __brevll(l[4]) + llmax(l[5], l[6]);
  u[2] = __vadd4(u[0], u[1]) + __vsubss4(u[3], u[4]) + __vcmpgtu2(u[0], u[5]) + __vabsdiffu4(1, 2);
  x[1] = abs(x[2]) + min(x[3], x[4]) + max(u[5], 3u) + min(l[7], 5ll) + umin(u[1], u[2]);
}

void launch(int *x, unsigned *u, long long *l) {
  integers<<<1, 32>>>(x, u, l);
}
