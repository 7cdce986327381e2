// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One side of a JSON-RPC conversation: a table of handlers by method, answers, cancellation, and
// requests of our own. Knows JSON-RPC, not LSP; the one exception is `$/cancelRequest`, which is
// its business.
//
// Promises: every request is answered exactly once, whatever its handler does (throws, forgets,
// answers twice, answers from another thread, is cancelled first); nothing a peer sends makes
// `receive` throw. `receive` is called by one thread; everything else is thread-safe. Reply objects
// must not outlive the endpoint.
#pragma once

#include "protocol/decode.h"
#include "protocol/error.h"
#include "protocol/framing.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

namespace warpdrf::protocol {

class Endpoint;

/// The duty to answer one request; copies share it. If the last copy goes away unanswered, the peer
/// is told of an internal error.
class AnyReply {
public:
  void result(Json value) const;
  void error(ErrorCode code, std::string message, Json data = nullptr) const;
  /// Stopped when the peer cancels. The peer has then been answered already; later answers are
  /// dropped.
  std::stop_token cancelled() const;

private:
  friend class Endpoint;
  struct State;
  std::shared_ptr<State> state;
};

template <typename Result>
class Reply {
public:
  Reply(AnyReply reply) : reply(std::move(reply)) {}
  void operator()(const Result &value) const { reply.result(Json(value)); }
  void error(ErrorCode code, std::string message, Json data = nullptr) const {
    reply.error(code, std::move(message), std::move(data));
  }
  std::stop_token cancelled() const { return reply.cancelled(); }

private:
  AnyReply reply;
};

class Endpoint {
public:
  explicit Endpoint(Output &output);
  ~Endpoint();
  Endpoint(const Endpoint &) = delete;

  /// Binds a request. The handler may answer later, from any thread.
  template <typename Params, typename Result>
  void onRequest(std::string method, std::function<void(const Params &, Reply<Result>)> handler) {
    requests[std::move(method)] = [handler = std::move(handler)](const Json &json, AnyReply reply) {
      Params params;
      Path::Root root("params");
      if (fromJson(json, params, root))
        handler(params, std::move(reply));
      else
        reply.error(ErrorCode::InvalidParams, root.error());
    };
  }

  template <typename Params>
  void onNotification(std::string method, std::function<void(const Params &)> handler) {
    notifications[std::move(method)] = [this, method,
                                        handler = std::move(handler)](const Json &json) {
      Params params;
      Path::Root root("params");
      if (fromJson(json, params, root))
        handler(params);
      else if (onBadNotification)
        onBadNotification(method + ": " + root.error());
    };
  }

  void notify(std::string_view method, Json params);

  using Then = std::function<void(const Expected<Json> &)>;
  /// Sends a request; `then` runs in `receive` when the answer comes, or never.
  void call(std::string_view method, Json params, Then then = {});

  /// Handles one message body.
  void receive(std::string_view body);
  /// Tells the peer about bytes that were no message.
  void reject(const ResponseError &error);

  /// Asked before each request and notification; an error refuses it. Without one all are admitted.
  std::function<std::optional<ResponseError>(std::string_view method)> admit;
  /// A notification that was malformed, or whose handler failed: JSON-RPC has no answer for those.
  std::function<void(const std::string &message)> onBadNotification;

private:
  friend class AnyReply;
  void handle(Json message);
  void handleRequest(const Json &id, const std::string &method, const Json &params);
  void handleNotification(const std::string &method, const Json &params);
  void handleResponse(const Json &message);
  void cancel(const Json &params);
  void send(Json message);
  void sendError(const Json &id, const ResponseError &error, Json data = nullptr);

  std::map<std::string, std::function<void(const Json &, AnyReply)>, std::less<>> requests;
  std::map<std::string, std::function<void(const Json &)>, std::less<>> notifications;
  MessageWriter writer;

  std::mutex mutex;                                                 ///< guards what follows
  std::map<std::string, std::weak_ptr<AnyReply::State>> unanswered; ///< by printed id
  std::map<std::int64_t, Then> awaited;
  std::int64_t lastCall = 0;
};

} // namespace warpdrf::protocol
