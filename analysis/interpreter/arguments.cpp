// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments to memory and registers. Nothing is made up: what is missing is named.
#include "analysis/interpreter/machine.h"
#include "analysis/interpreter/memory.h"

#include <algorithm>
#include <charconv>

namespace warpdrf::interpreter {

unsigned sizeOf(Element element) {
  switch (element) {
  case Element::I1:
  case Element::I8:
    return 1;
  case Element::I16:
  case Element::F16:
  case Element::BF16:
    return 2;
  case Element::I32:
  case Element::F32:
    return 4;
  default:
    return 8;
  }
}

static std::optional<FloatKind> floatKind(Element element) {
  switch (element) {
  case Element::F16:
    return FloatKind::F16;
  case Element::BF16:
    return FloatKind::BF16;
  case Element::F32:
    return FloatKind::F32;
  case Element::F64:
    return FloatKind::F64;
  default:
    return std::nullopt;
  }
}

std::string elementText(Element element, const std::uint8_t *bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeOf(element));
  std::optional<FloatKind> kind = floatKind(element);
  if (!kind)
    return std::to_string(signedOf(bits, 8 * sizeOf(element)));
  char text[40];
  const double value = toDouble(bits, *kind);
  const auto end = *kind == FloatKind::F64
                       ? std::to_chars(text, std::end(text), value)
                       : std::to_chars(text, std::end(text), static_cast<float>(value));
  return {text, end.ptr};
}

static std::uint64_t elementBits(Element element, double value) {
  if (std::optional<FloatKind> kind = floatKind(element))
    return fromDouble(value, *kind);
  return truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)),
                   element == Element::I1 ? 1 : 8 * sizeOf(element));
}

std::uint64_t Machine::scalarBits(const Scalar &scalar, bool isFloat, FloatKind kind,
                                  unsigned bits) {
  const double real = std::holds_alternative<double>(scalar)
                          ? std::get<double>(scalar)
                          : static_cast<double>(std::get<std::int64_t>(scalar));
  if (isFloat)
    return fromDouble(real, kind);
  return truncated(std::holds_alternative<double>(scalar)
                       ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real))
                       : static_cast<std::uint64_t>(std::get<std::int64_t>(scalar)),
                   bits);
}

