// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/report/source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace warpdrf {

static std::vector<std::size_t> lineStarts(const std::string &text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n')
      starts.push_back(i + 1);
  return starts;
}

void Sources::set(const std::string &path, std::string text) {
  File file{std::move(text), {}};
  file.starts = lineStarts(file.text);
  files[path] = std::move(file);
}

Sources::File &Sources::load(const std::string &path) {
  auto [it, isNew] = files.try_emplace(path);
  if (isNew) {
    std::error_code error; // reading a folder throws; what is no file has no text
    if (std::filesystem::is_regular_file(path, error)) {
      std::ifstream stream(path, std::ios::binary);
      it->second.text.assign(std::istreambuf_iterator<char>(stream), {});
    }
    it->second.starts = lineStarts(it->second.text);
  }
  return it->second;
}

const std::string &Sources::text(const std::string &path) {
  return load(path).text;
}

std::string_view Sources::line(const std::string &path, unsigned number) {
  const File &file = load(path);
  if (number == 0 || number > file.starts.size())
    return {};
  std::string_view rest = std::string_view(file.text).substr(file.starts[number - 1]);
  std::string_view line = rest.substr(0, rest.find('\n'));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  return line;
}

ParseError fileError(const std::string &path, const std::string &message) {
  ParseError error;
  error.range.file = path;
  error.message = message;
  return error;
}

std::size_t offsetOf(std::string_view text, Position position) {
  std::size_t start = 0;
  for (unsigned line = 1; line < position.line; ++line) {
    std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos)
      return text.size();
    start = end + 1;
  }
  std::size_t end = std::min(text.find('\n', start), text.size());
  return std::min(start + std::max(position.column, 1u) - 1, end);
}

std::string applyEdits(std::string_view text, std::vector<TextEdit> edits) {
  std::ranges::stable_sort(edits, {}, &TextEdit::range);
  std::string result(text);
  // From the back, so that offsets before an edit stay true.
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    std::size_t begin = offsetOf(text, edit->range.begin);
    std::size_t end = std::max(begin, offsetOf(text, edit->range.end));
    result.replace(begin, end - begin, edit->text);
  }
  return result;
}

} // namespace warpdrf
