// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Start 's' from zero": shared memory that may be read before anybody wrote it gets its first
// value behind its declaration; with a barrier, unless one that is there already will do.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/spread.h"
#include "analysis/fixes/text.h"

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
    candidates.push_back({title, {insertAfter(context.text, all[i], start)}});
    candidates.push_back(
        {title, {insertAfter(context.text, all[i], start + "\n" + indent + "__syncthreads();")}});
    return;
  }
}

} // namespace warpdrf::fixes
