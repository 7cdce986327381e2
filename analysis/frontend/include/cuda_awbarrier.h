// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory; CUDA keeps the primitives in a header of their own.
#pragma once

#include "cuda_awbarrier_primitives.h"
