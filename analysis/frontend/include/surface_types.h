// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name CUDA gives to a part of texture_types.h.
#pragma once

#include "texture_types.h"
