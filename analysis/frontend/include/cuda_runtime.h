// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that is visible in a CUDA file without an include, and the runtime API's C++ overloads: typed
// pointers, kernels and symbols instead of void *.
#pragma once

// Widespread helper headers look at the guards of the toolkit's own headers.
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"
#include "device_atomic_functions.h"
#include "device_functions.h"
#include "math_functions.h"
#include "vector_functions.h"
#include "warpdrf/texture_functions.h"

inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t x, size_t y) {
  return cudaPitchedPtr{pointer, pitch, x, y};
}
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return cudaPos{x, y, z};
}

cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags);

// Older code passes a place for an error's node and text.
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable, cudaGraph_t graph,
                                 cudaGraphNode_t *errorNode, char *log, size_t size);

// Memory.
template <class T>
cudaError_t cudaMalloc(T **pointer, size_t size);
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0);
template <class T>
cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags);
template <class T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal);
template <class T>
cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height);
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream);
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags);

// Symbols.
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class T>
cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol);
template <class T>
cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol);

// Kernels.
template <class T>
cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = 0);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t stream = 0);
template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Expected...),
                               Actual &&...arguments);
template <class T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value);
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel);
template <class T>
cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config);
template <class T>
cudaError_t cudaFuncSetSharedMemConfig(T *kernel, cudaSharedMemConfig config);
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int blockSize,
                                                          size_t shared);
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T kernel,
                                               size_t shared = 0, int limit = 0);
template <class Size, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize,
                                                           T kernel, Size size, int limit = 0);

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc();
