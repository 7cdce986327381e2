// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 2 of the WarpDRF paper. Two threads each fill a cell; thread 0 peeks at its neighbour's
// cell before anything orders the two, and the warp barrier A meant to help comes too late and
// inside the branch, where thread 1 never arrives. Barrier B is reached by both and orders the last
// reads. The cure is one barrier, B moved up behind the first writes.
//
// verdict: neighbours = race(shared)
// verdict: neighbours = divergent-participation
// verdict: neighboursFixed = drf
__global__ void neighbours(int *out) {
  __shared__ int g[2];
  int tid = threadIdx.x, local = 0, local2;
  g[tid] = tid + 1; // FAULT race
  if (tid == 0) {
    local = g[1]; // FAULT race
    // A
    __syncwarp(); // FAULT divergence
  }
  __syncwarp(); // B
  local2 = g[1 - tid];
  out[2 * tid] = local;
  out[2 * tid + 1] = local2;
}

__global__ void neighboursFixed(int *out) {
  __shared__ int g[2];
  int tid = threadIdx.x, local = 0, local2;
  g[tid] = tid + 1;
  __syncwarp(); // B
  if (tid == 0)
    local = g[1];
  local2 = g[1 - tid];
  out[2 * tid] = local;
  out[2 * tid + 1] = local2;
}

void launch(int *out) {
  neighbours<<<1, dim3(2, 1, 1)>>>(out);
  neighboursFixed<<<1, dim3(2, 1, 1)>>>(out);
}
