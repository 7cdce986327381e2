// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name CUDA gives to a part of device_functions.h.
#pragma once

#include "device_functions.h"
