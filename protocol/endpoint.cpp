// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting messages into requests, notifications, answers and mistakes.
#include "protocol/endpoint.h"

#include <atomic>
#include <charconv>

namespace warpdrf::protocol {

/// Deeper JSON is refused; LSP's own messages stay below 20.
static constexpr unsigned maximalDepth = 256;

struct AnyReply::State {
  Endpoint *endpoint = nullptr;
  Json id;
  std::atomic<bool> answered = false;
  std::stop_source stop;

  ~State() {
    if (take())
      endpoint->sendError(id, {ErrorCode::InternalError, "the request's handler failed"});
  }

  /// True for the first caller only: that one may answer.
  bool take() {
    if (answered.exchange(true))
      return false;
    std::lock_guard lock(endpoint->mutex);
    endpoint->unanswered.erase(id.dump());
    return true;
  }
};

void AnyReply::result(Json value) const {
  if (state->take())
    state->endpoint->send({{"jsonrpc", "2.0"}, {"id", state->id}, {"result", std::move(value)}});
}

void AnyReply::error(ErrorCode code, std::string message, Json data) const {
  if (state->take())
    state->endpoint->sendError(state->id, {code, std::move(message)}, std::move(data));
}

std::stop_token AnyReply::cancelled() const {
  return state->stop.get_token();
}

Endpoint::Endpoint(Output &output) : writer(output) {}
Endpoint::~Endpoint() = default;

void Endpoint::send(Json message) {
  // Paths and source text can hold bytes that are no UTF-8; replacing them beats losing the
  // message.
  writer.write(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void Endpoint::sendError(const Json &id, const ResponseError &error, Json data) {
  Json object = {{"code", static_cast<int>(error.code)}, {"message", error.message}};
  if (!data.is_null())
    object["data"] = std::move(data);
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(object)}});
}

void Endpoint::reject(const ResponseError &error) {
  sendError(nullptr, error);
}

