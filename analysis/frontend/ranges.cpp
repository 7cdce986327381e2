// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/frontend/ranges.h"

namespace warpdrf::frontend {
namespace {

Position position(const clang::SourceManager &sources, clang::FileIDAndOffset place) {
  return {sources.getLineNumber(place.first, place.second),
          sources.getColumnNumber(place.first, place.second)};
}

} // namespace

Range rangeOf(const clang::SourceManager &sources, const clang::LangOptions &language,
              clang::SourceRange range) {
  Range result;
  if (range.isInvalid())
    return result;
  clang::SourceLocation begin = sources.getExpansionLoc(range.getBegin());
  clang::CharSourceRange last = sources.getExpansionRange(range.getEnd());
  clang::SourceLocation end = last.getEnd();
  if (last.isTokenRange())
    end = end.getLocWithOffset(clang::Lexer::MeasureTokenLength(end, sources, language));
  auto from = sources.getDecomposedLoc(begin);
  auto to = sources.getDecomposedLoc(end);
  result.file = sources.getFilename(begin).str();
  result.begin = position(sources, from);
  // A range that starts in one file and ends in another (an #include in mid-expression) has no
  // text.
  bool ordered = from.first == to.first && from.second <= to.second;
  result.end = ordered ? position(sources, to) : result.begin;
  return result;
}

Range rangeOf(const clang::SourceManager &sources, const clang::LangOptions &language,
              clang::SourceLocation location) {
  return rangeOf(sources, language, clang::SourceRange(location));
}

} // namespace warpdrf::frontend
