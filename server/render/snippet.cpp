// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/render/snippet.h"

#include <algorithm>

namespace warpdrf::render {

std::string Paint::operator()(const std::string &text, Color color) const {
  static constexpr const char *codes[] = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m",
                                          "\033[1;32m"};
  return on ? codes[color] + text + "\033[0m" : text;
}

/// Blanks as wide as the text: a tab stays one, a UTF-8 sequence counts once.
static std::string blanks(std::string_view text) {
  std::string result;
  for (unsigned char c : text)
    if (c == '\t')
      result += '\t';
    else if ((c & 0xc0) != 0x80)
      result += ' ';
  return result;
}

std::string snippet(const Range &range, Sources &sources, const Paint &paint) {
  std::string_view line = sources.line(range.file, range.begin.line);
  if (!range.valid() || line.empty())
    return "";
  constexpr std::size_t longest = 400; // generated code has lines of megabytes
  if (range.begin.column > longest)
    return "";
  std::size_t begin = std::min<std::size_t>(std::max(range.begin.column, 1u) - 1, line.size());
  std::size_t end = range.end.line == range.begin.line ? range.end.column - 1 : line.size();
  line = line.substr(0, longest);
  end = std::clamp(end, begin, line.size());
  std::string marks = blanks(line.substr(begin, end - begin));
  std::ranges::fill(marks, '~');
  if (marks.empty())
    marks = "~";
  marks[0] = '^';
  std::string number = std::to_string(range.begin.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string result = number + " | " + std::string(line) + "\n";
  result += std::string(number.size(), ' ') + " | " + blanks(line.substr(0, begin)) +
            paint(marks, Paint::Green) + "\n";
  return result;
}

} // namespace warpdrf::render
