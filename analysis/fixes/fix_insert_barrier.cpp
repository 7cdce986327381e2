// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Insert `__syncthreads();`": for a race, the weakest barrier that could order it, at the places
// where it could lie between the two accesses. Whether it does, and whether all threads come by,
// the re-check decides.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"

#include <algorithm>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

namespace {

class Inserter {
public:
  Inserter(const Context &context, std::string barrier, std::vector<Candidate> &found)
      : context(context), barrier(std::move(barrier)), found(found) {}

  /// Points between two places of one function, and at the end of each loop around both.
  void between(const StatementPath &a, const StatementPath &b) {
    std::size_t common = 0;
    while (common < std::min(a.size(), b.size()) && a[common] == b[common])
      ++common;
    if (common == 0)
      return; // different functions
    const StatementPath &later = comesLater(a, b, common) ? a : b;
    // The outermost point between them first: outside of loops it costs least. Then further in.
    for (std::size_t depth = common; depth < later.size(); ++depth)
      before(later, depth);
    for (std::size_t depth = common; depth-- > 0;)
      if (isLoop(*a[depth]))
        atEndOf(*a[depth]);
    for (std::size_t depth = common; depth-- > 0;)
      if (isLoop(*a[depth])) {
        atStartOf(*a[depth]);
        twice(later, common, *a[depth]);
      }
  }

  /// For a function that is called again: whoever calls it need not think of it.
  void atStartOfFunction(const StatementPath &path) {
    const Statement &body = *path.front();
    if (!body.children.empty() && !isBarrierAlready(body.children.front()))
      add("before line " + std::to_string(body.children.front().range.begin.line),
          {insertBefore(context.text, body.children.front(), barrier)});
  }

private:
  static bool isLoop(const Statement &statement) {
    return statement.kind == Kind::Loop && !statement.children.empty();
  }

  static bool comesLater(const StatementPath &a, const StatementPath &b, std::size_t common) {
    if (a.size() <= common || b.size() <= common)
      return a.size() > common;
    return b[common]->range.begin < a[common]->range.begin;
  }

  /// Next to a barrier that orders as many threads, or more, this one would order nothing.
  bool isBarrierAlready(const Statement &statement) const {
    const std::string_view code = textOf(context.text, statement.range);
    return isBarrier(code) && (code.starts_with("__syncthreads") || code == barrier);
  }

  void before(const StatementPath &path, std::size_t depth) {
    if (depth == 0 || path[depth - 1]->kind != Kind::Compound || isBarrierAlready(*path[depth]))
      return;
    add("before line " + std::to_string(path[depth]->range.begin.line),
        {insertBefore(context.text, *path[depth], barrier)});
  }

  void atEndOf(const Statement &loop) {
    const Statement &body = loop.children.front();
    if (!body.children.empty() && isBarrierAlready(body.children.back()))
      return;
    if (body.kind == Kind::Compound) {
      add("at the end of the loop body", {insertAtEnd(context.text, body, barrier)});
      return;
    }
    Range start{body.range.file, body.range.begin, body.range.begin};
    Range end{body.range.file, body.range.end, body.range.end};
    add("at the end of the loop body", {{start, "{ "}, {end, " " + barrier + " }"}});
  }

  /// For what a `continue` skips at the end.
  void atStartOf(const Statement &loop) {
    const Statement &body = loop.children.front();
    if (body.kind == Kind::Compound && !body.children.empty() &&
        !isBarrierAlready(body.children.front()))
      add("at the start of the loop body",
          {insertBefore(context.text, body.children.front(), barrier)});
  }

  /// Both in an iteration and before the next one.
  void twice(const StatementPath &later, std::size_t common, const Statement &loop) {
    const Statement &body = loop.children.front();
    for (std::size_t depth = common; depth < later.size() && depth > 0; ++depth)
      if (body.kind == Kind::Compound && later[depth - 1]->kind == Kind::Compound)
        add("before line " + std::to_string(later[depth]->range.begin.line) +
                " and at the end of the loop body",
            {insertBefore(context.text, *later[depth], barrier),
             insertAtEnd(context.text, body, barrier)});
  }

  void add(const std::string &where, std::vector<TextEdit> edits) {
    if (std::ranges::find(found, edits, &Candidate::edits) == found.end())
      found.push_back({"insert '" + barrier + "' " + where, std::move(edits)});
  }

  const Context &context;
  std::string barrier;
  std::vector<Candidate> &found;
};

/// The accesses first, then the calls that lead to them.
std::vector<StatementPath> places(const Context &context) {
  std::vector<StatementPath> paths;
  auto add = [&](const Range &range) {
    if (!range.valid() || range.file != context.path)
      return;
    StatementPath path = pathTo(context.outline, range.begin);
    if (!path.empty() && std::ranges::find(paths, path) == paths.end())
      paths.push_back(std::move(path));
  };
  add(context.finding.primary);
  for (Related::Role role : {Related::Role::Access, Related::Role::Call})
    for (const Related &related : context.finding.related)
      if (related.role == role)
        add(related.range);
  return paths;
}

/// Are both accesses in one function that is called, so that the barrier belongs there?
bool inHelper(const Context &context, const std::vector<StatementPath> &paths) {
  const Range *other = context.finding.otherAccess();
  if (paths.size() < 3 || !other || other->file != context.path)
    return false;
  const StatementPath path = pathTo(context.outline, other->begin);
  return !path.empty() && path == paths[1] && paths[0].front() == path.front() &&
         paths[2].front() != path.front();
}

} // namespace

void insertBarrier(const Context &context, std::vector<Candidate> &candidates) {
  if (context.finding.rule != "race")
    return;
  std::vector<std::string> barriers;
  if (context.finding.scope == Scope::Warp)
    barriers = {"__syncwarp();", "__syncthreads();"};
  else if (context.finding.scope == Scope::Block)
    barriers = {"__syncthreads();"};
  std::vector<StatementPath> paths = places(context);
  for (const std::string &barrier : barriers) {
    Inserter inserter(context, barrier, candidates);
    if (inHelper(context, paths)) {
      inserter.between(paths[0], paths[1]);
      inserter.atStartOfFunction(paths[0]);
    }
    // Different places before a place against itself (the next iteration, another thread).
    for (std::size_t distance = 1; distance < paths.size(); ++distance)
      for (std::size_t i = 0; i + distance < paths.size(); ++i)
        inserter.between(paths[i], paths[i + distance]);
    for (const StatementPath &path : paths)
      inserter.between(path, path);
  }
}

} // namespace warpdrf::fixes
