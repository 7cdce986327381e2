// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of CUDA's half and bfloat16 and of their pairs, by name. A pair is two arguments,
// and a result of several numbers is several functions, named with ".0", ".1" behind. Every one of
// them computes a number from some of its arguments in double; its result is rounded once.
#include "analysis/interpreter/apply.h"

#include <algorithm>

namespace warpdrf::interpreter {

namespace {

struct Function {
  std::string_view name; ///< of halves, without "__"
  std::size_t operands;
  double (*compute)(const double *v);
};

/// Of one number, or of each number of a pair: then with a "2" behind or in front.
const Function elementwise[] = {
    {"hadd", 2, [](const double *v) { return v[0] + v[1]; }},
    {"hsub", 2, [](const double *v) { return v[0] - v[1]; }},
    {"hmul", 2, [](const double *v) { return v[0] * v[1]; }},
    {"hdiv", 2, [](const double *v) { return v[0] / v[1]; }},
    {"hmax", 2, [](const double *v) { return std::fmax(v[0], v[1]); }},
    {"hmin", 2, [](const double *v) { return std::fmin(v[0], v[1]); }},
    {"hfma", 3, [](const double *v) { return std::fma(v[0], v[1], v[2]); }},
    {"hneg", 1, [](const double *v) { return -v[0]; }},
    {"habs", 1, [](const double *v) { return std::fabs(v[0]); }},
    {"heq", 2, [](const double *v) -> double { return v[0] == v[1]; }},
    {"hne", 2, [](const double *v) -> double { return v[0] < v[1] || v[0] > v[1]; }},
    {"hle", 2, [](const double *v) -> double { return v[0] <= v[1]; }},
    {"hge", 2, [](const double *v) -> double { return v[0] >= v[1]; }},
    {"hlt", 2, [](const double *v) -> double { return v[0] < v[1]; }},
    {"hgt", 2, [](const double *v) -> double { return v[0] > v[1]; }},
    {"hisnan", 1, [](const double *v) -> double { return std::isnan(v[0]); }},
    {"hceil", 1, [](const double *v) { return std::ceil(v[0]); }},
    {"hfloor", 1, [](const double *v) { return std::floor(v[0]); }},
    {"htrunc", 1, [](const double *v) { return std::trunc(v[0]); }},
    {"hrint", 1, [](const double *v) { return std::nearbyint(v[0]); }},
    {"hexp", 1, [](const double *v) { return std::exp(v[0]); }},
    {"hexp2", 1, [](const double *v) { return std::exp2(v[0]); }},
    {"hexp10", 1, [](const double *v) { return std::pow(10.0, v[0]); }},
    {"hlog", 1, [](const double *v) { return std::log(v[0]); }},
    {"hlog2", 1, [](const double *v) { return std::log2(v[0]); }},
    {"hlog10", 1, [](const double *v) { return std::log10(v[0]); }},
    {"hrcp", 1, [](const double *v) { return 1 / v[0]; }},
    {"hsqrt", 1, [](const double *v) { return std::sqrt(v[0]); }},
    {"hrsqrt", 1, [](const double *v) { return 1 / std::sqrt(v[0]); }},
    {"hsin", 1, [](const double *v) { return std::sin(v[0]); }},
    {"hcos", 1, [](const double *v) { return std::cos(v[0]); }},
    {"htanh", 1, [](const double *v) { return std::tanh(v[0]); }},
    {"operator+", 2, [](const double *v) { return v[0] + v[1]; }},
    {"operator-", 2, [](const double *v) { return v[0] - v[1]; }},
    {"operator*", 2, [](const double *v) { return v[0] * v[1]; }},
    {"operator/", 2, [](const double *v) { return v[0] / v[1]; }},
    {"operator+", 1, [](const double *v) { return v[0]; }},
    {"operator-", 1, [](const double *v) { return -v[0]; }},
    {"operator==", 2, [](const double *v) -> double { return v[0] == v[1]; }},
    {"operator!=", 2, [](const double *v) -> double { return v[0] != v[1]; }},
    {"operator<=", 2, [](const double *v) -> double { return v[0] <= v[1]; }},
    {"operator>=", 2, [](const double *v) -> double { return v[0] >= v[1]; }},
    {"operator<", 2, [](const double *v) -> double { return v[0] < v[1]; }},
    {"operator>", 2, [](const double *v) -> double { return v[0] > v[1]; }},
    // Not by a name of their own: what the ones below choose, and what conversions to whole numbers
    // do.
    {"", 1, [](const double *v) { return v[0]; }},
    {"_rn", 1, [](const double *v) { return std::nearbyint(v[0]); }},
    {"_rz", 1, [](const double *v) { return std::trunc(v[0]); }},
    {"_rd", 1, [](const double *v) { return std::floor(v[0]); }},
    {"_ru", 1, [](const double *v) { return std::ceil(v[0]); }},
};

/// Converts or rearranges: which argument becomes the first and the second number of the result.
struct Choice {
  std::string_view name;
  std::array<std::uint8_t, 2> from;
};
const Choice choices[] = {
    {"half2float", {0, 0}},      {"float2half", {0, 0}},
    {"double2half", {0, 0}},     {"half22float2", {0, 1}},
    {"float22half2", {0, 1}},    {"floats2half2", {0, 1}},
    {"float2half2", {0, 0}},     {"make_half2", {0, 1}},
    {"halves2half2", {0, 1}},    {"half2half2", {0, 0}},
    {"low2half", {0, 0}},        {"high2half", {1, 1}},
    {"low2float", {0, 0}},       {"high2float", {1, 1}},
    {"low2half2", {0, 0}},       {"high2half2", {1, 1}},
    {"lows2half2", {0, 2}},      {"highs2half2", {1, 3}},
    {"lowhigh2highlow", {1, 0}}, {"internal_device_float2_to_half2", {0, 1}},
};

int find(std::string_view name, std::size_t operands) {
  for (std::size_t i = 0; i < std::size(elementwise); ++i)
    if (elementwise[i].name == name && elementwise[i].operands == operands)
      return static_cast<int>(i);
  return -1;
}

/// "hadd2" and "h2sqrt" to "hadd", "hsqrt".
std::string withoutPair(std::string name) {
  if (name.starts_with("h2"))
    return name.erase(1, 1);
  if (name.size() > 2 && name.ends_with("2") && name[name.size() - 2] >= 'a')
    name.pop_back();
  return name;
}

struct Name {
  std::string base; ///< without "__", of halves
  std::string rounding;
  std::size_t component = 0;
};

Name taken(std::string text) {
  Name name;
  if (const std::size_t dot = text.rfind('.'); dot != std::string::npos && dot + 2 == text.size()) {
    name.component = static_cast<std::size_t>(text.back() - '0');
    text.resize(dot);
  }
  for (std::size_t at; (at = text.find("bfloat16")) != std::string::npos;)
    text.replace(at, 8, "half");
  for (const char *prefix : {"__", "internal_sm80_device_h", "internal_device_h", "internal_h"})
    if (text.starts_with(prefix))
      text.erase(0, std::string_view(prefix).size() - (prefix[0] == 'i'));
  for (const char *rounding : {"_rn", "_rz", "_rd", "_ru"})
    if (text.ends_with(rounding)) {
      name.rounding = rounding;
      text.resize(text.size() - 3);
    }
  name.base = text;
  return name;
}

} // namespace

int halfFunction(ApplyInfo &info) {
  const auto isHalf = [](const std::optional<FloatKind> &kind) {
    return kind == FloatKind::F16 || kind == FloatKind::BF16;
  };
  const bool isResult = info.resultIsFloat && isHalf(info.floatKind);
  if (!isResult && std::ranges::none_of(info.argumentFloats, isHalf))
    return -1;
  const Name name = taken(info.name);
  const std::size_t count = info.arguments.size();
  for (const Choice &choice : choices)
    if (choice.name == name.base && name.component < 2 && choice.from[name.component] < count &&
        info.resultIsFloat && (name.rounding.empty() || name.rounding == "_rn")) {
      info.operands[0] = choice.from[name.component];
      return find("", 1);
    }
  // To and from whole numbers: half2int_rz, uint2half_rn.
  if (count == 1 && !name.rounding.empty() && name.base.find('2') != std::string::npos) {
    if (!info.resultIsFloat && name.base.starts_with("half2")) {
      info.isUnsigned = name.base[5] == 'u';
      return find(name.rounding, 1);
    }
    if (isResult && name.base.ends_with("2half") && name.rounding == "_rn") {
      info.isUnsigned = name.base[0] == 'u';
      return find("", 1);
    }
  }
  for (const std::string &base : {name.base, withoutPair(name.base)})
    for (const std::size_t operands : {3, 2, 1}) { // a + b of halves, not + of a pair
      const int found = count % operands == 0 ? find(base, operands) : -1;
      const std::size_t numbers = count / operands; // of each operand
      if (found < 0 || numbers > 2 || name.component >= numbers ||
          (!info.resultIsFloat && numbers > 1))
        continue;
      for (std::size_t i = 0; i < operands; ++i)
        info.operands[i] = static_cast<std::uint8_t>(i * numbers + name.component);
      return found;
    }
  return -1;
}

std::uint64_t applyHalf(const ApplyInfo &info, int function, const std::uint64_t *registers) {
  double values[3] = {};
  for (std::size_t i = 0; i < elementwise[function].operands; ++i) {
    const std::size_t at = info.operands[i];
    const std::uint64_t bits = registers[info.arguments[at]];
    values[i] =
        info.argumentFloats[at]
            ? toDouble(bits, *info.argumentFloats[at])
            : (info.isUnsigned ? static_cast<double>(bits)
                               : static_cast<double>(signedOf(bits, info.argumentBits[at])));
  }
  const double value = elementwise[function].compute(values);
  return info.resultIsFloat
             ? fromDouble(value, info.floatKind)
             : floatToInteger(value, info.resultBits, !info.isUnsigned && info.resultBits > 1);
}

} // namespace warpdrf::interpreter
