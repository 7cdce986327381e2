// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fixes propose for a finding at marked places, before anything is checked.
#pragma once

#include "analysis/fixes/fixes.h"
#include "analysis/report/source.h"
#include "tests/support/catch.h"

namespace warpdrf::test {

/// The position of the first `mark` in the text, which is taken out.
inline Position takeMark(std::string &text, char mark) {
  std::size_t at = text.find(mark);
  REQUIRE(at != std::string::npos);
  std::size_t line = text.rfind('\n', at) + 1;
  Position position{static_cast<unsigned>(std::count(text.begin(), text.begin() + at, '\n')) + 1,
                    static_cast<unsigned>(at - line) + 1};
  text.erase(at, 1);
  return position;
}

/// A place from a `$` to the `@` behind it on the line, or of one byte.
inline Range takeRange(std::string &text, const std::string &path) {
  Position begin = takeMark(text, '$'), end{begin.line, begin.column + 1};
  if (text.find('@') != std::string::npos)
    end = takeMark(text, '@');
  return {path, begin, end};
}

/// All candidates for a finding at the first `$` (and an access at the second), as title and text;
/// of several with one title the first.
inline std::map<std::string, std::string> proposals(Finding finding, std::string text) {
  const std::string path = "fix_test.cu";
  finding.primary = takeRange(text, path);
  if (text.find('$') != std::string::npos)
    finding.related.push_back({Related::Role::Access, "", takeRange(text, path)});
  std::string error;
  frontend::Frontend frontend;
  frontend::TranslationUnit unit =
      frontend.lower(path, text, frontend::findCommand(path, "", {}, std::nullopt, error));
  std::map<std::string, std::string> result;
  for (const fixes::Candidate &candidate : fixes::candidates({finding, unit.functions, text, path}))
    result.emplace(candidate.title, applyEdits(text, candidate.edits));
  return result;
}

inline Finding finding(const std::string &rule, Scope scope = Scope::Warp) {
  Finding made;
  made.rule = rule;
  made.scope = scope;
  return made;
}

} // namespace warpdrf::test
