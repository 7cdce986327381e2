// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector types, cache hints, address spaces, dynamic memory, textures.
__global__ void memory(float4 *x, const int2 *y, uchar4 *z, cudaTextureObject_t texture) {
  __shared__ float4 tile[8];
  float4 a = __ldg(x);
  a.w = make_float2(1, 2).y + __ldcg(y).x + __ldca(&y->y) + __ldcs(y + 1).y;
  tile[0] = make_float4(a.x, a.y, 0, 1);
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  *z = make_uchar4(address, 1, 2, 3);
  x[1] = *reinterpret_cast<float4 *>(&tile[1]);
  if (__isShared(tile) && !__isGlobal(tile))
    x[2].x = tex2D<float>(texture, 0.5f, 0.5f) + tex1Dfetch<float4>(texture, 3).y;
  int *own = static_cast<int *>(malloc(16));
  memset(own, 0, 16);
  memcpy(own, y, 8);
  free(own);
  int3 three{1, 2, 3};
  x[3].x = three.z + max(three.x, 4) + min(3u, 7) + max(2.f, 1.0) + sizeof(long2);
}

void launch(float4 *x, const int2 *y, uchar4 *z, cudaTextureObject_t t) {
  memory<<<1, 32>>>(x, y, z, t);
}
