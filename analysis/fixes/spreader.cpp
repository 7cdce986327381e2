// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fixes/spreader.h"

#include "analysis/fixes/text.h"
#include "analysis/report/source.h"

#include <algorithm>
#include <regex>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

Spreader::Spreader(const SpreadOptions &options, const Range &region)
    : options(options), text(options.text), region(region), unit(indentUnit(options.text)) {
  std::vector<Range> &calls = this->options.calls;
  std::ranges::sort(calls);
  // A call in another one's arguments goes with it.
  std::vector<Range> outermost;
  for (const Range &call : calls)
    if (region.encloses(call) &&
        std::ranges::none_of(
            calls, [&](const Range &other) { return other != call && other.encloses(call); }) &&
        (outermost.empty() || outermost.back() != call))
      outermost.push_back(call);
  calls = std::move(outermost);
}

std::string Spreader::textOf(const Range &range) const {
  return std::string(fixes::textOf(text, range));
}

std::string Spreader::indentOf(const Statement &statement) const {
  return indentAt(text, statement.range.begin);
}

std::vector<Range> Spreader::callsIn(const Range &range) const {
  std::vector<Range> inside;
  for (const Range &call : options.calls)
    if (range.encloses(call))
      inside.push_back(call);
  return inside;
}

/// The rest of the region behind a statement.
std::string_view Spreader::after(const Statement &statement) const {
  return fixes::textOf(text, {region.file, statement.range.end, region.end});
}

Spreader::Statements Spreader::list(const Statement &body) {
  Statements result;
  if (body.kind == Kind::Compound)
    for (const Statement &child : body.children)
      result.push_back(&child);
  else
    result.push_back(&body);
  return result;
}

/// A declaration that somebody behind the run of statements needs, or that may be one.
bool Spreader::mustStayVisible(const Statement &statement, const Statement &lastOfRun) const {
  return statement.kind == Kind::Declaration &&
         (statement.name.empty() || mentions(after(lastOfRun), statement.name));
}

//===--- lists of statements
//---------------------------------------------------------------------===//

std::size_t Spreader::endOfRun(const Statements &all, std::size_t begin) const {
  std::size_t end = begin;
  while (end < all.size() && !holdsCall(*all[end]))
    ++end;
  for (std::size_t i = begin; i < end; ++i)
    if (mustStayVisible(*all[i], *all[end - 1]))
      return i;
  return end;
}

std::optional<Spread> Spreader::statements(const Statements &all, const std::string &condition) {
  Spread result;
  std::size_t pieces = 0;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = condition.empty() ? i : endOfRun(all, i);
    if (end > i + 1 || (end == i + 1 && all[i]->kind != Kind::Declaration)) {
      result.text += guarded(all, i, end, condition);
    } else {
      std::optional<Spread> each = one(*all[i], condition);
      if (!each)
        return std::nullopt;
      result.text += each->text;
      result.single &= each->single;
      end = i + 1;
    }
    ++pieces;
    if (end < all.size())
      result.text += textOf({region.file, all[end - 1]->range.end, all[end]->range.begin});
    i = end;
  }
  result.single &= pieces == 1;
  return result;
}

std::string Spreader::guarded(const Statements &all, std::size_t begin, std::size_t end,
                              const std::string &condition) {
  ++uses;
  const Statement &first = *all[begin];
  const std::string indent = indentOf(first);
  const std::string code = textOf({region.file, first.range.begin, all[end - 1]->range.end});
  if (end == begin + 1 && first.kind == Kind::If && first.children.size() == 1 &&
      first.condition.valid()) {
    const std::string own = textOf(first.condition);
    return textOf({region.file, first.range.begin, first.condition.begin}) + both(condition, own) +
           textOf({region.file, first.condition.end, first.range.end});
  }
  if (end == begin + 1 && first.kind == Kind::Compound)
    return "if (" + condition + ") " + code;
  const std::string inner = "\n" + indent + unit + reindented(code, indent, indent + unit);
  if (end == begin + 1 && code.find('\n') == std::string::npos)
    return "if (" + condition + ")" + inner;
  return "if (" + condition + ") {" + inner + "\n" + indent + "}";
}

