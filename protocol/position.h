// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns in the encodings LSP 3.17 lets client and server choose from. Inside warpdrf a column is
// a byte of UTF-8; these functions are the only place that counts anything else.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpdrf::protocol {

enum class PositionEncoding { Utf8, Utf16, Utf32 };

std::string_view nameOf(PositionEncoding encoding);
std::optional<PositionEncoding> encodingNamed(std::string_view name);

/// Code units in the first `bytes` bytes of `line`. A byte that is no valid UTF-8 counts as one
/// unit.
std::size_t unitsFromBytes(std::string_view line, std::size_t bytes, PositionEncoding encoding);

/// The byte at `units` code units; past the end, the line's length; inside a character, its start.
std::size_t bytesFromUnits(std::string_view line, std::size_t units, PositionEncoding encoding);

} // namespace warpdrf::protocol
