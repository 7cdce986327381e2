// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The positive values of a warp are to be added up. `__activemask()` looks like the set of lanes
// that took the branch, but it is a snapshot of those that happen to run together; the rest of them
// may come later and form a sum of their own. The cure: ask before the branch, with a ballot.
//
// verdict: addPositive = divergent-participation
// verdict: addPositiveFixed = drf
__global__ void addPositive(const int *x, int *out) {
  int v = x[blockIdx.x * 32 + threadIdx.x], sum = 0;
  if (v > 0) {
    unsigned there = __activemask();   // FAULT divergence
    sum = __reduce_add_sync(there, v); // FAULT divergence
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

__global__ void addPositiveFixed(const int *x, int *out) {
  int v = x[blockIdx.x * 32 + threadIdx.x], sum = 0;
  unsigned positive = __ballot_sync(0xffffffff, v > 0);
  if (v > 0)
    sum = __reduce_add_sync(positive, v);
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

void launch(const int *x, int *out) {
  addPositive<<<16, 32>>>(x, out);
  addPositiveFixed<<<16, 32>>>(x, out);
}
