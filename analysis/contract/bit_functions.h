// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the library that count or turn the bits of a number, and so are known on constants.
#pragma once

#include <cstdint>
#include <string>

namespace warpdrf::contract {

using BitFunction = std::int64_t (*)(std::int64_t);

/// What a function of this name gives; null for any other.
BitFunction bitFunction(const std::string &name);

} // namespace warpdrf::contract
