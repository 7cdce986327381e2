// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Hoist the barrier out of the branch": a barrier that only some threads reach moves behind or
// before the `if`, or the `if` is split around it. Only barriers move: they have no operands and no
// result.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"
#include "analysis/fixes/text.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

namespace {

/// One barrier in a branch of one `if`.
class Hoister {
public:
  Hoister(const Context &context, const Statement &branching, const Statement &branch,
          const Statement &barrier, std::vector<Candidate> &found)
      : text(context.text), branching(branching), branch(branch), barrier(barrier),
        code(textOf(text, barrier.range)), found(found) {}

  void propose() {
    if (const Statement *twin = barrierOfOtherArm())
      return add("merge the barriers of both branches behind the 'if'",
                 {remove(text, barrier), remove(text, *twin), behind()});
    if (branch.kind != Kind::Compound || branch.children.size() == 1)
      return alone();
    if (&branch.children.back() == &barrier)
      add(hoist, {remove(text, barrier), behind()});
    else if (&branch.children.front() == &barrier)
      add(hoist, {remove(text, barrier), insertBefore(text, branching, code)});
    else
      split();
  }

private:
  TextEdit behind() const { return insertAfter(text, branching, code); }

  bool hasElse() const { return branching.children.size() > 1; }

  const Statement *barrierOfOtherArm() const {
    if (!hasElse())
      return nullptr;
    const Statement &other = branching.children[&branch == &branching.children[0] ? 1 : 0];
    if (other.kind != Kind::Compound || other.children.empty() || branch.kind != Kind::Compound ||
        &branch.children.back() != &barrier)
      return nullptr;
    const Statement &last = other.children.back();
    return isBarrier(textOf(text, last.range)) ? &last : nullptr;
  }

  /// `if (condition)` without the branch.
  std::string head() const {
    std::string result(
        textOf(text, {"", branching.range.begin, branching.children[0].range.begin}));
    result.erase(result.find_last_not_of(" \t\r\n") + 1);
    return result;
  }

  std::string condition() const {
    std::string result = head();
    std::size_t open = result.find('('), close = result.rfind(')');
    return open == std::string::npos || close <= open ? ""
                                                      : result.substr(open + 1, close - open - 1);
  }

  /// The branch holds nothing else: without an `else` the whole `if` goes.
  void alone() {
    if (!hasElse() && repeatable(condition(), ""))
      add(hoist, {{branching.range, code}});
    else
      add(hoist, {{barrier.range, branch.kind == Kind::Compound ? "" : "{}"}, behind()});
  }

  /// `if (c) { A; barrier; B; }` becomes `if (c) { A; } barrier; if (c) { B; }`.
  void split() {
    if (hasElse())
      return;
    std::string before(textOf(text, {"", branch.range.begin, barrier.range.begin}));
    if (condition().empty() || !repeatable(condition(), before))
      return;
    std::string indent = indentAt(text, branching.range.begin);
    TextEdit edit = remove(text, barrier);
    bool ownLines = edit.range.begin.column == 1 && edit.range.end.column == 1;
    edit.text = ownLines ? indent + "}\n" + indent + code + "\n" + indent + head() + " {\n"
                         : "} " + code + " " + head() + " {";
    add("split the 'if' around the barrier", {edit});
  }

  void add(const std::string &title, std::vector<TextEdit> edits) {
    found.push_back({title, std::move(edits)});
  }

  static constexpr const char *hoist = "hoist the barrier out of the branch";

  std::string_view text;
  const Statement &branching;
  const Statement &branch;
  const Statement &barrier;
  std::string code;
  std::vector<Candidate> &found;
};

} // namespace

void hoistBarrier(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  if (rule != "divergent-barrier" && rule != "divergent-primitive")
    return;
  if (context.finding.primary.file != context.path)
    return;
  StatementPath path = pathTo(context.outline, context.finding.primary.begin);
  if (path.size() < 3 || !isBarrier(textOf(context.text, path.back()->range)))
    return;
  // …, if, [compound,] barrier
  std::size_t last = path.size() - 1;
  std::size_t branch = path[last - 1]->kind == Kind::Compound ? last - 1 : last;
  if (path[branch - 1]->kind == Kind::If)
    Hoister(context, *path[branch - 1], *path[branch], *path[last], candidates).propose();
}

} // namespace warpdrf::fixes
