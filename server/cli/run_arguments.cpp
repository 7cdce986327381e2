// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/cli/run_arguments.h"

#include "server/cli/files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace warpdrf::cli {

using namespace interpreter;

static std::optional<Element> elementNamed(const std::string &name) {
  static const std::map<std::string, Element> names = {
      {"i8", Element::I8},   {"i16", Element::I16},   {"i32", Element::I32}, {"i64", Element::I64},
      {"f16", Element::F16}, {"bf16", Element::BF16}, {"f32", Element::F32}, {"f64", Element::F64},
  };
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

template <typename T>
static std::optional<T> number(const std::string &text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

static std::optional<Scalar> scalar(const std::string &text) {
  if (text.starts_with("0x")) {
    std::uint64_t bits = 0;
    auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), bits, 16);
    if (error == std::errc() && end == text.data() + text.size())
      return Scalar(static_cast<std::int64_t>(bits));
    return std::nullopt;
  }
  if (std::optional<std::int64_t> whole = number<std::int64_t>(text))
    return Scalar(*whole);
  if (std::optional<double> real = number<double>(text))
    return Scalar(*real);
  return std::nullopt;
}

static std::vector<std::string> parts(const std::string &text) {
  std::vector<std::string> result;
  std::size_t begin = 0;
  for (std::size_t at; (at = text.find(':', begin)) != std::string::npos; begin = at + 1)
    result.push_back(text.substr(begin, at - begin));
  result.push_back(text.substr(begin));
  return result;
}

/// `,3=5,7=-1`: elements that differ from the fill.
static std::string parseChanges(const std::string &text, Array &array) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin + 1), text.size());
    const std::string each = text.substr(begin + 1, end - begin - 1);
    const std::size_t equals = std::min(each.find('='), each.size());
    std::optional<std::uint64_t> index = number<std::uint64_t>(each.substr(0, equals));
    std::optional<std::int64_t> value =
        equals < each.size() ? number<std::int64_t>(each.substr(equals + 1)) : std::nullopt;
    if (!index || !value)
      return "expected INDEX=NUMBER after a comma, got '" + each + "'";
    if (*index >= array.count)
      return "there is no element " + std::to_string(*index) + " in an array of " +
             std::to_string(array.count);
    array.changes[*index] = *value;
    begin = end;
  }
  return "";
}

/// "@FILE" or "@FILE:TYPE".
static std::string parseFile(const std::string &text, Argument &argument) {
  Array array;
  array.fill = Array::Fill::Bytes;
  std::string path = text.substr(1);
  if (const std::size_t colon = path.rfind(':'); colon != std::string::npos)
    if ((array.element = elementNamed(path.substr(colon + 1))))
      path.resize(colon);
  const std::optional<std::string> bytes = readRegularFile(path);
  if (!bytes)
    return "cannot read " + path;
  array.bytes.assign(bytes->begin(), bytes->end());
  argument = std::move(array);
  return "";
}

/// A VALUE; `type` is its last part if that names one.
static std::string parseValue(const std::string &text, Argument &argument,
                              std::optional<Element> &type) {
  if (text.starts_with("@"))
    return parseFile(text, argument);
  if (text.starts_with("&")) {
    const std::size_t plus = text.find('+');
    std::optional<std::int64_t> offset = std::int64_t{0};
    if (plus != std::string::npos)
      offset = number<std::int64_t>(text.substr(plus + 1));
    if (!offset)
      return "expected &NAME or &NAME+BYTES, got '" + text + "'";
    argument = Alias{text.substr(1, plus == std::string::npos ? plus : plus - 1), *offset};
    return "";
  }
  const std::size_t comma = std::min(text.find(','), text.size());
  std::vector<std::string> words = parts(text.substr(0, comma));
  type = elementNamed(words.back());
  if (type)
    words.pop_back();
  static const std::map<std::string, Array::Fill> fills = {{"zeros", Array::Fill::Zeros},
                                                           {"iota", Array::Fill::Iota},
                                                           {"random", Array::Fill::Random},
                                                           {"fill", Array::Fill::Constant}};
  auto fill = words.empty() ? fills.end() : fills.find(words[0]);
  if (fill == fills.end()) {
    std::optional<Scalar> value = words.size() == 1 ? scalar(words[0]) : std::nullopt;
    if (!value)
      return "'" + text +
             "' is neither a number nor zeros:N, iota:N, random:N, fill:N:VALUE, "
             "@FILE, &NAME";
    argument = *value;
    return "";
  }
  Array array;
  array.fill = fill->second;
  array.element = type;
  const bool constant = array.fill == Array::Fill::Constant;
  std::optional<std::uint64_t> count =
      words.size() == (constant ? 3 : 2) ? number<std::uint64_t>(words[1]) : std::nullopt;
  std::optional<double> value = constant && count ? number<double>(words[2]) : std::optional(0.0);
  if (!count || !value)
    return "expected " + words[0] + ":N" + (constant ? ":VALUE" : "") +
           " with an optional type, "
           "such as " +
           words[0] + ":16" + (constant ? ":1" : "") + ":f32; got '" + text + "'";
  array.count = *count;
  array.value = *value;
  if (std::string error = parseChanges(text.substr(comma), array); !error.empty())
    return error;
  argument = std::move(array);
  return "";
}

