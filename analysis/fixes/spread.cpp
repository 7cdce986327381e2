// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fixes/spread.h"

#include "analysis/fixes/spreader.h"
#include "analysis/fixes/text.h"
#include "analysis/report/source.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

std::string indentUnit(std::string_view text) {
  constexpr std::size_t widest = 8;
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    const std::size_t code = text.find_first_not_of(" \t", line);
    const std::size_t width = std::min(code, text.size()) - line;
    if (width > 0 && width <= widest && code < text.size() && text[code] != '\n' &&
        text[code] != '*') // of a comment's block
      return text[line] == '\t' ? "\t" : std::string(text.substr(line, width));
    if (text.find('\n', line) == std::string_view::npos)
      break;
  }
  return "  ";
}

/// The edit that puts `made` in the place of a statement, with braces where its parent has none and
/// there are several now.
static TextEdit replacing(std::string_view text, const StatementPath &path, std::size_t depth,
                          const Spread &made) {
  const Statement &statement = *path[depth];
  if (made.single || depth == 0 || path[depth - 1]->kind == Kind::Compound)
    return {statement.range, made.text};
  const std::string outer = indentAt(text, path[depth - 1]->range.begin);
  const std::string inner = outer + indentUnit(text);
  const std::string body = reindented(made.text, indentAt(text, statement.range.begin), inner);
  Position begin = statement.range.begin;
  std::size_t offset = offsetOf(text, begin);
  std::size_t before = text.find_last_not_of(" \t\r\n", offset - 1) + 1;
  std::string_view line = text.substr(0, before);
  line = line.substr(line.rfind('\n') + 1);
  if (line.find("//") == std::string_view::npos) // else the brace would be in the comment
    begin = positionOf(text, before);
  const std::string open = begin < statement.range.begin ? " {\n" + inner : "{\n" + inner;
  return {{statement.range.file, begin, statement.range.end}, open + body + "\n" + outer + "}"};
}

std::optional<TextEdit> spreadIf(const SpreadOptions &options, const StatementPath &path,
                                 std::size_t depth) {
  std::optional<Spread> made = Spreader(options, path[depth]->range).unwrapped(*path[depth], "");
  if (!made)
    return std::nullopt;
  return replacing(options.text, path, depth, *made);
}

std::optional<TextEdit> spreadLoop(const SpreadOptions &options, const StatementPath &path,
                                   std::size_t depth) {
  std::optional<std::string> made = Spreader(options, path[depth]->range).loop(*path[depth], "");
  if (!made)
    return std::nullopt;
  return TextEdit{path[depth]->range, *made};
}

std::optional<TextEdit> spreadCountedLoop(const SpreadOptions &options, const StatementPath &path,
                                          std::size_t depth, const std::string &start,
                                          const std::string &own) {
  const Statement &loop = *path[depth];
  std::optional<std::string> made = Spreader(options, loop.range).countedLoop(loop, start, own);
  if (!made)
    return std::nullopt;
  return TextEdit{loop.range, *made};
}

std::optional<TextEdit> spreadReturn(const SpreadOptions &options, const Statement &compound,
                                     std::size_t index) {
  const Statement &leaving = compound.children[index];
  Range region{leaving.range.file, leaving.range.begin, compound.children.back().range.end};
  std::optional<Spread> made = Spreader(options, region).stayed(compound, index);
  if (!made)
    return std::nullopt;
  return TextEdit{region, made->text};
}

} // namespace warpdrf::fixes
