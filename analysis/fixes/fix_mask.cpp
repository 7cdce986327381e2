// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Correct the mask": a group's mask that is shifted to the wrong place, the whole warp's where all
// lanes are there, or who takes the branch, asked with a ballot in front of it. Never
// `__activemask()`: it does not say who will come.
#include "analysis/fixes/fixes.h"
#include "analysis/fixes/outline.h"
#include "analysis/fixes/text.h"
#include "analysis/report/source.h"

#include <algorithm>
#include <bit>
#include <regex>

namespace warpdrf::fixes {

using Kind = Statement::Kind;

namespace {

class Corrector {
public:
  Corrector(const Context &context, std::vector<Candidate> &found)
      : context(context), text(context.text), place(context.finding.primary),
        path(pathTo(context.outline, place.begin)), call(parseCall(textOf(text, place))),
        found(found) {}

  void propose() {
    if (path.empty() || !takesMask(call.callee))
      return;
    const std::string &rule = context.finding.rule;
    if (rule == "mask-mismatch" && !call.arguments.empty())
      shifted();
    if ((rule == "mask-mismatch" || rule == "undefined-lane-value") && !call.arguments.empty() &&
        !isWholeMask(call.arguments[0]))
      whole();
    if (rule == "activemask" || rule == "divergent-primitive" || rule == "mask-mismatch")
      voted();
  }

private:
  /// Where the mask is computed: the argument, or what the variable in it is declared with.
  Range source() const {
    const Range argument = maskOf(place, call);
    if (const Statement *declared = declaration(call.arguments[0], path))
      return declared->value;
    return argument;
  }

  static const Statement *declaration(const std::string &name, const StatementPath &path) {
    const Statement *result = nullptr;
    for (const Statement *around : path)
      for (const Statement &each : around->children)
        if (each.kind == Kind::Declaration && each.name == name && each.value.valid() &&
            each.range.begin < path.back()->range.begin)
          result = &each;
    return result;
  }

  /// The first argument of a call.
  Range maskOf(const Range &place, const Call &call) const {
    const std::string_view code = textOf(text, place);
    const std::size_t begin =
        offsetOf(text, place.begin) + code.find(call.arguments[0], code.find('(') + 1);
    return {place.file, positionOf(text, begin),
            positionOf(text, begin + call.arguments[0].size())};
  }

  /// `0xff << lane % 4 * 8`, or `0xff << lane / 8`: eight lanes whose mask begins elsewhere.
  void shifted() {
    const Range where = source();
    const std::string code(textOf(text, where));
    static const std::regex bits(R"(^\(?\s*0x([fF]+|[137][fF]*)[uU]?\s*<<\s*(.*?)\)?$)");
    std::smatch match;
    if (!std::regex_match(code, match, bits))
      return;
    const int width = std::popcount(std::stoul(match[1].str(), nullptr, 16));
    const std::string lanes = std::to_string(width), groups = std::to_string(32 / width);
    const std::regex modulo("%\\s*" + groups + "\\b");
    const std::string shift = match[2].str();
    if (std::regex_search(shift, modulo))
      add("shift the mask to the group's first lane",
          {{where, std::regex_replace(code, modulo, "/ " + lanes)}});
    else if (std::regex_match(shift, std::regex(R"(\w+)")))
      add("shift the mask to the group's first lane", {{where, code + " * " + lanes}});
  }

  /// All lanes: they are there.
  void whole() {
    if (call.callee == "__syncwarp")
      add("let the barrier be of the whole warp", {{place, "__syncwarp()"}});
    else
      add("name all lanes in the mask", {{maskOf(place, call), "0xffffffff"}});
    const Range where = source();
    static const std::regex literal(R"((0[xX])?[0-9a-fA-F]+[uU]?)");
    const std::string code(textOf(text, where));
    if (where != maskOf(place, call) && std::regex_match(code, literal))
      add("name all lanes in the mask", {{where, "0xffffffff"}});
  }