static std::string store(const std::string &name, Argument value, std::optional<Element> type,
                         std::map<std::string, Argument> &arguments) {
  const std::size_t at = name.find('@');
  if (at == std::string::npos) {
    arguments[name] = std::move(value);
    return "";
  }
  std::optional<std::uint64_t> offset = number<std::uint64_t>(name.substr(at + 1));
  if (!offset)
    return "expected NAME@OFFSET, got '" + name + "'";
  Argument &record = arguments.try_emplace(name.substr(0, at), Record()).first->second;
  if (!std::holds_alternative<Record>(record))
    record = Record();
  Field field{*offset, Scalar(std::int64_t{0}), type};
  if (auto *number = std::get_if<Scalar>(&value))
    field.value = *number;
  else if (auto *array = std::get_if<Array>(&value))
    field.value = std::move(*array);
  else
    return "a field is a number or an array: '" + name + "'";
  std::get<Record>(record).push_back(std::move(field));
  return "";
}

std::string parseArgument(const std::string &text, std::map<std::string, Argument> &arguments) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    return "expected NAME=VALUE, got '" + text + "'";
  Argument value = Scalar(std::int64_t{0});
  std::optional<Element> type;
  const std::string error = parseValue(text.substr(equals + 1), value, type);
  return error.empty() ? store(text.substr(0, equals), std::move(value), type, arguments) : error;
}

/// A list of numbers.
static std::string listFromJson(const std::string &name, const nlohmann::json &list,
                                std::optional<Element> type,
                                std::map<std::string, Argument> &arguments) {
  Array array;
  array.fill = Array::Fill::Values;
  array.element = type;
  for (const nlohmann::json &each : list) {
    if (!each.is_number() && !each.is_boolean())
      return "'" + name + "' holds something that is no number";
    array.values.push_back(each.is_boolean() ? each.get<bool>() : each.get<double>());
  }
  array.count = array.values.size();
  return store(name, std::move(array), std::nullopt, arguments);
}

static std::string fromJson(const std::string &name, const nlohmann::json &value,
                            std::optional<Element> type,
                            std::map<std::string, Argument> &arguments) {
  if (value.is_string())
    return parseArgument(name + "=" + value.get<std::string>(), arguments);
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    return store(name, Scalar(static_cast<std::int64_t>(value.get<std::uint64_t>())),
                 type ? type : Element::I64, arguments);
  if (value.is_number_integer())
    return store(name, Scalar(value.get<std::int64_t>()), type, arguments);
  if (value.is_number())
    return store(name, Scalar(value.get<double>()), type, arguments);
  if (value.is_boolean())
    return store(name, Scalar(std::int64_t{value.get<bool>()}), type, arguments);
  if (value.is_array())
    return listFromJson(name, value, type, arguments);
  if (!value.is_object() || type || value.size() != 2 || !value.contains("value") ||
      !value.contains("type") || !value["type"].is_string())
    return "'" + name + "' is neither a number, a text, a list of numbers nor an object of " +
           "'value' and 'type'";
  const auto wanted = value["type"].get<std::string>();
  if (!(type = elementNamed(wanted)))
    return "'" + name + "': there is no type '" + wanted +
           "'; there are i8 i16 i32 i64 f16 bf16 f32 f64";
  if (value["value"].is_string())
    return "'" + name + "': in a text the type stands at its end";
  return fromJson(name, value["value"], type, arguments);
}

std::string readArguments(const std::string &path, std::map<std::string, Argument> &arguments) {
  const std::optional<std::string> text = readRegularFile(path);
  if (!text)
    return "cannot read " + path;
  nlohmann::json root;
  try {
    root = nlohmann::json::parse(*text);
  } catch (const nlohmann::json::parse_error &error) {
    const auto at = static_cast<std::ptrdiff_t>(std::min(error.byte, text->size()));
    return path + ":" + std::to_string(1 + std::count(text->begin(), text->begin() + at, '\n')) +
           ": not JSON";
  }
  if (!root.is_object())
    return path + " is not a JSON object";
  for (const auto &[name, value] : root.items())
    if (std::string error = fromJson(name, value, std::nullopt, arguments); !error.empty())
      return path + ": " + error;
  return "";
}

std::string parseDimensions(const std::string &text, std::array<std::int64_t, 3> &dimensions) {
  dimensions = {1, 1, 1};
  std::size_t begin = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t comma = text.find(',', begin);
    std::optional<std::int64_t> value = number<std::int64_t>(
        text.substr(begin, comma == std::string::npos ? comma : comma - begin));
    if (!value || *value < 1)
      break;
    dimensions[axis] = *value;
    if (comma == std::string::npos)
      return "";
    begin = comma + 1;
  }
  return "expected X, X,Y or X,Y,Z, got '" + text + "'";
}

std::string parseBlocks(const std::string &text, std::vector<std::uint32_t> &blocks) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::optional<std::uint32_t> block = number<std::uint32_t>(text.substr(begin, end - begin));
    if (!block)
      return "expected numbers of blocks, such as 0,5; got '" + text + "'";
    if (std::ranges::find(blocks, *block) == blocks.end())
      blocks.push_back(*block);
    begin = end + 1;
  }
  return "";
}

std::string parseThread(const std::string &text,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>> &threads) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::optional<std::uint32_t> block = number<std::uint32_t>(text.substr(0, colon));
  const std::optional<std::uint32_t> thread =
      number<std::uint32_t>(colon < text.size() ? text.substr(colon + 1) : "");
  if (!block || !thread)
    return "expected BLOCK:THREAD, such as 0:17, or auto; got '" + text + "'";
  threads.emplace_back(*block, *thread);
  return "";
}

std::string parseLine(const std::string &text, const std::string &path,
                      std::vector<Range> &ranges) {
  const std::size_t colon = text.rfind(':');
  const bool named = colon != std::string::npos;
  std::optional<unsigned> line = number<unsigned>(named ? text.substr(colon + 1) : text);
  if (!line || *line == 0)
    return "expected LINE or FILE:LINE, got '" + text + "'";
  ranges.push_back({named ? text.substr(0, colon) : path, {*line, 1}, {*line + 1, 1}});
  return "";
}

} // namespace warpdrf::cli
