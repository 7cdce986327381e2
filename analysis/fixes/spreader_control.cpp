// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches, loops and returns whose primitives all threads shall execute.
#include "analysis/fixes/spreader.h"

#include "analysis/fixes/text.h"

#include <algorithm>
#include <regex>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

/// Runs `make` with the condition; again under a name if it is used often, or may change meanwhile.
std::optional<Spread> Spreader::named(const std::string &condition, std::string_view meanwhile,
                                      std::string &definition, const Make &make) {
  constexpr std::size_t shortEnough = 24;
  const unsigned outside = uses;
  std::optional<Spread> result = make(condition);
  const unsigned mine = uses - outside;
  const bool same = repeatable(condition, meanwhile);
  if (!result || (same && (mine < 2 || condition.size() <= shortEnough)) ||
      (mine < 2 && !touchesMemory(condition)))
    return result;
  const std::string name = freshName(options.function, "active");
  definition = "const bool " + name + " = " + condition + ";";
  taken.clear();
  return make(name);
}

/// `break` and the like that would leave `statement`; in a loop inside only `return`.
static bool leaves(const Statement &statement, bool inLoop = false) {
  if (statement.kind == Kind::Return)
    return true;
  if (!inLoop && (statement.kind == Kind::Break || statement.kind == Kind::Continue))
    return true;
  inLoop |= statement.kind == Kind::Loop;
  return std::ranges::any_of(statement.children,
                             [&](const Statement &child) { return leaves(child, inLoop); });
}

/// `if (c) { A; primitive; B; } else C`
std::optional<Spread> Spreader::unwrapped(const Statement &branching, const std::string &outer) {
  if (!branching.condition.valid() || !callsIn(branching.condition).empty() || leaves(branching))
    return std::nullopt;
  const Statement &then = branching.children[0];
  const Statement *otherwise = branching.children.size() > 1 ? &branching.children[1] : nullptr;
  const std::string indent = indentOf(branching);
  const std::string condition = both(outer, textOf(branching.condition));
  std::string definition;
  auto make = [&](const std::string &c) -> std::optional<Spread> {
    const bool elseCalls = otherwise && holdsCall(*otherwise);
    if (elseCalls && holdsCall(then))
      return std::nullopt;
    std::string opposite = negated(textOf(branching.condition), text);
    opposite = c == condition ? both(outer, opposite) : both(outer, "!" + c);
    const Statement &kept = elseCalls ? *otherwise : then;
    std::optional<Spread> made = statements(list(kept), elseCalls ? opposite : c);
    if (!made || !otherwise)
      return made;
    const Statement &first = list(kept).empty() ? kept : *list(kept).front();
    made->text = reindented(made->text, indentOf(first), indent);
    const Statement &rest = elseCalls ? then : *otherwise;
    std::string code = reindented(textOf(rest.range), indentOf(rest),
                                  rest.kind == Kind::Compound ? indent : indent + unit);
    std::string guard = "if (" + (elseCalls ? c : opposite) + ")" +
                        (rest.kind == Kind::Compound ? " " : "\n" + indent + unit) + code;
    ++uses;
    made->text =
        elseCalls ? guard + "\n" + indent + made->text : made->text + "\n" + indent + guard;
    made->single = false;
    return made;
  };
  std::optional<Spread> made = named(condition, textOf(branching.range), definition, make);
  if (!made)
    return std::nullopt;
  if (!otherwise && then.kind != Kind::Compound)
    made->text = reindented(made->text, indentOf(then), indent);
  if (!otherwise && then.kind == Kind::Compound && !then.children.empty()) {
    const Statement &first = then.children.front(), &last = then.children.back();
    const std::string lead =
        trimmed(textOf({region.file, then.range.begin, first.range.begin}).substr(1));
    std::string rest = textOf({region.file, last.range.end, then.range.end});
    rest.resize(rest.find_last_not_of(" \t\r\n}") + 1); // comments are kept
    if (!lead.empty())
      made->text = lead + "\n" + indentOf(first) + made->text;
    made->text = reindented(made->text + rest, indentOf(first), indent);
    made->single &= lead.empty() && rest.empty();
  }
  if (!definition.empty()) {
    made->text = definition + "\n" + indent + made->text;
    made->single = false;
  }
  return made;
}