std::optional<Spread> Spreader::one(const Statement &statement, const std::string &condition) {
  if (condition.empty() && (!holdsCall(statement) || !options.deep))
    return Spread{textOf(statement.range), true};
  if (!holdsCall(statement))
    return declaration(statement, condition);
  switch (statement.kind) {
  case Kind::Compound: {
    auto made = body(statement, "", statement, condition);
    return made ? std::optional(Spread{*made, true}) : std::nullopt;
  }
  case Kind::If:
    return branch(statement, condition);
  case Kind::Loop: {
    auto made = loop(statement, condition);
    return made ? std::optional(Spread{*made, true}) : std::nullopt;
  }
  case Kind::Declaration:
  case Kind::Other:
    return withCall(statement, condition);
  default:
    return std::nullopt;
  }
}

/// A declaration without a call, that must stay visible.
std::optional<Spread> Spreader::declaration(const Statement &statement,
                                            const std::string &condition) {
  const std::string code = textOf(statement.range);
  if (!statement.value.valid()) {
    if (touchesMemory(code) && code.find_first_of("=(") != std::string::npos)
      return std::nullopt;
    return Spread{code, true};
  }
  const std::string value = textOf(statement.value);
  if (!touchesMemory(value))
    return Spread{code, true};
  const std::string head = textOf({region.file, statement.range.begin, statement.value.begin});
  if (head.find_first_of("&*") != std::string::npos || mentions(head, "auto"))
    return std::nullopt; // the neutral value would need a type
  const std::optional<std::string> made = zeroed(condition, value);
  if (!made)
    return std::nullopt;
  return Spread{head + *made + textOf({region.file, statement.value.end, statement.range.end}),
                true};
}

//===--- statements with primitives in them
//---------------------------------------------------------===//

std::optional<Spread> Spreader::branch(const Statement &statement, const std::string &condition) {
  if (!statement.condition.valid() || !callsIn(statement.condition).empty())
    return hoisted(statement, condition);
  if (options.deep)
    return unwrapped(statement, condition);
  if (!condition.empty() && touchesMemory(textOf(statement.condition)))
    return std::nullopt;
  std::string result =
      textOf({region.file, statement.range.begin, statement.children[0].range.begin});
  auto first = body(statement.children[0], result, statement, condition);
  if (!first || statement.children.size() == 1)
    return first ? std::optional(Spread{*first, true}) : std::nullopt;
  std::string between =
      textOf({region.file, statement.children[0].range.end, statement.children[1].range.begin});
  auto second = body(statement.children[1], *first + between, statement, condition);
  return second ? std::optional(Spread{*second, true}) : std::nullopt;
}

/// The header and the body of a loop or branch; `firstStatement` goes in front of the others.
std::optional<std::string> Spreader::body(const Statement &body, const std::string &header,
                                          const Statement &parent, const std::string &condition,
                                          const std::string &firstStatement) {
  std::optional<Spread> made = statements(list(body), condition);
  if (!made)
    return std::nullopt;
  if (body.kind == Kind::Compound && !body.children.empty()) {
    const Statement &first = body.children.front(), &last = body.children.back();
    std::string open = textOf({region.file, body.range.begin, first.range.begin});
    std::string close = textOf({region.file, last.range.end, body.range.end});
    std::string added = firstStatement.empty() ? "" : firstStatement + "\n" + indentOf(first);
    return header + open + added + made->text + close;
  }
  if (firstStatement.empty() && made->single)
    return header + made->text;
  const std::string outer = indentOf(parent), inner = outer + unit;
  std::string code = reindented(made->text, indentOf(body), inner);
  if (!firstStatement.empty())
    code = firstStatement + "\n" + inner + code;
  std::string head = header;
  head.erase(head.find_last_not_of(" \t\r\n") + 1);
  return head + " {\n" + inner + code + "\n" + outer + "}";
}

