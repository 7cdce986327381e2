// warpdrf: launch block=(64,1,1) grid=(1,1,1)
__global__ void total(int *x) {
  __shared__ int part[2];
  int v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffff, v, d);
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = v;
    __syncthreads();
  }
  if (threadIdx.x == 0)
    x[0] = part[0] + part[1];
}
