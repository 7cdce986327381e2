// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the client's lists of problems. A document's own check says most of it; a check
// also finds mistakes in the files that say how to check (.warpdrf.json, compile_commands.json, …)
// and findings in headers, which are shown in these files. Several documents may find the same
// there.
//
// A client that asks for diagnostics (textDocument/diagnostic), and asks again when it is told to,
// gets all it can in this way and is not sent the same once more; others are sent everything
// (textDocument/publishDiagnostics). Both are made here, of one list.
#pragma once

#include "protocol/endpoint.h"
#include "server/lsp/convert.h"
#include "server/lsp/scheduler.h"

#include <mutex>

namespace warpdrf::lsp {

/// Thread-safe.
class Diagnostics {
public:
  Diagnostics(protocol::Endpoint &endpoint, const Client &client)
      : endpoint(endpoint), client(client) {}

  /// What a check found, or knows so far, replaces what the document's last one said.
  void checked(const Checked &checked);
  void failed(const Snapshot &document, const std::string &reason);
  void closed(const std::string &uri);

  /// The client asks about a document, and will get an `answer`.
  void asked(const std::string &uri);
  /// Nothing, if nothing is known of this text.
  std::optional<protocol::DocumentDiagnosticReport> answer(const std::string &uri,
                                                           const std::shared_ptr<const Text> &text,
                                                           const std::string &previousId);

private:
  using List = std::vector<protocol::Diagnostic>;
  using ByFile = std::map<std::string, List>; ///< by the file's URI

  /// What is known of one document or other file.
  struct File {
    std::shared_ptr<const Text> text; ///< of an open document: what `own` is about
    std::optional<int> version;
    List own;
    protocol::Json published;         ///< null: nothing stands there
    unsigned waiting = 0;             ///< questions that have no answer yet
    bool pulled = false;              ///< the client asks about it
    std::string answered;             ///< the id of what it knows
    std::vector<std::string> related; ///< it was told of these files along with it
  };

  void replace(const Snapshot &document, List own, ByFile others);
  void publish(const std::string &uri, bool evenIfOld);
  void refresh(const ByFile &files);
  List listOf(const std::string &uri, bool own, bool others) const;
  List pulledListOf(const std::string &uri) const;

  protocol::Endpoint &endpoint;
  const Client &client;
  std::mutex mutex; ///< guards what follows
  std::map<std::string, File> files;
  std::map<std::string, ByFile> byDocument; ///< what documents' checks found in other files
};

} // namespace warpdrf::lsp
