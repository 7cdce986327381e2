// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/replay_launch.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace warpdrf {

using namespace interpreter;

static std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char *end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end ? std::optional(value) : std::nullopt;
}

static const char *typeName(Element element) {
  static const char *const names[] = {"i8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"};
  return names[static_cast<int>(element)];
}

static bool isWhole(Element element) {
  return element <= Element::I64;
}

/// `8:i32` at a byte of a record.
static std::optional<Field> fieldFrom(const std::string &offset, const std::string &text) {
  const std::size_t colon = text.find(':');
  std::optional<std::int64_t> at = number(offset), value = number(text.substr(0, colon));
  if (!at || !value || colon == std::string::npos)
    return std::nullopt;
  for (Element element : {Element::I8, Element::I16, Element::I32, Element::I64})
    if (text.substr(colon + 1) == typeName(element))
      return Field{static_cast<std::uint64_t>(*at), Scalar(*value), element};
  return std::nullopt;
}

Given::Given(const Witness &witness, const std::vector<Parameter> &parameters) {
  for (const auto &[key, text] : witness.values) {
    if (key.starts_with("iteration ") || key.starts_with("blockDim.") ||
        key.starts_with("gridDim."))
      continue; // no arguments
    const std::string name = key.substr(0, key.find_first_of("[@"));
    const auto parameter = std::ranges::find(parameters, name, &Parameter::name);
    const std::optional<std::int64_t> value = number(text);
    const std::string_view rest = std::string_view(key).substr(name.size());
    bool understood = false;
    if (parameter == parameters.end()) {
    } else if (rest.starts_with("@")) {
      if (auto field = fieldFrom(key.substr(name.size() + 1), text);
          field && parameter->kind == Parameter::Kind::Record) {
        fields[name].push_back(std::move(*field));
        understood = true;
      }
    } else if (rest.starts_with("[")) {
      const auto index = number(rest.substr(1, rest.size() - 2));
      understood = index && value && parameter->element && isWhole(*parameter->element);
      if (understood)
        elements[name][static_cast<std::uint64_t>(*index)] = *value;
    } else if (text.starts_with("&")) {
      const std::size_t plus = text.find('+');
      const auto bytes = number(std::string_view(text).substr(plus + 1));
      understood = bytes.has_value();
      if (understood)
        aliases[name] = Alias{text.substr(1, plus - 1), *bytes};
    } else if (value == 0 && parameter->kind == Parameter::Kind::Pointer) {
      nulls.insert(name);
      understood = true;
    } else if (value && parameter->kind == Parameter::Kind::Scalar) {
      scalars[name] = *value;
      understood = true;
    }
    complete &= understood;
  }
}

Argument Given::argument(const Parameter &parameter, const Choice &choice, std::uint64_t count,
                         bool zeroed) const {
  Array array;
  array.fill = zeroed && parameter.written ? Array::Fill::Zeros : choice.fill;
  array.value = choice.value;
  array.count = count;
  array.element = parameter.element;
  if (auto found = elements.find(parameter.name); found != elements.end()) {
    array.changes = found->second;
    array.count = std::max(count, array.changes.rbegin()->first + 1);
  }
  switch (parameter.kind) {
  case Parameter::Kind::Scalar: {
    auto found = scalars.find(parameter.name);
    return Scalar(found == scalars.end() ? choice.scalar : found->second);
  }
  case Parameter::Kind::Pointer:
    if (nulls.contains(parameter.name))
      return Scalar(std::int64_t{0});
    if (auto found = aliases.find(parameter.name); found != aliases.end())
      return found->second;
    if (!parameter.element) // not accessed, or as several types
      array.element = Element::I32;
    return array;
  case Parameter::Kind::Record: {
    auto found = fields.find(parameter.name);
    return found == fields.end() ? Record() : found->second;
  }
  case Parameter::Kind::Object:
    if (!parameter.element)
      array.element = Element::I8;
    array.count = std::max<std::uint64_t>(parameter.size / sizeOf(*array.element), 1);
    return array;
  }
  return Scalar(std::int64_t{0});
}

Launch launchOf(const Witness &witness, unsigned warpWidth) {
  Launch launch;
  launch.block = witness.block;
  launch.grid = witness.grid;
  launch.width = warpWidth;
  launch.memory = false;
  launch.sharedBytes = 64 << 10;
  launch.limits.memory = 512ull << 20;
  launch.limits.instances = 0;
  launch.limits.seconds = 5; // the steps come first, unless the machine is busy
  return launch;
}

static std::string textOf(const Array &array) {
  std::string text;
  switch (array.fill) {
  case Array::Fill::Iota:
    text = "iota:";
    break;
  case Array::Fill::Random:
    text = "random:";
    break;
  case Array::Fill::Constant:
    text = "fill:";
    break;
  default:
    text = "zeros:";
  }
  text += std::to_string(array.count);
  if (array.fill == Array::Fill::Constant)
    text += ":" + std::to_string(std::lround(array.value));
  if (array.element)
    text += std::string(":") + typeName(*array.element);
  for (const auto &[index, value] : array.changes)
    text += "," + std::to_string(index) + "=" + std::to_string(value);
  return text;
}

std::map<std::string, std::string> argumentTexts(const Launch &launch) {
  std::map<std::string, std::string> texts;
  for (const auto &[name, argument] : launch.arguments) {
    if (auto *scalar = std::get_if<Scalar>(&argument))
      texts[name] = std::to_string(std::get<std::int64_t>(*scalar));
    else if (auto *array = std::get_if<Array>(&argument))
      texts[name] = textOf(*array);
    else if (auto *alias = std::get_if<Alias>(&argument))
      texts[name] = "&" + alias->name + "+" + std::to_string(alias->offset);
    else if (std::get<Record>(argument).empty())
      texts[name + "@0"] = "0:i8"; // all zeros
    else
      for (const Field &field : std::get<Record>(argument))
        texts[name + "@" + std::to_string(field.offset)] =
            std::to_string(std::get<std::int64_t>(std::get<Scalar>(field.value))) + ":" +
            typeName(field.element.value_or(Element::I32));
  }
  return texts;
}

} // namespace warpdrf
