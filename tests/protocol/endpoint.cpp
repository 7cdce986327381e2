// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON-RPC: one answer per request, whatever happens.
#include "protocol/endpoint.h"
#include "protocol/lifecycle.h"
#include "tests/support/catch.h"

using namespace warpdrf::protocol;

namespace {

/// Collects what the endpoint sends.
class Sent : public Output {
public:
  bool write(std::string_view data) override {
    messages.push_back(Json::parse(data.substr(data.find("\r\n\r\n") + 4)));
    return true;
  }
  std::vector<Json> messages;
};

struct Peer {
  Sent sent;
  Endpoint endpoint{sent};

  /// The only answer to `message`, or null JSON if there is none.
  Json answer(const std::string &message) {
    sent.messages.clear();
    endpoint.receive(message);
    REQUIRE(sent.messages.size() <= 1);
    return sent.messages.empty() ? Json() : sent.messages[0];
  }
  int errorOf(const std::string &message) {
    Json json = answer(message);
    return json.contains("error") ? json["error"]["code"].get<int>() : 0;
  }
};

} // namespace

TEST_CASE("mistakes get the right error") {
  Peer peer;
  CHECK(peer.errorOf("{") == -32700);
  CHECK(peer.errorOf("") == -32700);
  CHECK(peer.errorOf("{\"a\":\"\xff\xfe\"}") == -32700);
  CHECK(peer.errorOf(std::string(100000, '[')) == -32700);
  CHECK(peer.errorOf("3") == -32600);
  CHECK(peer.errorOf("[]") == -32600);
  CHECK(peer.errorOf(R"([{"jsonrpc":"2.0","id":1,"method":"x"}])") == -32600);
  CHECK(peer.errorOf(R"({"id":1,"method":"x"})") == -32600);
  CHECK(peer.errorOf(R"({"jsonrpc":2,"id":1,"method":"x"})") == -32600);
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1,"method":7})") == -32600);
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1})") == -32600);
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":{},"method":"x"})") == -32600);
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1,"method":"x","params":3})") == -32602);
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1,"method":"x"})") == -32601);
}

TEST_CASE("half of a character is taken for an unknown one") {
  Peer peer;
  std::string text;
  peer.endpoint.onNotification<Json>("t", [&](const Json &params) { text = params["s"]; });
  auto sent = [&](const std::string &escaped) {
    peer.answer(R"({"jsonrpc":"2.0","method":"t","params":{"s":")" + escaped + R"("}})");
    return text;
  };
  CHECK(sent("a\\ud83d") == "a\uFFFD");
  CHECK(sent("\\uDE00 \\uD83D b") == "\uFFFD \uFFFD b");
  CHECK(sent("\\ud83d\\ude00") == "\U0001F600");
  CHECK(sent("\\\\ud83d") == "\\ud83d"); // a backslash, and letters
  CHECK(sent("\\ud83d\\ud83d\\ude00") == "\uFFFD\U0001F600");
}

TEST_CASE("the id comes back where there is one, else null") {
  Peer peer;
  CHECK(peer.answer("{")["id"].is_null());
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":[],"method":"x"})")["id"].is_null());
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":"seven","method":"x"})")["id"] == "seven");
  CHECK(peer.answer(R"({"id":7,"method":"x"})")["id"] == 7);
}

TEST_CASE("unknown and malformed notifications have no answer") {
  Peer peer;
  CHECK(peer.answer(R"({"jsonrpc":"2.0","method":"x"})").is_null());
  CHECK(peer.answer(R"({"jsonrpc":"2.0","method":"x","params":"y"})").is_null());
  CHECK(
      peer.answer(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}})").is_null());
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":5,"result":null})").is_null());
}

TEST_CASE("a handler that throws or forgets is one error reply") {
  Peer peer;
  peer.endpoint.onRequest<NoParams, Json>(
      "throws", [](const NoParams &, Reply<Json>) { throw std::runtime_error("oh"); });
  peer.endpoint.onRequest<NoParams, Json>("forgets", [](const NoParams &, Reply<Json>) {});
  peer.endpoint.onRequest<NoParams, Json>("twice", [](const NoParams &, Reply<Json> reply) {
    reply(1);
    reply(2);
  });
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":1,"method":"throws"})")["error"]["message"] == "oh");
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1,"method":"forgets"})") == -32603);
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":1,"method":"twice"})")["result"] == 1);
}

TEST_CASE("cancellation answers at once and stops the work") {
  Peer peer;
  std::vector<Reply<Json>> waiting;
  peer.endpoint.onRequest<NoParams, Json>(
      "slow", [&](const NoParams &, Reply<Json> reply) { waiting.push_back(reply); });
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":1,"method":"slow"})").is_null());
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","id":1,"method":"slow"})") == -32600); // id in use
  CHECK_FALSE(waiting[0].cancelled().stop_requested());
  CHECK(peer.errorOf(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})") ==
        -32800);
  CHECK(waiting[0].cancelled().stop_requested());
  peer.sent.messages.clear();
  waiting[0](1);
  CHECK(peer.sent.messages.empty());
  CHECK(peer.answer(R"({"jsonrpc":"2.0","id":1,"method":"slow"})").is_null()); // free again
  waiting.clear();
}

TEST_CASE("requests of our own find their answers") {
  Peer peer;
  std::vector<std::string> got;
  auto keep = [&](const Expected<Json> &answer) {
    auto *error = std::get_if<ResponseError>(&answer);
    got.push_back(error ? "!" + error->message : std::get<Json>(answer).dump());
  };
  peer.endpoint.call("ask", Json::object(), keep);
  peer.endpoint.call("ask", Json::object(), keep);
  REQUIRE(peer.sent.messages.size() == 2);
  peer.endpoint.receive(R"({"jsonrpc":"2.0","id":2,"error":{"code":1,"message":"no"}})");
  peer.endpoint.receive(R"({"jsonrpc":"2.0","id":1,"result":[1]})");
  peer.endpoint.receive(R"({"jsonrpc":"2.0","id":1,"result":[1]})");
  peer.endpoint.receive(R"({"jsonrpc":"2.0","id":"1","result":[1]})");
  CHECK(got == std::vector<std::string>{"!no", "[1]"});
}

TEST_CASE("what is sent is valid UTF-8 whatever it is made of") {
  Peer peer;
  peer.endpoint.notify("x", {{"text", "a\xff"}});
  CHECK(peer.sent.messages.at(0)["params"]["text"] == "a\xef\xbf\xbd");
}

TEST_CASE("lifecycle admits what may come now") {
  Lifecycle life;
  auto code = [&](std::string_view method) {
    auto error = life.admit(method);
    return error ? static_cast<int>(error->code) : 0;
  };
  CHECK(code("textDocument/hover") == -32002);
  CHECK(code("initialize") == 0);
  life.initialized();
  CHECK(code("initialize") == -32600);
  CHECK(code("textDocument/hover") == 0);
  life.shutDown();
  CHECK(code("textDocument/hover") == -32600);
  CHECK(code("exit") == 0);
  CHECK(life.exitCode() == 1);
  life.exit();
  CHECK(life.exitCode() == 0);
}
