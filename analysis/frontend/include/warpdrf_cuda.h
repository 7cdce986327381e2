// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry to the bundled CUDA declarations: included before the first line of a file when no CUDA
// toolkit is installed, as nvcc includes cuda_runtime.h. The headers beside it carry the names CUDA
// gives them, so that a file's own includes find them.
//
// Nearly everything is only declared. What a function means to the checker is decided by its name;
// a body stands here only where it says more than the name does (make_float4, a group's rank).
//
// The device overloads of the math functions must be seen before <cmath>: a constexpr function of
// the C++ library would otherwise become host and device at once and shut ours out.
//
// However it is found, Clang must take it for a system header: only there may a constexpr function
// of the C++ library share a signature with a device function.
#pragma once
#pragma clang system_header

#include "host_defines.h"
#include "math_functions.h"

#if __has_include(<cmath>)
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#endif

#include "cuda_runtime.h"
