// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of C++ in a text.
#pragma once

#include <string>

namespace warpdrf::fuzz {

/// Whether the word stands there as a whole.
bool mentions(const std::string &text, const std::string &word);

} // namespace warpdrf::fuzz
