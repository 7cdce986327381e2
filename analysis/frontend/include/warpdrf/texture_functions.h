// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture fetches and surface accesses through objects.
#pragma once

#include "../texture_types.h"

#define WARPDRF_TEXTURE(name, ...)                                                                 \
  template <class T>                                                                               \
  __device__ T name(cudaTextureObject_t texture, __VA_ARGS__);                                     \
  template <class T>                                                                               \
  __device__ void name(T *result, cudaTextureObject_t texture, __VA_ARGS__);
WARPDRF_TEXTURE(tex1Dfetch, int x)
WARPDRF_TEXTURE(tex1D, float x)
WARPDRF_TEXTURE(tex2D, float x, float y)
WARPDRF_TEXTURE(tex3D, float x, float y, float z)
WARPDRF_TEXTURE(tex1DLod, float x, float level)
WARPDRF_TEXTURE(tex2DLod, float x, float y, float level)
WARPDRF_TEXTURE(tex3DLod, float x, float y, float z, float level)
WARPDRF_TEXTURE(tex1DLayered, float x, int layer)
WARPDRF_TEXTURE(tex2DLayered, float x, float y, int layer)
WARPDRF_TEXTURE(texCubemap, float x, float y, float z)
WARPDRF_TEXTURE(texCubemapLayered, float x, float y, float z, int layer)
WARPDRF_TEXTURE(tex2Dgather, float x, float y, int component = 0)
#undef WARPDRF_TEXTURE

#define WARPDRF_SURFACE(read, write, ...)                                                          \
  template <class T>                                                                               \
  __device__ T read(cudaSurfaceObject_t surface, __VA_ARGS__,                                      \
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                          \
  template <class T>                                                                               \
  __device__ void read(T *result, cudaSurfaceObject_t surface, __VA_ARGS__,                        \
                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);                       \
  template <class T>                                                                               \
  __device__ void write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                         \
                        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
WARPDRF_SURFACE(surf1Dread, surf1Dwrite, int x)
WARPDRF_SURFACE(surf2Dread, surf2Dwrite, int x, int y)
WARPDRF_SURFACE(surf3Dread, surf3Dwrite, int x, int y, int z)
WARPDRF_SURFACE(surf2DLayeredread, surf2DLayeredwrite, int x, int y, int layer)
#undef WARPDRF_SURFACE