void Endpoint::notify(std::string_view method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Endpoint::call(std::string_view method, Json params, Then then) {
  std::int64_t id;
  {
    std::lock_guard lock(mutex);
    id = ++lastCall;
    awaited[id] = std::move(then);
  }
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
}

/// The UTF-16 unit that `\uXXXX` at this offset stands for, or 0.
static unsigned unitAt(std::string_view body, std::size_t at) {
  unsigned unit = 0;
  if (at + 6 > body.size() || body.substr(at, 2) != "\\u")
    return 0;
  const auto [end, error] = std::from_chars(body.data() + at + 2, body.data() + at + 6, unit, 16);
  return error == std::errc() && end == body.data() + at + 6 ? unit : 0;
}

/// Half of an emoji is valid JSON, and an editor may well have deleted the other half. It becomes
/// U+FFFD, which takes as much room: who loses a change never gets the text right again.
static std::string withWholeCharacters(std::string_view body) {
  constexpr unsigned high = 0xd800, low = 0xdc00;
  std::string whole;
  for (std::size_t at = 0; at < body.size();) {
    std::size_t length = body[at] == '\\' ? 2 : 1;
    const unsigned kind = unitAt(body, at) & 0xfc00;
    if (kind == high && (unitAt(body, at + 6) & 0xfc00) == low)
      length = 12;
    else if (kind == high || kind == low) {
      whole += "\\ufffd";
      at += 6;
      continue;
    }
    whole += body.substr(at, length);
    at += length;
  }
  return whole;
}

static Json parse(std::string_view body) {
  const bool halves =
      body.find("\\ud") != std::string_view::npos || body.find("\\uD") != std::string_view::npos;
  return halves ? Json::parse(withWholeCharacters(body)) : Json::parse(body);
}

void Endpoint::receive(std::string_view body) {
  if (nestsDeeperThan(body, maximalDepth))
    return reject({ErrorCode::ParseError, "JSON nested too deeply"});
  try {
    handle(parse(body));
  } catch (const Json::parse_error &error) {
    // The library's own text quotes the offending bytes, which need not be printable.
    reject({ErrorCode::ParseError, "invalid JSON at byte " + std::to_string(error.byte)});
  } catch (const std::exception &error) {
    reject({ErrorCode::InternalError, error.what()});
  }
}

static bool isId(const Json &id) {
  return id.is_string() || id.is_number_integer();
}

void Endpoint::handle(Json message) {
  if (message.is_array())
    return reject({ErrorCode::InvalidRequest, "batches are not part of the protocol"});
  if (!message.is_object())
    return reject({ErrorCode::InvalidRequest, "expected an object"});

  bool hasId = message.contains("id"), hasMethod = message.contains("method");
  const Json id = hasId && isId(message["id"]) ? message["id"] : Json();
  if (!hasMethod && (message.contains("result") || message.contains("error")))
    return handleResponse(message);
  if (message.value("jsonrpc", Json()) != "2.0")
    return sendError(id, {ErrorCode::InvalidRequest, "jsonrpc: expected \"2.0\""});
  if (!hasMethod || !message["method"].is_string())
    return sendError(id, {ErrorCode::InvalidRequest, "method: expected a string"});
  if (hasId && id.is_null())
    return sendError(id, {ErrorCode::InvalidRequest, "id: expected an integer or a string"});

  static const Json none = Json::object();
  auto params = message.find("params");
  const Json &given = params == message.end() || params->is_null() ? none : *params;
  if (!given.is_object() && !given.is_array()) {
    if (hasId)
      sendError(id, {ErrorCode::InvalidParams, "params: expected an object"});
    return;
  }
  const std::string method = message["method"].get<std::string>();
  hasId ? handleRequest(id, method, given) : handleNotification(method, given);
}

void Endpoint::handleRequest(const Json &id, const std::string &method, const Json &params) {
  AnyReply reply;
  reply.state = std::make_shared<AnyReply::State>();
  reply.state->endpoint = this;
  reply.state->id = id;
  bool fresh;
  {
    std::lock_guard lock(mutex);
    auto &slot = unanswered[id.dump()];
    fresh = slot.expired();
    if (fresh)
      slot = reply.state;
  }
  if (!fresh) {
    // Answering must not touch the slot of the request that still runs under this id.
    reply.state->answered = true;
    return sendError(id, {ErrorCode::InvalidRequest, "id is in use by an unanswered request"});
  }
  if (auto refusal = admit ? admit(method) : std::nullopt)
    return reply.error(refusal->code, refusal->message);
  auto handler = requests.find(method);
  if (handler == requests.end())
    return reply.error(ErrorCode::MethodNotFound, "method not found: " + method);
  try {
    handler->second(params, reply);
  } catch (const std::exception &error) {
    reply.error(ErrorCode::InternalError, error.what());
  }
}

void Endpoint::handleNotification(const std::string &method, const Json &params) {
  if (method == "$/cancelRequest")
    return cancel(params);
  if (admit && admit(method))
    return;
  auto handler = notifications.find(method);
  if (handler == notifications.end())
    return; // JSON-RPC: unknown notifications are ignored
  try {
    handler->second(params);
  } catch (const std::exception &error) {
    if (onBadNotification)
      onBadNotification(method + ": " + error.what());
  }
}

void Endpoint::handleResponse(const Json &message) {
  auto id = message.find("id");
  if (id == message.end() || !id->is_number_integer())
    return;
  Then then;
  {
    std::lock_guard lock(mutex);
    auto found = awaited.find(id->get<std::int64_t>());
    if (found == awaited.end())
      return;
    then = std::move(found->second);
    awaited.erase(found);
  }
  if (!then)
    return;
  auto error = message.find("error");
  if (error == message.end())
    return then(message.value("result", Json()));
  const Json &text = descend(*error, {"message"});
  then(ResponseError{ErrorCode::RequestFailed, text.is_string() ? text.get<std::string>() : ""});
}

void Endpoint::cancel(const Json &params) {
  const Json &id = descend(params, {"id"});
  std::shared_ptr<AnyReply::State> state;
  if (isId(id)) {
    std::lock_guard lock(mutex);
    if (auto found = unanswered.find(id.dump()); found != unanswered.end())
      state = found->second.lock();
  }
  if (!state)
    return; // answered already, or never asked: both are normal
  if (state->take())
    sendError(id, {ErrorCode::RequestCancelled, "cancelled"});
  state->stop.request_stop();
}

} // namespace warpdrf::protocol
