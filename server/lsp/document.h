// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open documents and their text. A snapshot is immutable and cheap to copy: the scheduler, a check
// on another thread and a waiting request can hold the same one while the user types on.
#pragma once

#include "analysis/report/report.h"
#include "protocol/documents.h"
#include "protocol/position.h"

#include <map>
#include <memory>

namespace warpdrf::lsp {

/// A text that knows its lines. Lines end with LF, CRLF or CR, as LSP and Clang have it. A line
/// asked for beyond the last is empty.
class Text {
public:
  explicit Text(std::string content);
  const std::string &str() const { return content; }
  std::string_view line(std::size_t number) const; ///< from 0, without its end
  std::size_t lines() const { return starts.size(); }
  /// Clamped to the line and to the text.
  std::size_t offset(protocol::Position position, protocol::PositionEncoding encoding) const;

private:
  std::string content;
  std::vector<std::size_t> starts;
};

struct Snapshot {
  std::string uri;
  std::string path;
  std::optional<int> version; ///< as the client counts; empty if it does not
  std::shared_ptr<const Text> text;
};

/// Conversions between the report's positions (from 1, bytes) and LSP's (from 0, code units).
protocol::Position toProtocol(Position position, const Text &text,
                              protocol::PositionEncoding encoding);
protocol::Range toProtocol(const Range &range, const Text &text,
                           protocol::PositionEncoding encoding);
Position fromProtocol(protocol::Position position, const Text &text,
                      protocol::PositionEncoding encoding);

/// Is that what the file on disk holds?
bool isOnDisk(const Snapshot &document);

/// The open documents. Used by the thread that reads messages only.
class DocumentStore {
public:
  /// Opens, or replaces what a confused client opened twice.
  const Snapshot &open(const protocol::DidOpenParams &params);
  /// Null if it is not open.
  const Snapshot *change(const protocol::DidChangeParams &params,
                         protocol::PositionEncoding encoding);
  bool close(const std::string &uri) { return documents.erase(uri) > 0; }
  const Snapshot *find(const std::string &uri) const;

private:
  std::map<std::string, Snapshot> documents;
};

/// Whether the document is CUDA by the client's language id (cuda-cpp, cuda) or its name (.cu,
/// .cuh).
bool isCuda(const std::string &languageId, const std::string &path);

} // namespace warpdrf::lsp
