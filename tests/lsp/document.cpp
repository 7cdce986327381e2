// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text, positions and edits.
#include "server/lsp/document.h"
#include "tests/support/catch.h"

using namespace warpdrf;
using namespace warpdrf::lsp;
using protocol::PositionEncoding;

TEST_CASE("lines end with LF, CRLF or CR") {
  Text text("a\nb\r\nc\rd");
  REQUIRE(text.lines() == 4);
  CHECK(text.line(0) == "a");
  CHECK(text.line(1) == "b");
  CHECK(text.line(2) == "c");
  CHECK(text.line(3) == "d");
  CHECK(text.line(4) == "");
  CHECK(text.offset({3, 0}, PositionEncoding::Utf16) == 7);
  CHECK(text.offset({1, 99}, PositionEncoding::Utf16) == 3);
  CHECK(text.offset({99, 0}, PositionEncoding::Utf16) == 8);
  CHECK(Text("").lines() == 1);
}

TEST_CASE("positions go to the protocol and back") {
  Text text("é = x;\n");
  CHECK(toProtocol(Position{1, 6}, text, PositionEncoding::Utf16) == protocol::Position{0, 4});
  CHECK(toProtocol(Position{1, 6}, text, PositionEncoding::Utf8) == protocol::Position{0, 5});
  CHECK(fromProtocol({0, 4}, text, PositionEncoding::Utf16) == Position{1, 6});
  CHECK(toProtocol(Position{}, text, PositionEncoding::Utf16) == protocol::Position{0, 0});
}

TEST_CASE("a range whose end is before its start is made whole") {
  DocumentStore store;
  store.open({"file:///a.cu", "cuda", 1, "abcdef"});
  protocol::ContentChange change{protocol::Range{{0, 4}, {0, 2}}, "-"};
  auto *after = store.change({"file:///a.cu", 2, {change}}, PositionEncoding::Utf8);
  REQUIRE(after);
  CHECK(after->text->str() == "ab-ef");
  CHECK(after->version == 2);
}

TEST_CASE("what is CUDA") {
  CHECK(isCuda("cuda-cpp", "x"));
  CHECK(isCuda("cpp", "/a/b.cuh"));
  CHECK(isCuda("", "/a/b.cu"));
  CHECK_FALSE(isCuda("cpp", "/a/b.cpp"));
}
