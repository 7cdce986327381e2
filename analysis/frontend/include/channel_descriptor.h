// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name CUDA gives to a part of cuda_runtime.h.
#pragma once

#include "cuda_runtime.h"
