// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp collects the candidates above a threshold into a shared list and learns the list's
// length from its last lane by a shuffle. "The shuffle synchronises the warp", so the list is read
// at once. But a shuffle exchanges registers only; it orders no memory. The cure is a warp barrier.
//
// verdict: strongest = race(shared)
// verdict: strongestFixed = drf
__global__ void strongest(const float *score, float threshold, int *out) {
  __shared__ int list[32];
  int lane = threadIdx.x;
  bool keep = score[blockIdx.x * 32 + lane] > threshold;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int before = __popc(kept & ((1u << lane) - 1));
  if (keep)
    list[before] = lane; // FAULT race
  int length = __shfl_sync(0xffffffff, before + keep, 31);
  // Newest first.
  out[blockIdx.x * 32 + lane] = lane < length ? list[length - 1 - lane] : -1; // FAULT race
}

__global__ void strongestFixed(const float *score, float threshold, int *out) {
  __shared__ int list[32];
  int lane = threadIdx.x;
  bool keep = score[blockIdx.x * 32 + lane] > threshold;
  unsigned kept = __ballot_sync(0xffffffff, keep);
  int before = __popc(kept & ((1u << lane) - 1));
  if (keep)
    list[before] = lane;
  __syncwarp();
  int length = __shfl_sync(0xffffffff, before + keep, 31);
  // Newest first.
  out[blockIdx.x * 32 + lane] = lane < length ? list[length - 1 - lane] : -1;
}

void launch(const float *score, int *out) {
  strongest<<<64, 32>>>(score, 0.5f, out);
  strongestFixed<<<64, 32>>>(score, 0.5f, out);
}