/// A loop with a vote for a condition; without `deep`, and in a region that is not its own, it
/// stays.
std::optional<std::string> Spreader::loop(const Statement &loop, const std::string &outer) {
  const Statement &inside = loop.children.front();
  const std::string header = textOf({region.file, loop.range.begin, inside.range.begin});
  const bool own = loop.range == region;
  if (!own && !options.deep) {
    for (const Range &part : {loop.init, loop.condition, loop.step})
      if (part.valid() &&
          touchesMemory(std::regex_replace(
              textOf(part), std::regex(R"(^[\w\s]+=|\+\+|--|[-+*/&|^]=|<<=|>>=)"), "")))
        return std::nullopt;
    return body(inside, header, loop, outer);
  }
  if (!loop.condition.valid() || inside.range.begin < loop.condition.begin || leaves(inside) ||
      options.vote.empty() || !callsIn(loop.condition).empty())
    return std::nullopt;
  const std::string condition = both(outer, textOf(loop.condition));
  if (loop.step.valid()) { // those who are done go on counting
    static const std::regex counts(
        R"(^[\w.]*\s*(\+\+|--|([-+*/]|<<|>>)=[\s\w.*+]+)$|^(\+\+|--)\w+$)");
    if (!std::regex_match(textOf(loop.step), counts) ||
        std::regex_search(condition, std::regex("[!=]=")))
      return std::nullopt;
  }
  const std::string head = textOf({region.file, loop.range.begin, loop.condition.begin}) +
                           options.vote + condition + ")" +
                           textOf({region.file, loop.condition.end, inside.range.begin});
  std::string definition;
  auto make = [&](const std::string &c) -> std::optional<Spread> {
    auto made = body(inside, head, loop, c, definition);
    return made ? std::optional(Spread{*made, true}) : std::nullopt;
  };
  std::optional<Spread> made = named(condition, textOf(inside.range), definition, make);
  return made ? std::optional(made->text) : std::nullopt;
}

/// `for (int i = start + own; i < n; …)` counts for all from `start`.
std::optional<std::string> Spreader::countedLoop(const Statement &loop, const std::string &start,
                                                 const std::string &own) {
  const Statement &inside = loop.children.front();
  const std::string code = textOf(inside.range);
  const std::string &variable = loop.name;
  if (!loop.condition.valid() || !loop.step.valid() || leaves(inside) || assigns(code, variable))
    return std::nullopt;
  const std::string condition = textOf(loop.condition), step = textOf(loop.step);
  const std::regex compared("^" + variable + R"(\s*(<=|>=|<|>))");
  if (!std::regex_search(condition, compared))
    return std::nullopt;
  const std::string base = freshName(options.function, variable == "base" ? "first" : "base");
  const std::regex word("\\b" + variable + "\\b");
  const std::string declared = textOf({region.file, loop.init.begin, loop.value.begin});
  const std::string type =
      trimmed(std::regex_replace(declared, std::regex("\\b" + variable + R"(\s*=\s*$)"), ""));
  const std::string head = textOf({region.file, loop.range.begin, loop.init.begin}) +
                           std::regex_replace(declared, word, base) + start +
                           textOf({region.file, loop.value.end, loop.condition.begin}) +
                           std::regex_replace(condition, word, base) +
                           textOf({region.file, loop.condition.end, loop.step.begin}) +
                           std::regex_replace(step, word, base) +
                           textOf({region.file, loop.step.end, inside.range.begin});
  const std::string first = "const " + type + " " + variable + " = " + base + " + " + own + ";";
  std::string definition;
  auto make = [&](const std::string &c) -> std::optional<Spread> {
    const std::string lines =
        definition.empty() ? first
                           : first + "\n" +
                                 indentOf(inside.kind == Kind::Compound && !inside.children.empty()
                                              ? inside.children.front()
                                              : inside) +
                                 definition;
    auto made = body(inside, head, loop, c, lines);
    return made ? std::optional(Spread{*made, true}) : std::nullopt;
  };
  std::optional<Spread> made = named(condition, code, definition, make);
  return made ? std::optional(made->text) : std::nullopt;
}

