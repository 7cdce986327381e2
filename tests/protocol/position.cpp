// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line, three ways to count.
#include "protocol/position.h"
#include "tests/support/catch.h"

using namespace warpdrf::protocol;

// a: 1 byte; é: 2 bytes, 1 unit; €: 3 bytes, 1 unit; 𝄞: 4 bytes, 2 UTF-16 units
static const std::string line = "aé€𝄞z";

TEST_CASE("bytes to units and back") {
  struct Row {
    std::size_t bytes, utf16, utf32;
  };
  for (Row row :
       {Row{0, 0, 0}, Row{1, 1, 1}, Row{3, 2, 2}, Row{6, 3, 3}, Row{10, 5, 4}, Row{11, 6, 5}}) {
    CHECK(unitsFromBytes(line, row.bytes, PositionEncoding::Utf8) == row.bytes);
    CHECK(unitsFromBytes(line, row.bytes, PositionEncoding::Utf16) == row.utf16);
    CHECK(unitsFromBytes(line, row.bytes, PositionEncoding::Utf32) == row.utf32);
    CHECK(bytesFromUnits(line, row.bytes, PositionEncoding::Utf8) == row.bytes);
    CHECK(bytesFromUnits(line, row.utf16, PositionEncoding::Utf16) == row.bytes);
    CHECK(bytesFromUnits(line, row.utf32, PositionEncoding::Utf32) == row.bytes);
  }
}

TEST_CASE("inside a character means its start, past the end the end") {
  CHECK(bytesFromUnits(line, 4, PositionEncoding::Utf16) == 6);
  CHECK(bytesFromUnits(line, 2, PositionEncoding::Utf8) == 1);
  CHECK(bytesFromUnits(line, 99, PositionEncoding::Utf16) == 11);
  CHECK(unitsFromBytes(line, 99, PositionEncoding::Utf16) == 6);
  CHECK(unitsFromBytes(line, 8, PositionEncoding::Utf16) == 3);
}

TEST_CASE("bytes that are no UTF-8 count one each") {
  const std::string bad = "\xff\xc3(\xe2\x82";
  CHECK(unitsFromBytes(bad, bad.size(), PositionEncoding::Utf16) == 5);
  CHECK(bytesFromUnits(bad, 5, PositionEncoding::Utf16) == 5);
}
