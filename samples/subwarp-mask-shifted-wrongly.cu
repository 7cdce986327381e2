// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four octets of lanes each add up their own eight values. The mask should start at the octet's
// first lane, but it is shifted by the octet's number: lane 9 passes the mask of lanes 1 to 8, and
// is not in it. The cure is one multiplication.
//
// verdict: octets = divergent-participation
// verdict: octetsFixed = drf
__global__ void octets(const int *x, int *out) {
  int lane = threadIdx.x % 32, octet = lane / 8;
  unsigned mask = 0xffu << octet;
  int sum = x[blockIdx.x * 128 + threadIdx.x];
  for (int lanes = 4; lanes > 0; lanes /= 2)
    sum += __shfl_xor_sync(mask, sum, lanes, 8); // FAULT divergence
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void octetsFixed(const int *x, int *out) {
  int lane = threadIdx.x % 32, octet = lane / 8;
  unsigned mask = 0xffu << octet * 8;
  int sum = x[blockIdx.x * 128 + threadIdx.x];
  for (int lanes = 4; lanes > 0; lanes /= 2)
    sum += __shfl_xor_sync(mask, sum, lanes, 8);
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void launch(const int *x, int *out) {
  octets<<<16, 128>>>(x, out);
  octetsFixed<<<16, 128>>>(x, out);
}