  /// A ballot before the branch says who takes it, for all primitives in it that had the same mask.
  void voted() {
    std::string condition;
    for (std::size_t depth = path.size() - 1; depth >= 1; --depth) {
      const Statement &branching = *path[depth];
      if (branching.kind != Kind::If)
        continue;
      const bool inThen = depth + 1 < path.size() && path[depth + 1] == &branching.children[0];
      if (!branching.condition.valid() || !inThen ||
          (!condition.empty() && touchesMemory(condition)))
        return;
      condition = both(std::string(textOf(text, branching.condition)), condition);
      if (path[depth - 1]->kind == Kind::Compound)
        before(branching, condition);
    }
  }

  void before(const Statement &branching, const std::string &condition) {
    const std::string name = freshName(textOf(text, path[0]->range), "mask");
    std::vector<TextEdit> edits{insertBefore(
        text, branching,
        "const unsigned " + name + " = __ballot_sync(0xffffffff, " + condition + ");")};
    const std::string old = call.arguments.empty() ? "" : call.arguments[0];
    const Statement *declared = declaration(old, path);
    if (declared && branching.range.begin < declared->range.begin) {
      if (textOf(text, declared->value) != "__activemask()")
        return;
      edits.push_back({declared->value, name});
    } else if (old.empty()) {
      edits.push_back({place, call.callee + "(" + name + ")"});
    } else {
      std::vector<Range> same = context.syncs;
      same.push_back(place);
      std::ranges::sort(same);
      same.erase(std::unique(same.begin(), same.end()), same.end());
      for (const Range &each : same) {
        const Call other = parseCall(textOf(text, each));
        if (branching.range.encloses(each) && takesMask(other.callee) && !other.arguments.empty() &&
            other.arguments[0] == old)
          edits.push_back({maskOf(each, other), name});
      }
    }
    add("ask with a ballot before the branch who takes it", std::move(edits));
  }

  void add(const char *title, std::vector<TextEdit> edits) {
    if (!call.arguments.empty())
      edits = withoutUnused(context, std::move(edits), call.arguments[0]);
    found.push_back({title, std::move(edits)});
  }

  const Context &context;
  std::string_view text;
  const Range &place;
  StatementPath path;
  Call call;
  std::vector<Candidate> &found;
};

} // namespace

static const Statement *declarationOf(const std::vector<Statement> &all, const std::string &name,
                                      Position from) {
  for (const Statement &each : all) {
    if (each.kind == Kind::Declaration && each.name == name && each.range.begin < from)
      return &each;
    if (const Statement *inside = declarationOf(each.children, name, from))
      return inside;
  }
  return nullptr;
}

/// Takes the variable's declaration out of code that an edit brings.
static std::string withoutDeclaration(const std::string &code, const std::string &variable) {
  const std::regex declaration(R"((^|[\n;{}]\s*)(?:[A-Za-z_][\w:]*\s+)+)" + variable +
                               R"(\s*=[^=;][^;]*;\s*)");
  return std::regex_replace(code, declaration, "$1", std::regex_constants::format_first_only);
}

std::vector<TextEdit> withoutUnused(const Context &context, std::vector<TextEdit> edits,
                                    const std::string &variable) {
  StatementPath path = pathTo(context.outline, context.finding.primary.begin);
  const Statement *declared =
      path.empty() ? nullptr
                   : declarationOf(path[0]->children, variable, context.finding.primary.begin);
  if (!declared)
    return edits;
  std::vector<TextEdit> more = edits;
  const auto rewritten = std::ranges::find_if(more, [&](const TextEdit &edit) {
    return declared->range.begin <= edit.range.end && edit.range.begin <= declared->range.end;
  });
  if (rewritten != more.end())
    rewritten->text = withoutDeclaration(rewritten->text, variable);
  else
    more.push_back(remove(context.text, *declared));
  const std::string changed = applyEdits(context.text, more);
  const std::size_t begin = offsetOf(context.text, path[0]->range.begin);
  const std::size_t tail = context.text.size() - offsetOf(context.text, path[0]->range.end);
  static const std::regex comment(R"(//[^\n]*)");
  const std::string code = std::regex_replace(
      changed.substr(begin, changed.size() - std::min(changed.size(), begin + tail)), comment, "");
  return mentions(code, variable) ? edits : more;
}

void correctMask(const Context &context, std::vector<Candidate> &candidates) {
  if (context.finding.primary.file == context.path)
    Corrector(context, candidates).propose();
}

} // namespace warpdrf::fixes
