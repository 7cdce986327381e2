// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of decoding name the place.
#include "protocol/code_action.h"
#include "protocol/documents.h"
#include "protocol/hover.h"
#include "protocol/lifecycle.h"
#include "tests/support/catch.h"

using namespace warpdrf::protocol;

template <typename T>
static std::string errorOf(const char *text) {
  T out;
  Path::Root root("params");
  bool ok = fromJson(Json::parse(text), out, root);
  CHECK(ok == root.error().empty());
  return root.error();
}

TEST_CASE("a decoding error names the place and what was expected") {
  CHECK(errorOf<HoverParams>("[]") == "params: expected an object");
  CHECK(errorOf<HoverParams>("{}") == "params.textDocument: missing");
  CHECK(errorOf<HoverParams>(R"({"textDocument":{"uri":3}})") ==
        "params.textDocument.uri: expected a string");
  CHECK(errorOf<HoverParams>(
            R"({"textDocument":{"uri":"a"},"position":{"line":-1,"character":0}})") ==
        "params.position.line: number out of range");
  CHECK(
      errorOf<DidChangeParams>(
          R"({"textDocument":{"uri":"a","version":1},"contentChanges":[{"text":"x"},{"text":[]}]})") ==
      "params.contentChanges[1].text: expected a string");
  CHECK(errorOf<DidOpenParams>(R"({"textDocument":null})") ==
        "params.textDocument: expected an object");
}

TEST_CASE("numbers out of range and floats") {
  auto line = [](const std::string &number) {
    return errorOf<Position>((R"({"character":0,"line":)" + number + "}").c_str());
  };
  CHECK(line("4294967295") == "");
  CHECK(line("4294967296") == "params.line: number out of range");
  CHECK(line("3.0") == "");
  CHECK(line("3.5") == "params.line: expected an integer");
  CHECK(line("1e300") == "params.line: expected an integer");
  CHECK(line("18446744073709551615") == "params.line: number out of range");
}

TEST_CASE("unknown fields and null optionals are fine") {
  CHECK(errorOf<ContentChange>(R"({"range":null,"rangeLength":7,"text":"x","more":{}})") == "");
}

TEST_CASE("malformed capabilities count as absent") {
  InitializeParams params;
  Path::Root root("params");
  REQUIRE(fromJson(
      Json::parse(R"({"capabilities":{"textDocument":[1],"window":{"workDoneProgress":"yes"},
      "general":{"positionEncodings":[1,"utf-32","utf-16"]}}})"),
      params, root));
  CHECK_FALSE(params.capabilities.relatedInformation);
  CHECK_FALSE(params.capabilities.workDoneProgress);
  CHECK(negotiate(params.capabilities.positionEncodings) == PositionEncoding::Utf32);
}

TEST_CASE("position encodings are negotiated") {
  CHECK(negotiate({}) == PositionEncoding::Utf16);
  CHECK(negotiate({"utf-16", "utf-8"}) == PositionEncoding::Utf8);
  CHECK(negotiate({"utf-7"}) == PositionEncoding::Utf16);
}

TEST_CASE("code action kinds are prefixes") {
  CodeActionParams params;
  CHECK(wanted(params, "quickfix"));
  params.only = {"refactor"};
  CHECK_FALSE(wanted(params, "quickfix"));
  params.only = {"quick"};
  CHECK_FALSE(wanted(params, "quickfix"));
  params.only = {"source", ""};
  CHECK(wanted(params, "quickfix"));
  params.only = {"quickfix"};
  CHECK(wanted(params, "quickfix.warpdrf"));
}

TEST_CASE("nesting is measured outside of strings") {
  CHECK_FALSE(nestsDeeperThan(R"({"a":[1,"[[[[\"[["]})", 2));
  CHECK(nestsDeeperThan("[[[]]]", 2));
  CHECK_FALSE(nestsDeeperThan("[[]][[]][[]]", 2));
}
