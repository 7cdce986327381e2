// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Incremental edits and column arithmetic.
#include "server/lsp/document.h"

#include "protocol/uri.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace warpdrf::lsp {

using protocol::PositionEncoding;

Text::Text(std::string text) : content(std::move(text)), starts{0} {
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (content[i] == '\r' && i + 1 < content.size() && content[i + 1] == '\n')
      ++i;
    if (content[i] == '\n' || content[i] == '\r')
      starts.push_back(i + 1);
  }
}

std::string_view Text::line(std::size_t number) const {
  if (number >= starts.size())
    return {};
  std::size_t end = number + 1 < starts.size() ? starts[number + 1] : content.size();
  std::string_view line(content.data() + starts[number], end - starts[number]);
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
    line.remove_suffix(1);
  return line;
}

std::size_t Text::offset(protocol::Position position, PositionEncoding encoding) const {
  if (position.line >= starts.size())
    return content.size();
  return starts[position.line] +
         protocol::bytesFromUnits(line(position.line), position.character, encoding);
}

protocol::Position toProtocol(Position position, const Text &text, PositionEncoding encoding) {
  if (position.line == 0)
    return {};
  unsigned line = position.line - 1, bytes = position.column ? position.column - 1 : 0;
  return {line, static_cast<unsigned>(protocol::unitsFromBytes(text.line(line), bytes, encoding))};
}

protocol::Range toProtocol(const Range &range, const Text &text, PositionEncoding encoding) {
  protocol::Position start = toProtocol(range.begin, text, encoding);
  return {start, std::max(start, toProtocol(range.end, text, encoding))};
}

Position fromProtocol(protocol::Position position, const Text &text, PositionEncoding encoding) {
  return {position.line + 1, 1 + static_cast<unsigned>(protocol::bytesFromUnits(
                                     text.line(position.line), position.character, encoding))};
}

bool isOnDisk(const Snapshot &document) {
  std::error_code error; // of anything but a file, reading may not end
  const std::string &text = document.text->str();
  if (!std::filesystem::is_regular_file(document.path, error) ||
      std::filesystem::file_size(document.path, error) != text.size())
    return false;
  std::ifstream file(document.path, std::ios::binary);
  std::string content(text.size(), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  return file && content == text;
}

const Snapshot &DocumentStore::open(const protocol::DidOpenParams &params) {
  return documents[params.uri] = {params.uri, protocol::pathFromUri(params.uri), params.version,
                                  std::make_shared<const Text>(params.text)};
}

const Snapshot *DocumentStore::change(const protocol::DidChangeParams &params,
                                      PositionEncoding encoding) {
  auto it = documents.find(params.uri);
  if (it == documents.end())
    return nullptr;
  Snapshot &document = it->second;
  for (const protocol::ContentChange &change : params.changes) {
    std::string content;
    if (change.range) {
      std::size_t a = document.text->offset(change.range->start, encoding);
      std::size_t b = document.text->offset(change.range->end, encoding);
      content = document.text->str();
      content.replace(std::min(a, b), std::max(a, b) - std::min(a, b), change.text);
    } else {
      content = change.text;
    }
    document.text = std::make_shared<const Text>(std::move(content));
  }
  document.version = params.version;
  return &document;
}

const Snapshot *DocumentStore::find(const std::string &uri) const {
  auto it = documents.find(uri);
  return it == documents.end() ? nullptr : &it->second;
}

bool isCuda(const std::string &languageId, const std::string &path) {
  if (languageId == "cuda-cpp" || languageId == "cuda")
    return true;
  return path.ends_with(".cu") || path.ends_with(".cuh");
}

} // namespace warpdrf::lsp
