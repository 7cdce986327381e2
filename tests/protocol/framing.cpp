// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reader against everything a stream can hold.
#include "protocol/framing.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cstring>
#include <vector>

using namespace warpdrf::protocol;

namespace {

/// A stream that gives its bytes in pieces of a given size.
class Bytes : public Input {
public:
  Bytes(std::string data, std::size_t piece) : data(std::move(data)), piece(piece) {}
  std::size_t read(char *out, std::size_t size) override {
    std::size_t n = std::min({size, piece, data.size() - at});
    std::memcpy(out, data.data() + at, n);
    at += n;
    return n;
  }

private:
  std::string data;
  std::size_t piece, at = 0;
};

/// Bodies as they are, errors as "!code text", whatever the size of the pieces.
std::vector<std::string> readAll(const std::string &data, std::size_t limit = 1000) {
  std::vector<std::string> all, again;
  for (std::size_t piece : {std::size_t(1), std::size_t(7), std::size_t(100000)}) {
    Bytes input(data, piece);
    MessageReader reader(input, limit);
    again.clear();
    for (;;) {
      auto frame = reader.next();
      if (auto *error = std::get_if<ResponseError>(&frame))
        again.push_back("!" + std::to_string(static_cast<int>(error->code)) + " " + error->message);
      else if (auto *body = std::get_if<std::string>(&frame))
        again.push_back(*body);
      else
        break;
    }
    if (piece == 1)
      all = again;
    CHECK(again == all);
  }
  return all;
}

using Frames = std::vector<std::string>;
const std::string good = "Content-Length: 2\r\n\r\n{}";

} // namespace

TEST_CASE("framed messages, also by sloppy clients") {
  CHECK(readAll(good + good) == Frames{"{}", "{}"});
  CHECK(readAll("Content-Length: 2\n\n{}") == Frames{"{}"});
  CHECK(readAll("content-length:2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}") == Frames{"{}"});
  CHECK(readAll("\r\n\r\n" + good) == Frames{"{}"});
  CHECK(readAll("Content-Length: 0\r\n\r\n" + good) == Frames{"", "{}"});
}

TEST_CASE("a broken header costs one error, and the next message is found") {
  CHECK(readAll("Content-Length: two\r\n\r\n{}" + good) ==
        Frames{"!-32700 bad Content-Length ' two'", "{}"});
  CHECK(readAll("Content-Length: -5\r\n\r\n" + good) ==
        Frames{"!-32700 bad Content-Length ' -5'", "{}"});
  CHECK(readAll("Content-Length: 99999999999999999999999\r\n\r\n{}" + good).size() == 2);
  CHECK(readAll("Content-Length: 999999999999999999\r\n\r\n{}" + good).size() == 2);
  CHECK(readAll("Content-Type: x\r\n\r\n{\"a\":1}" + good) ==
        Frames{"!-32700 header without Content-Length", "{}"});
  CHECK(readAll("hello there\n" + good) ==
        Frames{"!-32700 not a header line: 'hello there'", "{}"});
}

TEST_CASE("a length that is too small") {
  CHECK(readAll("Content-Length: 1\r\n\r\n{}" + good) == Frames{"{", "{}"});
}

TEST_CASE("a message beyond the limit is skipped") {
  CHECK(readAll("Content-Length: 1001\r\n\r\n" + std::string(1001, ' ') + good) ==
        Frames{"!-32600 message of 1001 bytes is larger than the limit of 1000", "{}"});
}

TEST_CASE("an endless line without a header in it") {
  CHECK(readAll(std::string(100000, 'x') + "\n" + good).back() == "{}");
  CHECK(readAll(std::string(100000, 'x') + good).back() == "{}");
}

TEST_CASE("the stream ends anywhere") {
  for (std::size_t n = 0; n < good.size(); ++n)
    CHECK(readAll(good.substr(0, n)).empty());
}
