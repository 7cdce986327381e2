// warpdrf: launch block=(64,1,1) grid=(1,1,1)
__global__ void reverse(int *x) {
  __shared__ int tile[64];
  int v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffff, v, d);
  tile[threadIdx.x] = v;
  x[threadIdx.x] = tile[63 - threadIdx.x];
}
