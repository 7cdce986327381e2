// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/apply.h"

#include <algorithm>
#include <functional>

namespace warpdrf::interpreter {

namespace {

struct IntegerFunction {
  const char *name;
  std::size_t arguments;
  std::uint64_t (*compute)(const std::uint64_t *values, unsigned bits);
};

std::uint64_t reversed(std::uint64_t value, unsigned bits) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= ((value >> i) & 1) << (bits - 1 - i);
  return result;
}

std::uint64_t leadingZeros(std::uint64_t value, unsigned bits) {
  return static_cast<unsigned>(std::countl_zero(value)) - (64 - bits);
}

const auto populationCount = [](const std::uint64_t *v, unsigned) -> std::uint64_t {
  return static_cast<unsigned>(std::popcount(v[0]));
};
const auto findFirstSet = [](const std::uint64_t *v, unsigned) -> std::uint64_t {
  return v[0] ? static_cast<unsigned>(std::countr_zero(v[0])) + 1 : 0;
};
const auto countLeading = [](const std::uint64_t *v, unsigned bits) -> std::uint64_t {
  return leadingZeros(v[0], bits);
};
const auto reverseBits = [](const std::uint64_t *v, unsigned bits) { return reversed(v[0], bits); };
const auto absolute = [](const std::uint64_t *v, unsigned bits) {
  return signedOf(v[0], bits) < 0 ? truncated(0 - v[0], bits) : v[0];
};
const auto highUnsigned = [](const std::uint64_t *v, unsigned) { return (v[0] * v[1]) >> 32; };
const auto highSigned = [](const std::uint64_t *v, unsigned bits) {
  return truncated(static_cast<std::uint64_t>((signedOf(v[0], bits) * signedOf(v[1], bits)) >> 32),
                   32);
};
/// The lane that has a rank in a group; past the last one, no lane of a warp.
const auto laneOfRank = [](const std::uint64_t *v, unsigned bits) -> std::uint64_t {
  std::uint64_t lanes = v[0];
  for (std::uint64_t rank = 0; rank < v[1] && lanes; ++rank)
    lanes &= lanes - 1;
  return lanes ? static_cast<unsigned>(std::countr_zero(lanes)) : bits;
};
/// Of some lanes of a group, a bit for the rank of each.
const auto packedLanes = [](const std::uint64_t *v, unsigned bits) -> std::uint64_t {
  std::uint64_t packed = 0;
  for (unsigned lane = 0, rank = 0; lane < bits; ++lane)
    if (v[1] >> lane & 1)
      packed |= (v[0] >> lane & 1) << rank++;
  return packed;
};

/// Bits are those of the first argument.
const IntegerFunction integerFunctions[] = {
    {"__popc", 1, populationCount},
    {"__popcll", 1, populationCount},
    {"__builtin_popcount", 1, populationCount},
    {"__builtin_popcountll", 1, populationCount},
    {"__ffs", 1, findFirstSet},
    {"__ffsll", 1, findFirstSet},
    {"__builtin_ffs", 1, findFirstSet},
    {"__builtin_ffsll", 1, findFirstSet},
    {"__clz", 1, countLeading},
    {"__clzll", 1, countLeading},
    {"__brev", 1, reverseBits},
    {"__brevll", 1, reverseBits},
    {"abs", 1, absolute},
    {"labs", 1, absolute},
    {"llabs", 1, absolute},
    {"__umulhi", 2, highUnsigned},
    {"__mulhi", 2, highSigned},
    {"lane_of_rank", 2, laneOfRank},
    {"packed_lanes", 2, packedLanes},
};

struct FloatFunction {
  const char *name; ///< of the double form; with an `f` behind it the float form
  std::size_t arguments;
  double (*compute)(double a, double b);
};

const FloatFunction floatFunctions[] = {
    {"fmin", 2, [](double a, double b) { return std::fmin(a, b); }},
    {"fmax", 2, [](double a, double b) { return std::fmax(a, b); }},
    {"fabs", 1, [](double a, double) { return std::fabs(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"rsqrt", 1, [](double a, double) { return 1 / std::sqrt(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"__exp", 1, [](double a, double) { return std::exp(a); }},
    {"exp2", 1, [](double a, double) { return std::exp2(a); }},
    {"log", 1, [](double a, double) { return std::log(a); }},
    {"__log", 1, [](double a, double) { return std::log(a); }},
    {"log2", 1, [](double a, double) { return std::log2(a); }},
    {"tanh", 1, [](double a, double) { return std::tanh(a); }},
    {"sin", 1, [](double a, double) { return std::sin(a); }},
    {"cos", 1, [](double a, double) { return std::cos(a); }},
    {"pow", 2, [](double a, double b) { return std::pow(a, b); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"round", 1, [](double a, double) { return std::round(a); }},
    {"rint", 1, [](double a, double) { return std::nearbyint(a); }},
    {"trunc", 1, [](double a, double) { return std::trunc(a); }},
    {"__fadd_rn", 2, [](double a, double b) { return a + b; }},
    {"__fmul_rn", 2, [](double a, double b) { return a * b; }},
};

constexpr int firstFloat = 1000, firstHalf = 2000;

} // namespace

int knownFunction(ApplyInfo &info) {
  if (const int half = halfFunction(info); half >= 0)
    return firstHalf + half;
  std::string name = info.name;
  if (name.starts_with("std::") || name.starts_with("::"))
    name = name.substr(name.find("::") + 2);
  const bool takesFloat = !info.argumentFloats.empty() && info.argumentFloats.front();
  if (!takesFloat && !info.resultIsFloat) {
    for (std::size_t i = 0; i < std::size(integerFunctions); ++i)
      if (name == integerFunctions[i].name &&
          info.arguments.size() == integerFunctions[i].arguments)
        return static_cast<int>(i);
    return -1;
  }
  if (!takesFloat || !info.resultIsFloat)
    return -1;
  for (std::size_t i = 0; i < std::size(floatFunctions); ++i) {
    const FloatFunction &function = floatFunctions[i];
    if ((name == function.name || name == std::string(function.name) + "f") &&
        info.arguments.size() == function.arguments)
      return firstFloat + static_cast<int>(i);
  }
  return -1;
}

/// A hash as a value: small whole floats, so that sums stay finite.
static std::uint64_t hashed(const ApplyInfo &info, const std::uint64_t *registers) {
  std::uint64_t hash = std::hash<std::string_view>{}(info.name);
  for (Register argument : info.arguments)
    hash = mix(hash, registers[argument]);
  if (info.resultIsFloat)
    return fromDouble(static_cast<double>(hash % 1024) / 64, info.floatKind);
  return truncated(hash, info.resultBits);
}

std::uint64_t applyFunction(const ApplyInfo &info, const std::uint64_t *registers) {
  if (info.known < 0)
    return hashed(info, registers);
  if (info.known >= firstHalf)
    return applyHalf(info, info.known - firstHalf, registers);
  if (info.known < firstFloat) {
    std::uint64_t values[2] = {};
    for (std::size_t i = 0; i < info.arguments.size(); ++i)
      values[i] = registers[info.arguments[i]];
    return truncated(integerFunctions[info.known].compute(values, info.argumentBits[0]),
                     info.resultBits);
  }
  const auto value = [&](std::size_t i) {
    return i < info.arguments.size()
               ? toDouble(registers[info.arguments[i]], *info.argumentFloats.front())
               : 0.0;
  };
  return fromDouble(floatFunctions[info.known - firstFloat].compute(value(0), value(1)),
                    info.floatKind);
}

} // namespace warpdrf::interpreter
