// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Let all threads go round together": a loop that threads leave in different iterations, around a
// primitive. Where the thread's own number is added to the start of a counted loop, it moves into
// the body; else the loop goes on until a vote says that nobody needs it. The body gets the old
// condition as a guard, but for the primitives.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/spread.h"
#include "analysis/fixes/text.h"
#include "analysis/report/source.h"

#include <algorithm>
#include <regex>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

namespace {

class Evener {
public:
  Evener(const Context &context, const Range &place, std::vector<Candidate> &found)
      : context(context), place(place), path(pathTo(context.outline, place.begin)), found(found) {}

  void propose() {
    if (path.empty())
      return;
    options = spreadOptions(context, *path[0], &place);
    bool inner = false;
    for (std::size_t depth = path.size(); depth-- > 1;) {
      if (path[depth]->kind != Kind::Loop || path[depth]->children.empty())
        continue;
      if (isBlamed(*path[depth])) {
        options.deep = inner && blamedInside(depth);
        if (!options.deep)
          counted(depth);
        voted(depth);
      }
      inner = true;
    }
  }

private:
  /// Does the finding name the loop, or none in this file?
  bool isBlamed(const Statement &loop) const {
    bool named = false;
    for (const Related &related : context.finding.related) {
      if (related.role != Related::Role::Branch || related.range.file != context.path)
        continue;
      named = true;
      if (related.range.begin == loop.range.begin ||
          (loop.range.begin <= related.range.begin && loop.range.end == related.range.end))
        return true;
    }
    return !named;
  }

  bool blamedInside(std::size_t depth) const {
    for (std::size_t i = depth + 1; i < path.size(); ++i)
      if (path[i]->kind == Kind::Loop && isBlamed(*path[i]))
        return true;
    return false;
  }

  /// With the primitive's own mask, if it stays what it is, or the whole warp's for both.
  void voted(std::size_t depth) {
    const Call call = parseCall(textOf(context.text, place));
    const bool masked = takesMask(call.callee) && !call.arguments.empty();
    static const std::regex word(R"(\w+)");
    if (context.finding.rule == "divergent-barrier") {
      options.vote = "__syncthreads_or(";
      vote(depth, "");
    } else if (masked && std::regex_match(call.arguments[0], word) &&
               !assigns(textOf(context.text, path[depth]->range), call.arguments[0])) {
      options.vote = "__any_sync(" + call.arguments[0] + ", ";
      vote(depth, "");
    }
    if (context.finding.rule == "divergent-barrier" || (masked && isWholeMask(call.arguments[0])))
      return;
    options.vote = "__any_sync(0xffffffff, ";
    options.fullMask = true;
    vote(depth, masked ? call.arguments[0] : "");
    options.fullMask = false;
  }

  void vote(std::size_t depth, const std::string &unused) {
    if (auto edit = spreadLoop(options, path, depth))
      found.push_back(
          {"let all threads go round the loop together, by a vote",
           unused.empty() ? std::vector{*edit} : withoutUnused(context, {*edit}, unused)});
  }

  /// What `name` was declared with, in the function and before the loop.
  std::string definition(const std::string &name, const Statement &loop) const {
    const Range before{loop.range.file, path[0]->range.begin, loop.range.begin};
    const std::string code(textOf(context.text, before));
    const std::regex pattern("\\b" + name + R"(\s*=\s*([^;=,]+)[;,])");
    std::smatch match;
    return std::regex_search(code, match, pattern) ? match[1].str() : "";
  }

  /// Does a term differ between threads, as it is written or by what its names are declared with?
  bool isOwn(const std::string &term, const Statement &loop, int depth = 3) const {
    if (mentions(term, "threadIdx") || term.find("thread_rank") != std::string::npos)
      return true;
    return depth > 0 && std::ranges::any_of(identifiers(term), [&](const std::string &name) {
             return isOwn(definition(name, loop), loop, depth - 1);
           });
  }

  void counted(std::size_t depth) {
    const Statement &loop = *path[depth];
    if (loop.name.empty() || !loop.value.valid() || !loop.step.valid())
      return;
    std::string start = std::string(textOf(context.text, loop.value));
    if (auto terms = split(start, "+"); terms.size() == 1)
      if (std::string whole = definition(start, loop); split(whole, "+").size() > 1)
        start = whole; // `int i = blockIdx.x * blockDim.x + threadIdx.x;`
    std::vector<std::string> uniform, own;
    for (std::string_view term : split(start, "+"))
      (isOwn(trimmed(term), loop) ? own : uniform).push_back(trimmed(term));
    if (own.empty() || split(start, "?").size() > 1)
      return;
    for (bool all : {false, true}) { // `warp * 32 + lane`: first `lane` only
      if (all && own.size() == 1)
        break;
      std::vector<std::string> stay = uniform;
      std::vector<std::string> go = own;
      if (!all) {
        stay.insert(stay.end(), own.begin(), own.end() - 1);
        go = {own.back()};
      }
      if (auto edit = spreadCountedLoop(options, path, depth, joined(stay), joined(go)))
        found.push_back({"let all threads go round the loop together", {*edit}});
    }
  }

  static std::string joined(const std::vector<std::string> &terms) {
    std::string result;
    for (const std::string &term : terms)
      result += (result.empty() ? "" : " + ") + term;
    return result.empty() ? "0" : result;
  }

  const Context &context;
  const Range &place;
  StatementPath path;
  SpreadOptions options;
  std::vector<Candidate> &found;
};

} // namespace

void evenTripCount(const Context &context, std::vector<Candidate> &candidates) {
  const std::string &rule = context.finding.rule;
  if (rule == "divergent-primitive" || rule == "divergent-barrier" ||
      rule == "undefined-lane-value")
    for (const Range &place : placesOf(context))
      Evener(context, place, candidates).propose();
}

} // namespace warpdrf::fixes
