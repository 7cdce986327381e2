// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Found only where nothing else has one.
#pragma once

#include "../include/omp.h"
