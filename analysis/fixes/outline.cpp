// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fixes/outline.h"

#include "analysis/report/source.h"

#include <algorithm>

namespace warpdrf::fixes {

static bool contains(const Statement &statement, Position position) {
  return statement.range.begin <= position && position < statement.range.end;
}

StatementPath pathTo(const std::vector<Statement> &outline, Position position) {
  StatementPath path;
  const std::vector<Statement> *level = &outline;
  for (bool found = true; found;) {
    found = false;
    for (const Statement &statement : *level)
      if (contains(statement, position)) {
        path.push_back(&statement);
        level = &statement.children;
        found = true;
        break;
      }
  }
  return path;
}

std::vector<const Statement *> compoundsAround(const std::vector<Statement> &outline,
                                               const std::vector<Range> &places) {
  std::vector<const Statement *> compounds;
  for (const Range &place : places)
    for (const Statement *each : pathTo(outline, place.begin))
      if (each->kind == Statement::Kind::Compound &&
          std::ranges::find(compounds, each) == compounds.end())
        compounds.push_back(each);
  return compounds;
}

std::string_view textOf(std::string_view text, const Range &range) {
  std::size_t begin = offsetOf(text, range.begin);
  return text.substr(begin, std::max(begin, offsetOf(text, range.end)) - begin);
}

Position positionOf(std::string_view text, std::size_t offset) {
  std::string_view before = text.substr(0, offset);
  std::size_t line = before.rfind('\n') + 1; // npos + 1 is 0
  return {static_cast<unsigned>(std::ranges::count(before, '\n')) + 1,
          static_cast<unsigned>(offset - line) + 1};
}

static bool isBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

/// The offset where the line with this offset starts.
static std::size_t lineStart(std::string_view text, std::size_t offset) {
  std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

static bool startsLine(std::string_view text, std::size_t offset) {
  std::size_t start = lineStart(text, offset);
  return isBlank(text.substr(start, offset - start));
}

static bool endsLine(std::string_view text, std::size_t offset) {
  return isBlank(text.substr(offset, text.find('\n', offset) - offset));
}

std::string indentAt(std::string_view text, Position position) {
  std::size_t start = offsetOf(text, {position.line, 1});
  std::size_t end = text.find_first_not_of(" \t", start);
  return std::string(text.substr(start, std::min(end, text.size()) - start));
}

static TextEdit insertion(const Range &where, Position position, std::string code) {
  return {{where.file, position, position}, std::move(code)};
}

TextEdit insertBefore(std::string_view text, const Statement &statement, const std::string &code) {
  Position begin = statement.range.begin;
  bool ownLine = startsLine(text, offsetOf(text, begin));
  return insertion(statement.range, begin,
                   code + (ownLine ? "\n" + indentAt(text, begin) : std::string(" ")));
}

TextEdit insertAfter(std::string_view text, const Statement &statement, const std::string &code) {
  return insertion(statement.range, statement.range.end,
                   "\n" + indentAt(text, statement.range.begin) + code);
}

TextEdit insertAtEnd(std::string_view text, const Statement &compound, const std::string &code) {
  Position brace = compound.range.end;
  --brace.column;
  if (!startsLine(text, offsetOf(text, brace)) || compound.children.empty())
    return insertion(compound.range, brace, code + " ");
  Position lineBegin{brace.line, 1};
  std::string indent = indentAt(text, compound.children.back().range.begin);
  return insertion(compound.range, lineBegin, indent + code + "\n");
}

TextEdit remove(std::string_view text, const Statement &statement) {
  Range range = statement.range;
  if (startsLine(text, offsetOf(text, range.begin)) && endsLine(text, offsetOf(text, range.end))) {
    range.begin.column = 1;
    range.end = {range.end.line + 1, 1};
  }
  return {range, ""};
}

} // namespace warpdrf::fixes
