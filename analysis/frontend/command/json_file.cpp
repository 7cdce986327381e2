// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's parser keeps no places. A second walk over the text, which is known to be valid by then,
// finds them.
#include "analysis/frontend/command/json_file.h"

#include "analysis/frontend/read_file.h"

#include <cstdio>

namespace warpdrf::frontend {
namespace {

/// Deeper files are refused: the parser recurses, and a hostile file must not exhaust the stack.
constexpr unsigned MaxDepth = 100;

bool nestsTooDeep(llvm::StringRef text) {
  unsigned depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++depth > MaxDepth)
      return true;
    else if (!quoted && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

/// Records where each value and key of a valid text stands.
class Walker {
public:
  Walker(llvm::StringRef file, llvm::StringRef text, std::map<std::string, Range> &places)
      : file(file), text(text), places(places) {}

  void value(const std::string &at) {
    blanks();
    Position begin = here;
    if (peek() == '{')
      members(at, '}');
    else if (peek() == '[')
      members(at, ']');
    else if (peek() == '"')
      string();
    else
      while (i < text.size() && !llvm::StringRef(",]} \t\r\n").contains(peek()))
        step();
    places[at] = {file.str(), begin, here};
  }

private:
  char peek() const { return i < text.size() ? text[i] : '\0'; }
  void step() {
    if (peek() == '\n')
      here = {here.line + 1, 1};
    else
      ++here.column;
    ++i;
  }
  void blanks() {
    while (i < text.size() && llvm::StringRef(" \t\r\n").contains(peek()))
      step();
  }
  /// With its quotes.
  llvm::StringRef string() {
    std::size_t begin = i;
    step();
    while (i < text.size() && peek() != '"') {
      if (peek() == '\\')
        step();
      step();
    }
    step();
    return text.slice(begin, i);
  }

  void members(const std::string &at, char close) {
    step();
    for (unsigned count = 0; i < text.size(); ++count) {
      blanks();
      if (peek() == close)
        return step();
      std::string inner = at + "/" + std::to_string(count);
      if (close == '}') {
        Position begin = here;
        // A key with escapes is read by the one who knows how.
        llvm::Expected<llvm::json::Value> key = llvm::json::parse(string());
        if (key)
          inner = at + "/" + key->getAsString().value_or("").str();
        else
          llvm::consumeError(key.takeError());
        places[inner + ":key"] = {file.str(), begin, here};
        blanks();
        step(); // the colon
      }
      value(inner);
      blanks();
      if (peek() == ',')
        step();
    }
  }

  llvm::StringRef file, text;
  std::map<std::string, Range> &places;
  std::size_t i = 0;
  Position here{1, 1};
};

/// LLVM's "[2:7, byte=30]: Expected , or ]" as a place and a message.
ParseError syntaxError(const std::string &path, const std::string &message) {
  unsigned line = 1, column = 1;
  int length = 0;
  std::string text = message;
  if (std::sscanf(message.c_str(), "[%u:%u, byte=%*u]: %n", &line, &column, &length) == 2)
    text = message.substr(static_cast<std::size_t>(length));
  Position place{line, std::max(column, 1u)};
  return {{path, place, {place.line, place.column + 1}}, "this is not JSON: " + text};
}

} // namespace

JsonFile::JsonFile(std::string path, llvm::StringRef text, llvm::json::Value value)
    : path(std::move(path)), value(std::move(value)) {
  Walker(this->path, text, places).value("");
}

std::optional<JsonFile> JsonFile::read(const std::string &path, std::vector<ParseError> &problems) {
  std::string failure;
  std::unique_ptr<llvm::MemoryBuffer> buffer = readFile(path, failure);
  if (!buffer) {
    problems.push_back({{path, {1, 1}, {1, 1}}, "cannot read the file: " + failure});
    return std::nullopt;
  }
  llvm::StringRef text = buffer->getBuffer();
  text.consume_front("\xEF\xBB\xBF"); // a byte order mark
  if (nestsTooDeep(text)) {
    problems.push_back({{path, {1, 1}, {1, 2}}, "this nests too deeply"});
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(text);
  if (!json) {
    problems.push_back(syntaxError(path, llvm::toString(json.takeError())));
    return std::nullopt;
  }
  return JsonFile(path, text, std::move(*json));
}

Range JsonFile::placeOf(const std::string &at) const {
  auto found = places.find(at);
  return found == places.end() ? Range{path, {1, 1}, {1, 1}} : found->second;
}

} // namespace warpdrf::frontend
