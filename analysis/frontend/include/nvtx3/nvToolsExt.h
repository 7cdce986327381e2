// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges and marks for the profiler.
#pragma once

typedef unsigned long long nvtxRangeId_t;

extern "C" {
int nvtxRangePushA(const char *name);
int nvtxRangePop();
void nvtxMarkA(const char *text);
nvtxRangeId_t nvtxRangeStartA(const char *name);
void nvtxRangeEnd(nvtxRangeId_t range);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
