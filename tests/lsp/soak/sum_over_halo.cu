// Includes a header that is open in the editor, too: what is typed there decides what is found here.
#include "halo.cuh"

// warpdrf: launch block=(128,1,1) grid=(1,1,1)
__global__ void sum_over_halo(const int *in, int *out) {
  __shared__ int tile[128 + halo];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < halo)
    tile[128 + threadIdx.x] = 0;
  wait_for_tile();
  out[threadIdx.x] = tile[threadIdx.x] + tile[threadIdx.x + halo - 1];
}
