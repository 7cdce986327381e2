// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conformance tests and what devices made of them, as JSON and text.
#pragma once

#include "analysis/conformance/test.h"

namespace warpdrf::render {

/// What the oracle expects of a test: layout and participants.
std::string expectedJson(const conformance::Test &test);

} // namespace warpdrf::render
