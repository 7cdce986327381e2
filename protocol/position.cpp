// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks a line character by character.
#include "protocol/position.h"

#include <algorithm>

namespace warpdrf::protocol {

std::string_view nameOf(PositionEncoding encoding) {
  switch (encoding) {
  case PositionEncoding::Utf8:
    return "utf-8";
  case PositionEncoding::Utf16:
    return "utf-16";
  case PositionEncoding::Utf32:
    return "utf-32";
  }
  return "utf-16";
}

std::optional<PositionEncoding> encodingNamed(std::string_view name) {
  for (PositionEncoding e :
       {PositionEncoding::Utf8, PositionEncoding::Utf16, PositionEncoding::Utf32})
    if (name == nameOf(e))
      return e;
  return std::nullopt;
}

/// Bytes of the character that starts at `line[i]`; 1 for anything malformed.
static std::size_t characterSize(std::string_view line, std::size_t i) {
  auto lead = static_cast<unsigned char>(line[i]);
  std::size_t size = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (i + size > line.size())
    return 1;
  for (std::size_t k = 1; k < size; ++k)
    if ((static_cast<unsigned char>(line[i + k]) & 0xC0) != 0x80)
      return 1;
  return size;
}

static std::size_t unitsOf(std::size_t characterBytes, PositionEncoding encoding) {
  if (encoding == PositionEncoding::Utf8)
    return characterBytes;
  return encoding == PositionEncoding::Utf16 && characterBytes == 4 ? 2 : 1;
}

std::size_t unitsFromBytes(std::string_view line, std::size_t bytes, PositionEncoding encoding) {
  bytes = std::min(bytes, line.size());
  if (encoding == PositionEncoding::Utf8)
    return bytes;
  std::size_t units = 0;
  for (std::size_t i = 0; i < bytes;) {
    std::size_t size = characterSize(line, i);
    if (i + size > bytes)
      break;
    units += unitsOf(size, encoding);
    i += size;
  }
  return units;
}

std::size_t bytesFromUnits(std::string_view line, std::size_t units, PositionEncoding encoding) {
  std::size_t i = 0, seen = 0;
  while (i < line.size()) {
    std::size_t size = characterSize(line, i);
    seen += unitsOf(size, encoding);
    if (seen > units)
      break;
    i += size;
  }
  return i;
}

} // namespace warpdrf::protocol