/// A statement that is neither branch nor loop.
std::optional<Spread> Spreader::withCall(const Statement &statement, const std::string &condition) {
  std::string code, rest;
  Position at = statement.range.begin;
  for (const Range &call : callsIn(statement.range)) {
    auto made = called(call, statement, condition);
    if (!made)
      return std::nullopt;
    const std::string before = textOf({region.file, at, call.begin});
    code += before + *made;
    rest += before + "call";
    at = call.end;
  }
  const std::string tail = textOf({region.file, at, statement.range.end});
  code += tail, rest += tail;
  if (condition.empty() || trimmed(rest) == "call;")
    return Spread{code, true};
  static const std::regex assignment(R"(^([A-Za-z_]\w*)\s*([-+*/%&|^]|<<|>>)?=([^=].*);$)");
  std::smatch match;
  if (statement.kind == Kind::Declaration) {
    if (statement.value.valid() && !touchesMemory(rest.substr(rest.find('=') + 1)))
      return Spread{code, true};
  } else if (std::regex_match(rest, match, assignment) && !touchesMemory(match[3].str())) {
    // A variable of the region's own: nobody sees what the others have in it.
    const std::regex declared(R"(\b[A-Za-z_]\w*[\s&*]+)" + match[1].str() + R"(\s*[=;,])");
    const std::string before = textOf({region.file, region.begin, statement.range.begin});
    if (std::regex_search(before, declared))
      return Spread{code, true};
  }
  return hoisted(statement, condition);
}

static std::string resultName(const std::string &callee) {
  for (const auto &[part, name] : {std::pair{"shfl", "shuffled"},
                                   {"ballot", "votes"},
                                   {"_any", "vote"},
                                   {"_all", "vote"},
                                   {"_or", "vote"},
                                   {"_and", "vote"},
                                   {"reduce_", "reduced"},
                                   {"match", "matching"}})
    if (callee.starts_with("__") && callee.find(part) != std::string::npos)
      return name;
  return "result";
}

/// The results of the calls get names in front, and the rest its guard.
std::optional<Spread> Spreader::hoisted(const Statement &statement, const std::string &condition) {
  const std::string indent = indentOf(statement);
  std::string front, code;
  Position at = statement.range.begin;
  for (const Range &call : callsIn(statement.range)) {
    if (statement.kind == Kind::If &&
        !(statement.condition.valid() && statement.condition.encloses(call)))
      return std::nullopt;
    auto made = called(call, statement, condition);
    if (!made)
      return std::nullopt;
    std::string name = freshName(options.function, resultName(parseCall(*made).callee));
    while (std::ranges::find(taken, name) != taken.end())
      name += "_";
    taken.push_back(name);
    front += "const auto " + name + " = " + *made + ";\n" + indent;
    code += textOf({region.file, at, call.begin}) + name;
    at = call.end;
  }
  code += textOf({region.file, at, statement.range.end});
  if (condition.empty())
    return Spread{front + code, false};
  if (statement.kind == Kind::Declaration) {
    const std::size_t equals = code.find('=');
    if (!statement.value.valid() || mentions(code.substr(0, equals), "auto"))
      return std::nullopt;
    std::string value = trimmed(code.substr(equals + 1, code.rfind(';') - equals - 1));
    const std::optional<std::string> made = zeroed(condition, value);
    if (!made)
      return std::nullopt;
    return Spread{front + code.substr(0, equals) + "= " + *made + ";", false};
  }
  ++uses;
  if (statement.kind == Kind::If && statement.children.size() == 1) {
    const std::size_t open =
        textOf({region.file, statement.range.begin, statement.condition.begin}).size();
    const std::size_t rest =
        textOf({region.file, statement.condition.end, statement.range.end}).size();
    const std::string own = code.substr(open, code.size() - open - rest);
    code.replace(open, own.size(), both(condition, own));
    return Spread{front + code, false};
  }
  const bool braces = statement.kind == Kind::If && statement.children.size() > 1;
  return Spread{front + "if (" + condition + ")" + (braces ? " {" : "") + "\n" + indent + unit +
                    reindented(code, indent, indent + unit) + (braces ? "\n" + indent + "}" : ""),
                false};
}

} // namespace warpdrf::fixes
