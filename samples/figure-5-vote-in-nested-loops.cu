// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figure 5 of the WarpDRF paper. Two nested loops run twice in the lower half of the warp and four
// times in the upper half, around a vote that names all 32 lanes. In the third iteration of either
// loop the lower half is gone: the vote waits for lanes that will not come, or joins votes of
// different iterations. The cure: every lane runs every iteration, and the vote is told who counts.
//
// verdict: agree = divergent-participation
// verdict: agreeFixed = drf
__global__ void agree(int *out) {
  int trips = threadIdx.x < 16 ? 2 : 4;
  int votes = 0;
  for (int i = 0; i < trips; ++i)
    for (int j = 0; j < trips; ++j)
      votes += __any_sync(0xffffffff, i == j); // FAULT divergence
  out[threadIdx.x] = votes;
}

__global__ void agreeFixed(int *out) {
  int trips = threadIdx.x < 16 ? 2 : 4;
  int votes = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      bool mine = i < trips && j < trips;
      int any = __any_sync(0xffffffff, mine && i == j);
      if (mine)
        votes += any;
    }
  out[threadIdx.x] = votes;
}

void launch(int *out) {
  agree<<<1, 32>>>(out);
  agreeFixed<<<1, 32>>>(out);
}
