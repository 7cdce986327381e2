// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting with one atomic per warp instead of one per hit. All goes well until n is no multiple of
// 32: in the last round some lanes have left the loop, and the ballot names them all the same. The
// cure: a warp goes round together, and a lane past the end votes no.
//
// verdict: countHits = divergent-participation
// verdict: countHitsFixed = drf
__global__ void countHits(const int *x, int n, int wanted, unsigned *hits) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    unsigned found = __ballot_sync(0xffffffff, x[i] == wanted); // FAULT divergence
    if (threadIdx.x % 32 == 0)
      atomicAdd(hits, __popc(found));
  }
}

__global__ void countHitsFixed(const int *x, int n, int wanted, unsigned *hits) {
  int stride = gridDim.x * blockDim.x;
  for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
    int i = base + threadIdx.x;
    unsigned found = __ballot_sync(0xffffffff, i < n && x[i] == wanted);
    if (threadIdx.x % 32 == 0)
      atomicAdd(hits, __popc(found));
  }
}

void launch(const int *x, int n, unsigned *hits) {
  countHits<<<80, 256>>>(x, n, 7, hits);
  countHitsFixed<<<80, 256>>>(x, n, 7, hits);
}
