// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/fixes/text.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>

namespace warpdrf::fixes {

std::string trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos)
    return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

static bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool mentions(std::string_view text, const std::string &name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !isWordCharacter(text[at - 1])) &&
        (at + name.size() == text.size() || !isWordCharacter(text[at + name.size()])))
      return true;
  return false;
}

static bool matches(std::string_view text, const std::string &pattern) {
  return std::regex_search(text.begin(), text.end(), std::regex(pattern));
}

bool assigns(std::string_view text, const std::string &name) {
  if (!mentions(text, name))
    return false;
  const std::string word = "\\b" + name + "\\b";
  return matches(text, word + R"(\s*([-+*/%&|^]|<<|>>)?=[^=])") ||
         matches(text, word + R"(\s*(\+\+|--))") ||
         matches(text, R"((\+\+|--|(^|[^&])&)\s*)" + word);
}

std::vector<std::string> identifiers(std::string_view text) {
  static const std::regex word("[A-Za-z_][A-Za-z0-9_]*");
  std::set<std::string> names;
  const std::string owned(text);
  for (std::sregex_iterator it(owned.begin(), owned.end(), word), end; it != end; ++it)
    names.insert(it->str());
  return {names.begin(), names.end()};
}

/// What may be called by threads that did not before.
static bool isHarmless(const std::string &callee) {
  static const std::set<std::string> known = {
      "if",      "sizeof",       "int",          "unsigned",    "float",      "double",
      "bool",    "char",         "short",        "long",        "size_t",     "uint32_t",
      "int32_t", "uint64_t",     "int64_t",      "min",         "max",        "abs",
      "fminf",   "fmaxf",        "fabsf",        "fabs",        "sqrtf",      "rsqrtf",
      "expf",    "exp",          "logf",         "log",         "__popc",     "__ffs",
      "__clz",   "__brev",       "__popcll",     "__expf",      "__logf",     "fminimum",
      "powf",    "tanhf",        "floorf",       "ceilf",       "__fmaf_rn",  "fmaf",
      "half",    "__float2half", "__half2float", "make_float2", "make_float4"};
  return known.contains(callee);
}

bool touchesMemory(std::string_view expression) {
  if (matches(expression, R"(\+\+|--|\[|->|(^|[(=<>!&|,+\-/%~^?:{])\s*\*|[^=<>!]=[^=])"))
    return true;
  if (matches(expression, R"(>\s*\()") && !matches(expression, R"(static_cast\s*<)"))
    return true;
  static const std::regex call(R"(([A-Za-z_][A-Za-z0-9_]*)\s*\()");
  const std::string owned(expression);
  for (std::sregex_iterator it(owned.begin(), owned.end(), call), end; it != end; ++it)
    if (!isHarmless((*it)[1]))
      return true;
  return false;
}