/// What stands in the compound from `if (c) return;` on.
std::optional<Spread> Spreader::stayed(const Statement &compound, std::size_t index) {
  const Statement &leaving = compound.children[index];
  Statements rest;
  for (std::size_t i = index + 1; i < compound.children.size(); ++i)
    rest.push_back(&compound.children[i]);
  if (rest.empty() || !leaving.condition.valid() || leaving.children.size() != 1 ||
      !callsIn(leaving.condition).empty() ||
      std::ranges::any_of(rest, [](const Statement *each) { return leaves(*each); }))
    return std::nullopt;
  const std::string condition = negated(textOf(leaving.condition), text);
  const std::string indent = indentOf(leaving);
  std::string definition;
  std::optional<Spread> made =
      named(condition, textOf({region.file, rest.front()->range.begin, region.end}), definition,
            [&](const std::string &c) { return statements(rest, c); });
  if (!made)
    return std::nullopt;
  const std::string comment =
      trimmed(textOf({region.file, leaving.range.end, rest.front()->range.begin}));
  for (const std::string &line : {comment, definition})
    if (!line.empty())
      made->text = line + "\n" + indent + made->text;
  return made;
}

//===--- calls
//-----------------------------------------------------------------------------------===//

/// The call as all threads can make it.
std::optional<std::string> Spreader::called(const Range &call, const Statement &statement,
                                            const std::string &condition) {
  Call parts = parseCall(textOf(call));
  const bool masked = takesMask(parts.callee) && !parts.arguments.empty();
  if (options.fullMask && masked) {
    if (parts.callee == "__syncwarp")
      parts.arguments.clear();
    else
      parts.arguments[0] = "0xffffffff";
  }
  if (condition.empty())
    return parts.text();
  for (std::size_t i = masked ? 1 : 0; i < parts.arguments.size(); ++i) {
    auto made = argument(parts.callee, i, parts.arguments[i], statement, condition);
    if (!made)
      return std::nullopt;
    parts.arguments[i] = *made;
  }
  const std::string written = textOf(call);
  return trimmed(written).ends_with(")") ? std::optional(parts.text()) : std::nullopt;
}

std::optional<std::string> Spreader::argument(const std::string &callee, std::size_t index,
                                              const std::string &value, const Statement &statement,
                                              const std::string &condition) {
  auto is = [&](const char *pattern) { return std::regex_match(callee, std::regex(pattern)); };
  if (is("__(ballot|any)_sync|__syncthreads_(or|count)")) {
    ++uses;
    return both(condition, value);
  }
  if (is("__all_sync|__syncthreads_and")) {
    ++uses;
    return negated(condition, text) + " || (" + value + ")";
  }
  if (is("__match_\\w+"))
    return std::nullopt; // whatever the others bring, they match each other
  if (is("__reduce_\\w+")) {
    ++uses;
    if (is("__reduce_(add|or|xor)_sync"))
      return chosen(condition, value, "0");
    return is("__reduce_and_sync") ? std::optional(chosen(condition, value, "~0u")) : std::nullopt;
  }
  const bool address = value.starts_with("&") && value.find('(') == std::string::npos;
  if (index == 1 && takesMask(callee) && isStale(value, statement)) {
    // The others have something old in it: they must add nothing.
    if (!std::regex_search(textOf(statement.range), std::regex(R"(^\w+\s*[+|^]=)")))
      return std::nullopt;
    ++uses;
    return chosen(condition, value, "0");
  }
  if (!touchesMemory(value) || address)
    return value;
  return zeroed(condition, value);
}

/// What is 0 for the others. That changes no sum; a maximum, a minimum or a product it might.
std::optional<std::string> Spreader::zeroed(const std::string &condition,
                                            const std::string &value) {
  static const std::regex otherThanSum(R"((max|min)\w*\s*[(<]|\*=|\?)",
                                       std::regex::icase | std::regex::optimize);
  if (std::regex_search(textOf(region), otherThanSum))
    return std::nullopt;
  ++uses;
  return chosen(condition, value, "0");
}

/// Is the value set for some threads only, before the call hands it on?
bool Spreader::isStale(const std::string &value, const Statement &statement) const {
  const std::string before = textOf({region.file, region.begin, statement.range.begin});
  return std::ranges::any_of(identifiers(value), [&](const std::string &name) {
    const std::regex declared(R"(\b[A-Za-z_]\w*[\s&*]+)" + name + R"(\s*=)");
    return assigns(before, name) && !std::regex_search(before, declared);
  });
}

} // namespace warpdrf::fixes
