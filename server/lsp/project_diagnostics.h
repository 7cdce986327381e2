// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes in the files that say how to check (.warpdrf.json, compile_commands.json, …), shown in
// these files. Every check of a document finds those of its project again; the documents of a
// project find the same.
#pragma once

#include "server/lsp/convert.h"
#include "server/lsp/scheduler.h"

#include <mutex>

namespace warpdrf::lsp {

/// Thread-safe.
class ProjectDiagnostics {
public:
  explicit ProjectDiagnostics(protocol::Endpoint &endpoint) : endpoint(endpoint) {}

  /// What this check found replaces what the document's last one did.
  void checked(const Checked &checked, const Client &client);
  void closed(const std::string &uri);

private:
  using ByFile = std::map<std::string, std::vector<protocol::Diagnostic>>; ///< by the file's URI

  void replace(const std::string &uri, ByFile found);
  void publish(const std::string &file);

  protocol::Endpoint &endpoint;
  std::mutex mutex; ///< guards what follows
  std::map<std::string, ByFile> byDocument;
  std::map<std::string, protocol::Json> published; ///< by file; absent: nothing stands there
};

} // namespace warpdrf::lsp
