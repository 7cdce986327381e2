// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lenses, hints and tokens are asked for when a text changes. They also change when something else
// does (settings, a header, the second stage of a check) or when a check took longer than the
// request could wait: then the client is told to ask again.
#pragma once

#include "protocol/endpoint.h"
#include "server/lsp/convert.h"
#include "server/lsp/scheduler.h"

#include <mutex>
#include <set>

namespace warpdrf::lsp {

/// Thread-safe.
class Refresh {
public:
  enum class What { Lenses, Hints, Tokens };

  Refresh(protocol::Endpoint &endpoint, const Client &client)
      : endpoint(endpoint), client(client) {}

  /// A request had to be answered without a check.
  void unanswered(What what);
  void checked(const Checked &checked);
  void closed(const std::string &uri);

private:
  void ask(What what);

  struct Told {
    std::shared_ptr<const Text> text;
    std::size_t digest = 0;
  };

  protocol::Endpoint &endpoint;
  const Client &client;
  std::mutex mutex; ///< guards what follows
  std::set<What> missed;
  std::map<std::string, Told> documents;
};

} // namespace warpdrf::lsp
