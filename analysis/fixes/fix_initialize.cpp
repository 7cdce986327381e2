// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Start 's' from zero": shared memory that may be read before anybody wrote it gets its first
// value behind its declaration; with a barrier, unless one that is there already will do.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/spread.h"
#include "analysis/fixes/text.h"

#include <algorithm>
#include <regex>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

static std::string objectOf(const Finding &finding) {
  static const std::regex quoted(R"('(\w+)(\[[^']*)?' (is read )?before)");
  static const std::regex first(R"(read '(\w+))");
  std::smatch match;
  if (!finding.object.empty())
    return finding.object;
  if (std::regex_search(finding.message, match, first) ||
      std::regex_search(finding.message, match, quoted))
    return match[1];
  return "";
}

static bool leaves(const Statement &statement) {
  return statement.kind == Kind::Return || std::ranges::any_of(statement.children, leaves);
}

/// `code` behind the declaration; or both in front of what some threads leave at, for all of them
/// have to take part.
static std::vector<TextEdit> startedWith(const std::string &code, const Statement &declaration,
                                         const Statement &last, const Statement *leaving,
                                         std::string_view text) {
  if (!leaving)
    return {insertAfter(text, last, code)};
  const std::string indent = indentAt(text, leaving->range.begin);
  return {insertBefore(text, *leaving,
                       std::string(textOf(text, declaration.range)) + "\n" + indent + code),
          remove(text, declaration)};
}

void initialize(const Context &context, std::vector<Candidate> &candidates) {
  if (context.finding.rule != "uninitialized-shared" ||
      context.finding.primary.file != context.path)
    return;
  const std::string object = objectOf(context.finding);
  StatementPath path = pathTo(context.outline, context.finding.primary.begin);
  if (object.empty() || path.size() < 2)
    return;
  const std::vector<Statement> &all = path[0]->children;
  const bool flat = !mentions(textOf(context.text, path[0]->range), "threadIdx.y");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string code(textOf(context.text, all[i].range));
    const std::regex declared("__shared__[^;]*\\b" + object + R"((\[([^\[\]]+)\])?\s*[;,])");
    std::smatch match;
    if (all[i].kind != Kind::Declaration || !std::regex_search(code, match, declared))
      continue;
    const Statement &declaration = all[i];
    const auto before = all.begin() + static_cast<std::ptrdiff_t>(i);
    const auto leaving = std::find_if(all.begin(), before, leaves);
    while (i + 1 < all.size() && all[i + 1].kind == Kind::Declaration)
      ++i; // behind the other declarations
    const std::string indent = indentAt(context.text, all[i].range.begin);
    const std::string inner = "\n" + indent + indentUnit(context.text);
    std::string start;
    if (!match[1].matched)
      start = std::string("if (threadIdx.x == 0") + (flat ? "" : " && threadIdx.y == 0") + ")" +
              inner + object + " = 0;";
    else if (flat)
      start = "for (int cell = threadIdx.x; cell < " + match[2].str() + "; cell += blockDim.x)" +
              inner + object + "[cell] = 0;";
    else
      return;
    const std::string title = "start '" + object + "' from zero";
    for (const std::string &code : {start, start + "\n" + indent + "__syncthreads();"})
      candidates.push_back(
          {title, startedWith(code, declaration, all[i], leaving == before ? nullptr : &*leaving,
                              context.text)});
    return;
  }
}

} // namespace warpdrf::fixes
