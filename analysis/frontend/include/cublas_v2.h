// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of cuBLAS that files with kernels commonly call, so that their host code parses.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

#define CUBLAS_API_H_
#define CUBLAS_VER_MAJOR 12

typedef struct cublasContext *cublasHandle_t;
typedef cudaDataType cublasDataType_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *space, size_t size);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
const char *cublasGetStatusString(cublasStatus_t status);

#define WARPDRF_BLAS(T, S)                                                                         \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,         \
                                 int strideX, T *y, int strideY);                                  \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int stride);  \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T *x, int strideX, const T *y, \
                                int strideY, T *result);                                           \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t opA, int m, int n,       \
                                 const T *alpha, const T *a, int lda, const T *x, int strideX,     \
                                 const T *beta, T *y, int strideY);                                \
  cublasStatus_t cublas##S##gemm(                                                                  \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
      const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);     \
  cublasStatus_t cublas##S##gemmBatched(                                                           \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
      const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,     \
      T *const c[], int ldc, int count);                                                           \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                    \
      cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,    \
      const T *alpha, const T *a, int lda, long long strideA, const T *b, int ldb,                 \
      long long strideB, const T *beta, T *c, int ldc, long long strideC, int count);              \
  cublasStatus_t cublas##S##trsmBatched(                                                           \
      cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,   \
      cublasDiagType_t diagonal, int m, int n, const T *alpha, const T *const a[], int lda,        \
      T *const b[], int ldb, int count);
WARPDRF_BLAS(float, S)
WARPDRF_BLAS(double, D)
#undef WARPDRF_BLAS

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType typeA, int lda, const void *b, cudaDataType typeB, int ldb,
                            const void *beta, void *c, cudaDataType typeC, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opA,
                                   cublasOperation_t opB, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType typeA, int lda,
                                   const void *const b[], cudaDataType typeB, int ldb,
                                   const void *beta, void *const c[], cudaDataType typeC, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
    const void *alpha, const void *a, cudaDataType typeA, int lda, long long strideA, const void *b,
    cudaDataType typeB, int ldb, long long strideB, const void *beta, void *c, cudaDataType typeC,
    int ldc, long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
}
