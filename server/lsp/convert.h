// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings as LSP diagnostics, and the conversions of places that go with them. What a finding
// means is the analysis' business; here is only how a client that can do this much is told of it.
#pragma once

#include "protocol/diagnostics.h"
#include "protocol/lifecycle.h"
#include "server/lsp/scheduler.h"

namespace warpdrf::lsp {

/// What the client can do, fixed at initialize.
struct Client {
  protocol::ClientCapabilities can;
  protocol::PositionEncoding encoding = protocol::PositionEncoding::Utf16;
  std::vector<std::string> serverCommands; ///< those that it was offered

  /// It asks for diagnostics, and asks again when told to: it need not be sent them.
  bool pulls() const { return can.pullDiagnostics && can.refreshDiagnostics; }
  /// A command that something happens at: here or in the client.
  bool carriesOut(std::string_view command) const;
};

/// Converts places of one report. Other files are read from disk, once, for their columns.
class Places {
public:
  Places(const Snapshot &document, protocol::PositionEncoding encoding)
      : document(document), encoding(encoding) {}

  /// Whether the place is in the checked document itself.
  bool here(const Range &range) const { return range.file == document.path || range.file.empty(); }
  protocol::Range range(const Range &range);
  protocol::Location location(const Range &range);
  std::string uri(const std::string &file) const;

private:
  const Text &textOf(const std::string &file);

  const Snapshot &document;
  protocol::PositionEncoding encoding;
  std::map<std::string, Text> others;
};

/// The rule's page in the documentation.
std::string ruleUrl(std::string_view rule);

/// The diagnostic of one finding, in the document that was checked: a finding in a header is shown
/// where the document leads there, or on its first line.
protocol::Diagnostic toDiagnostic(const Finding &finding, Places &places, const Client &client);

/// The same in the header where it is.
protocol::Diagnostic toHeaderDiagnostic(const Finding &finding, Places &places,
                                        const Client &client);

/// All diagnostics of a report: the unsuppressed findings, kernels that were not checked, parse
/// errors.
std::vector<protocol::Diagnostic> toDiagnostics(const Checked &checked, const Client &client);

} // namespace warpdrf::lsp