bool repeatable(const std::string &condition, std::string_view between) {
  return !touchesMemory(condition) &&
         std::ranges::none_of(identifiers(condition),
                              [&](const std::string &name) { return assigns(between, name); });
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::string_view("([{").find(text[i]) != std::string_view::npos)
      ++depth;
    else if (std::string_view(")]}").find(text[i]) != std::string_view::npos)
      --depth;
    else if (depth == 0 && text.substr(i).starts_with(separator)) {
      parts.push_back(text.substr(begin, i - begin));
      i += separator.size() - 1;
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

static bool bindsLooser(std::string_view text, std::initializer_list<std::string_view> operators) {
  return std::ranges::any_of(operators, [&](auto each) { return split(text, each).size() > 1; });
}

static bool isAssignment(std::string_view text) {
  return matches(text, "[^=<>!]=[^=]");
}

static std::string operand(const std::string &text) {
  return bindsLooser(text, {"||", "?", ","}) || isAssignment(text) ? "(" + text + ")" : text;
}

std::string both(const std::string &a, const std::string &b) {
  return a.empty() ? b : b.empty() ? a : operand(a) + " && " + operand(b);
}

std::string chosen(const std::string &condition, const std::string &value,
                   const std::string &neutral) {
  std::string first = bindsLooser(condition, {"?", ","}) ? "(" + condition + ")" : condition;
  return first + " ? " + value + " : " + neutral;
}

/// Are all names in it integers, as far as the file's declarations tell?
static bool isIntegral(std::string_view text, std::string_view file) {
  if (text.find('.') != std::string_view::npos && !matches(text, R"((thread|block)(Idx|Dim)\.)"))
    return false;
  static const std::set<std::string> known = {"threadIdx", "blockIdx", "blockDim", "gridDim",
                                              "warpSize",  "x",        "y",        "z"};
  return std::ranges::all_of(identifiers(text), [&](const std::string &name) {
    return known.contains(name) ||
           matches(file, R"(\b(int|unsigned|size_t|u?int\d+_t|long|short)\b[^;(){}]*\b)" + name +
                             R"(\b)");
  });
}

static std::optional<std::string> flipped(const std::string &text, std::string_view file) {
  static const std::regex comparison(R"(^([^<>=!&|?]+?)\s*(<=|>=|==|!=|<|>)\s*([^<>=!&|?]+)$)");
  static const std::vector<std::pair<std::string, std::string>> opposites = {
      {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
  std::smatch match;
  if (!std::regex_match(text, match, comparison))
    return std::nullopt;
  const bool equality = match[2] == "==" || match[2] == "!=";
  if (!equality && !isIntegral(text, file))
    return std::nullopt;
  for (const auto &[from, to] : opposites)
    if (match[2] == from)
      return match[1].str() + " " + to + " " + match[3].str();
  return std::nullopt;
}

std::string negated(const std::string &condition, std::string_view file) {
  const std::string text = trimmed(condition);
  for (const auto &[from, to] : {std::pair{"||", " && "}, std::pair{"&&", " || "}}) {
    std::vector<std::string_view> parts = split(text, from);
    if (parts.size() == 1)
      continue;
    std::string result;
    for (std::string_view part : parts) {
      std::string each = negated(trimmed(part), file);
      result += (result.empty() ? "" : to) + (bindsLooser(each, {"||"}) ? "(" + each + ")" : each);
    }
    return result;
  }
  if (auto opposite = flipped(text, file))
    return *opposite;
  static const std::regex word(R"(!?[A-Za-z_][A-Za-z0-9_]*)");
  if (std::regex_match(text, word))
    return text[0] == '!' ? text.substr(1) : "!" + text;
  return "!(" + text + ")";
}

std::string freshName(std::string_view function, const std::string &base) {
  const std::string code = std::regex_replace(std::string(function), std::regex("//[^\n]*"), "");
  std::string name = base;
  for (int number = 2; mentions(code, name); ++number)
    name = base + std::to_string(number);
  return name;
}

std::string reindented(const std::string &text, const std::string &from, const std::string &to) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && text.compare(i + 1, from.size(), from) == 0) {
      i += from.size();
      if (i + 1 < text.size() && text[i + 1] != '\n')
        result += to;
    }
  }
  return result;
}

std::string Call::text() const {
  std::string result = callee + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i)
    result += (i ? ", " : "") + arguments[i];
  return result + ")";
}

Call parseCall(std::string_view text) {
  Call call;
  int depth = 0;
  std::size_t open = text.size();
  while (open-- > 0) { // the bracket of the last `)`
    if (text[open] == ')')
      ++depth;
    else if (text[open] == '(' && --depth == 0)
      break;
  }
  if (open >= text.size() || text.back() != ')')
    return {std::string(text), {}};
  call.callee = trimmed(text.substr(0, open));
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  if (!trimmed(inside).empty())
    for (std::string_view argument : split(inside, ","))
      call.arguments.push_back(trimmed(argument));
  return call;
}

bool takesMask(const std::string &callee) {
  static const std::regex pattern(R"(__(shfl|ballot|any|all|match|reduce)\w*_sync|__syncwarp)");
  return std::regex_match(callee, pattern);
}

} // namespace warpdrf::fixes
