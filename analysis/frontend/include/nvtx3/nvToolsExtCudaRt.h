// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for streams and events in the profiler.
#pragma once

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

extern "C" {
void nvtxNameCudaStreamA(cudaStream_t stream, const char *name);
void nvtxNameCudaEventA(cudaEvent_t event, const char *name);
}
