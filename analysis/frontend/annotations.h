// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds `// warpdrf: …` comments. Works on the text alone, so it also sees what the preprocessor
// removes.
#pragma once

#include "analysis/frontend/frontend.h"

#include <string>
#include <vector>

namespace warpdrf::frontend {

/// `path` names the file in the ranges.
std::vector<Annotation> findAnnotations(const std::string &path, const std::string &text);

} // namespace warpdrf::frontend
