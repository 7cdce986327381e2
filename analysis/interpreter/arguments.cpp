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
  if (std::isnan(value))
    return "nan"; // whatever its sign
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

/// A number as the bits of a parameter: what a cast would change is refused, but for the rounding
/// of floats and whole numbers that fit when taken as unsigned.
bool Machine::bindScalar(const std::string &name, const Scalar &scalar,
                         std::optional<FloatKind> kind, unsigned bits, std::uint64_t &result) {
  const auto *whole = std::get_if<std::int64_t>(&scalar);
  const double real = whole ? static_cast<double>(*whole) : std::get<double>(scalar);
  if (kind) {
    result = fromDouble(real, *kind);
    return true;
  }
  const double end = std::ldexp(1.0, static_cast<int>(std::min(bits, 63u)));
  if (!whole && (real != std::trunc(real) || real >= end || real < -end))
    return refuse("argument '" + name + "' must be a whole number of " + std::to_string(bits) +
                  " bits");
  const std::int64_t value = whole ? *whole : static_cast<std::int64_t>(real);
  result = truncated(static_cast<std::uint64_t>(value), bits);
  // The same number again, when the bits are taken as unsigned or as signed?
  if (bits < 64 && value != static_cast<std::int64_t>(result) && value != signedOf(result, bits))
    return refuse("argument '" + name + "' is " + std::to_string(value) + ", which does not fit " +
                  std::to_string(bits) + " bits");
  return true;
}

/// The contents of a file must be whole elements.
static bool isWhole(const Array &array, std::optional<Element> element) {
  return !element || array.bytes.size() % sizeOf(*element) == 0;
}

bool Machine::bindArray(const std::string &name, const Array &array,
                        std::optional<Element> inferred, std::vector<std::uint8_t> &bytes) {
  const std::optional<Element> element = array.element ? array.element : inferred;
  if (array.fill == Array::Fill::Bytes) {
    if (!isWhole(array, element))
      return refuse("argument '" + name + "': the file has " + std::to_string(array.bytes.size()) +
                    " bytes, which are no whole number of elements of " +
                    std::to_string(sizeOf(*element)) + " bytes");
    bytes = array.bytes;
    charge(bytes.size());
    return !stopped;
  }
  if (!element)
    return refuse("argument '" + name +
                  "': the kernel does not say what its elements are; give a type, such as "
                  "zeros:16:f32");
  const unsigned size = sizeOf(*element);
  if (array.count > launch.limits.memory / size)
    return refuse("argument '" + name + "' is larger than the memory limit", Ending::MemoryLimit);
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
      if (!bindScalar(name, std::get<Scalar>(field.value), floatKind(element), 8 * size, bits))
        return false;
    }
    if (field.offset > bytes.size() || size > bytes.size() - field.offset)
      return refuse("argument '" + name + "' lies outside the record, which has " +
                    std::to_string(bytes.size()) + " bytes");
    std::memcpy(bytes.data() + field.offset, &bits, size);
  }
  arrayOf[info.object] =
      static_cast<int>(addArray(info.parameter.name, Space::Param, std::move(bytes), std::nullopt));
  return true;
}

bool Machine::bindArgument(std::size_t index, const Argument &argument) {
  const ParameterInfo &info = code.parameters[index];
  const Parameter &parameter = info.parameter;
  const auto wrong = [&](const std::string &wanted) {
    return refuse("argument '" + parameter.name + "' must be " + wanted);
  };
  switch (parameter.kind) {
  case Parameter::Kind::Scalar:
    if (!std::holds_alternative<Scalar>(argument))
      return wrong("a number");
    return bindScalar(parameter.name, std::get<Scalar>(argument),
                      info.isFloat ? std::optional(info.floatKind) : std::nullopt, info.bits,
                      image[info.value]);
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
    return wrong(std::string("an array (zeros:N, iota:N, random:N, fill:N:VALUE, @FILE)") +
                 (parameter.kind == Parameter::Kind::Pointer ? ", &NAME or 0" : ""));
  std::vector<std::uint8_t> bytes;
  if (!bindArray(parameter.name, *array, parameter.element, bytes))
    return false;
  const Space space = code.objects[info.object].space;
  if (parameter.kind == Parameter::Kind::Object && parameter.size && bytes.size() != parameter.size)
    return refuse("argument '" + parameter.name + "' has " + std::to_string(bytes.size()) +
                  " bytes, the variable " + std::to_string(parameter.size));
  arrayOf[info.object] =
      static_cast<int>(addArray(parameter.name, space, std::move(bytes),
                                array->element ? array->element : parameter.element));
  return true;
}

/// "int32 array 'out'".
static std::string shownParameter(const Parameter &parameter) {
  static const char *const names[] = {"bool", "8-bit",    "16-bit", "32-bit", "64-bit",
                                      "half", "bfloat16", "float",  "double"};
  std::string text;
  if (parameter.element)
    text = std::string(names[static_cast<int>(*parameter.element)]) + " ";
  switch (parameter.kind) {
  case Parameter::Kind::Scalar:
    text += "number";
    break;
  case Parameter::Kind::Pointer:
    text += "array";
    break;
  case Parameter::Kind::Record:
    text = "record of " + std::to_string(parameter.size) + " bytes";
    break;
  case Parameter::Kind::Object:
    text = "variable of " + std::to_string(parameter.size) + " bytes";
    break;
  }
  return "'" + parameter.name + "' (" + text + ")";
}

/// What a user might give: as many elements as there are threads.
static std::string exampleArgument(const Parameter &parameter, std::int64_t threads) {
  threads = std::min<std::int64_t>(threads, 1 << 20);
  const bool fraction = parameter.element && *parameter.element >= Element::F16;
  const std::string number = fraction ? "0.5" : std::to_string(threads);
  switch (parameter.kind) {
  case Parameter::Kind::Scalar:
    return " --arg " + parameter.name + "=" + number;
  case Parameter::Kind::Record:
    return " --arg " + parameter.name + "@0=" + number + ":i32";
  case Parameter::Kind::Object:
    if (parameter.element && parameter.size)
      threads = static_cast<std::int64_t>(parameter.size / sizeOf(*parameter.element));
    [[fallthrough]];
  case Parameter::Kind::Pointer:
    break;
  }
  return " --arg " + parameter.name + "=random:" + std::to_string(threads) +
         (parameter.element ? "" : ":i32");
}

bool Machine::bindArguments() {
  aliasOf.assign(code.parameters.size(), -1);
  const auto countOf = [](const auto &size) { return size[0] * size[1] * size[2]; };
  const std::int64_t threads = countOf(launch.block) * countOf(launch.grid);
  std::string missing, example, all;
  for (const ParameterInfo &info : code.parameters) {
    const std::string shown = shownParameter(info.parameter);
    all += (all.empty() ? "" : ", ") + shown;
    if (launch.arguments.count(info.parameter.name))
      continue;
    missing += (missing.empty() ? "" : ", ") + shown;
    example += exampleArgument(info.parameter, threads);
  }
  for (const auto &[name, value] : launch.arguments)
    if (parameterNamed(name) < 0)
      return refuse("the kernel has no parameter '" + name + "'; it has " +
                    (all.empty() ? "none" : all));
  if (!missing.empty())
    return refuse("missing argument: " + missing + "; for example" + example +
                      ", or --choose for any",
                  Ending::MissingArgument);
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
      return refuse("argument '" + code.parameters[i].parameter.name + "' is to be '" +
                    alias->name + "', which is no array argument");
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