bool Machine::bindArray(const std::string &name, const Array &array,
                        std::optional<Element> inferred, std::vector<std::uint8_t> &bytes) {
  if (array.fill == Array::Fill::Bytes) {
    bytes = array.bytes;
    charge(bytes.size());
    return !stopped;
  }
  const std::optional<Element> element = array.element ? array.element : inferred;
  if (!element) {
    end(Ending::BadArgument, "argument '" + name +
                                 "': the kernel does not say what its elements are; give a type, "
                                 "such as zeros:16:f32");
    return false;
  }
  const unsigned size = sizeOf(*element);
  if (array.count > launch.limits.memory / size) {
    end(Ending::MemoryLimit, "argument '" + name + "' is larger than the memory limit");
    return false;
  }
  charge(array.count * size);
  if (stopped)
    return false;
  bytes.resize(array.count * size);
  std::mt19937_64 generator(mix(launch.seed, std::hash<std::string>{}(name)));
  for (std::uint64_t i = 0; i < array.count && array.fill != Array::Fill::Zeros; ++i) {
    double value = array.value;
    if (array.fill == Array::Fill::Values)
      value = i < array.values.size() ? array.values[i] : 0;
    else if (array.fill == Array::Fill::Iota)
      value = static_cast<double>(i);
    else if (array.fill == Array::Fill::Random)
      value = floatKind(*element) ? static_cast<double>(generator() >> 40) / (1 << 24)
                                  : static_cast<double>(generator() % 256);
    const std::uint64_t bits = elementBits(*element, value);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  for (const auto &[index, value] : array.changes)
    if (index < array.count) {
      const std::uint64_t bits = elementBits(*element, static_cast<double>(value));
      std::memcpy(bytes.data() + index * size, &bits, size);
    }
  return true;
}

std::size_t Machine::addArray(std::string name, Space space, std::vector<std::uint8_t> bytes,
                              std::optional<Element> element) {
  arrays.push_back({std::move(name), space, std::move(bytes), element, nullptr, false});
  return arrays.size() - 1;
}

bool Machine::bindRecord(const ParameterInfo &info, const Record &record) {
  std::vector<std::uint8_t> bytes(info.parameter.size);
  for (const Field &field : record) {
    const std::string name = info.parameter.name + "@" + std::to_string(field.offset);
    std::uint64_t bits = 0;
    unsigned size = 8;
    if (const auto *array = std::get_if<Array>(&field.value)) {
      std::vector<std::uint8_t> contents;
      if (!bindArray(name, *array, field.element, contents))
        return false;
      bits = addressFor(arrayOf.size(), false);
      arrayOf.push_back(
          static_cast<int>(addArray(name, Space::Global, std::move(contents), array->element)));
    } else {
      const Element element = field.element.value_or(Element::I32);
      size = sizeOf(element);
      const std::optional<FloatKind> kind = floatKind(element);
      bits = scalarBits(std::get<Scalar>(field.value), kind.has_value(),
                        kind.value_or(FloatKind::F32), 8 * size);
    }
    if (field.offset + size > bytes.size()) {
      end(Ending::BadArgument, "argument '" + name + "' lies outside the record, which has " +
                                   std::to_string(bytes.size()) + " bytes");
      return false;
    }
    std::memcpy(bytes.data() + field.offset, &bits, size);
  }
  arrayOf[info.object] =
      static_cast<int>(addArray(info.parameter.name, Space::Param, std::move(bytes), std::nullopt));
  return true;
}

bool Machine::bindArgument(std::size_t index, const Argument &argument) {
  const ParameterInfo &info = code.parameters[index];
  const Parameter &parameter = info.parameter;
  const auto wrong = [&](const char *wanted) {
    end(Ending::BadArgument, "argument '" + parameter.name + "' must be " + wanted);
    return false;
  };
  switch (parameter.kind) {
  case Parameter::Kind::Scalar:
    if (!std::holds_alternative<Scalar>(argument))
      return wrong("a number");
    image[info.value] =
        scalarBits(std::get<Scalar>(argument), info.isFloat, info.floatKind, info.bits);
    return true;
  case Parameter::Kind::Record:
    if (!std::holds_alternative<Record>(argument))
      return wrong("a record: give its fields as NAME@OFFSET=VALUE:TYPE");
    return bindRecord(info, std::get<Record>(argument));
  case Parameter::Kind::Pointer:
    if (std::holds_alternative<Alias>(argument)) {
      aliasOf[index] = 0; // bound when every array has its place
      return true;
    }
    if (std::holds_alternative<Scalar>(argument) &&
        std::get<Scalar>(argument) == Scalar(std::int64_t{0})) {
      aliasOf[index] = 0;
      image[info.value] = 0; // a null pointer
      return true;
    }
    [[fallthrough]];
  case Parameter::Kind::Object:
    break;
  }
  const auto *array = std::get_if<Array>(&argument);
  if (!array)
    return wrong(parameter.kind == Parameter::Kind::Pointer
                     ? "an array (zeros:N, iota:N, random:N, fill:N:VALUE, @FILE), &NAME or 0"
                     : "an array (zeros:N, iota:N, random:N, fill:N:VALUE, @FILE)");
  std::vector<std::uint8_t> bytes;
  if (!bindArray(parameter.name, *array, parameter.element, bytes))
    return false;
  const Space space = code.objects[info.object].space;
  if (parameter.kind == Parameter::Kind::Object && parameter.size && bytes.size() != parameter.size)
    return end(Ending::BadArgument, "argument '" + parameter.name + "' has " +
                                        std::to_string(bytes.size()) + " bytes, the variable " +
                                        std::to_string(parameter.size)),
           false;
  arrayOf[info.object] =
      static_cast<int>(addArray(parameter.name, space, std::move(bytes),
                                array->element ? array->element : parameter.element));
  return true;
}

bool Machine::bindArguments() {
  aliasOf.assign(code.parameters.size(), -1);
  std::string missing;
  for (const ParameterInfo &info : code.parameters)
    if (!launch.arguments.count(info.parameter.name))
      missing += (missing.empty() ? "'" : ", '") + info.parameter.name + "'";
  for (const auto &[name, value] : launch.arguments)
    if (std::ranges::none_of(code.parameters,
                             [&](const auto &info) { return info.parameter.name == name; }))
      return end(Ending::BadArgument, "the kernel has no parameter '" + name + "'"), false;
  if (!missing.empty())
    return end(Ending::MissingArgument, "missing argument: " + missing), false;
  for (std::size_t i = 0; i < code.parameters.size(); ++i)
    if (!bindArgument(i, launch.arguments.at(code.parameters[i].parameter.name)))
      return false;
  // An array that is written under another name is watched.
  for (std::size_t i = 0; i < code.parameters.size(); ++i) {
    const auto *alias = std::get_if<Alias>(&launch.arguments.at(code.parameters[i].parameter.name));
    if (!alias)
      continue;
    const int target = parameterNamed(alias->name);
    if (target < 0 || code.parameters[target].object < 0 ||
        arrayOf[code.parameters[target].object] < 0)
      return end(Ending::BadArgument, "argument '" + code.parameters[i].parameter.name +
                                          "' is to be '" + alias->name +
                                          "', which is no array argument"),
             false;
    arrays[arrayOf[code.parameters[target].object]].aliasWritten |=
        code.objects[code.parameters[i].object].written;
  }
  return true;
}

int Machine::parameterNamed(const std::string &name) const {
  for (std::size_t i = 0; i < code.parameters.size(); ++i)
    if (code.parameters[i].parameter.name == name)
      return static_cast<int>(i);
  return -1;
}

void Machine::bindAliases() {
  for (std::size_t i = 0; i < code.parameters.size(); ++i)
    if (const auto *alias =
            std::get_if<Alias>(&launch.arguments.at(code.parameters[i].parameter.name)))
      image[code.parameters[i].value] =
          addressFor(code.parameters[parameterNamed(alias->name)].object, false) +
          static_cast<std::uint64_t>(alias->offset);
}

} // namespace warpdrf::interpreter
