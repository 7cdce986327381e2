// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/interpreter/values.h"

#include <limits>

namespace warpdrf::interpreter {

std::uint64_t narrowBits(double value, unsigned mantissa, unsigned exponent) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = (bits >> 63) << (mantissa + exponent);
  const std::uint64_t infinity = ((std::uint64_t{1} << exponent) - 1) << mantissa;
  if (std::isnan(value))
    return sign | infinity | std::uint64_t{1} << (mantissa - 1);
  const int bias = (1 << (exponent - 1)) - 1;
  value = std::fabs(value);
  if (std::isinf(value))
    return sign | infinity;
  if (value == 0)
    return sign;
  const int lowest = 1 - bias; // of normal numbers
  const int scale = std::max(std::ilogb(value), lowest);
  // Units of the last place; nearbyint rounds ties to even.
  const double units = std::nearbyint(std::ldexp(value, static_cast<int>(mantissa) - scale));
  const auto count = static_cast<std::uint64_t>(units);
  const std::uint64_t hidden = std::uint64_t{1} << mantissa;
  // A carry into the next power of two carries into the exponent by itself.
  const std::uint64_t result =
      count < hidden ? count
                     : (static_cast<std::uint64_t>(scale + bias) << mantissa) + (count - hidden);
  return sign | std::min(result, infinity);
}

double narrowValue(std::uint64_t bits, unsigned mantissa, unsigned exponent) {
  const std::uint64_t fraction = bits & ((std::uint64_t{1} << mantissa) - 1);
  const auto power = static_cast<int>((bits >> mantissa) & ((std::uint64_t{1} << exponent) - 1));
  const int bias = (1 << (exponent - 1)) - 1;
  double value;
  if (power == (1 << exponent) - 1)
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (power == 0)
    value = std::ldexp(static_cast<double>(fraction), 1 - bias - static_cast<int>(mantissa));
  else
    value = std::ldexp(static_cast<double>(fraction | std::uint64_t{1} << mantissa),
                       power - bias - static_cast<int>(mantissa));
  return (bits >> (mantissa + exponent)) & 1 ? -value : value;
}

template <typename T>
static T floatResult(Op op, T a, T b) {
  switch (op) {
  case Op::FAdd:
    return a + b;
  case Op::FSub:
    return a - b;
  case Op::FMul:
    return a * b;
  case Op::FDiv:
    return a / b;
  case Op::FRem:
    return std::fmod(a, b);
  case Op::FMax:
  case Op::FMin:
    if (std::isnan(a) || std::isnan(b))
      return std::numeric_limits<T>::quiet_NaN();
    [[fallthrough]];
  default:
    if (a == 0 && b == 0) // -0 < +0
      return (op == Op::FMax || op == Op::FMaxNum) == std::signbit(a) ? b : a;
    return op == Op::FMax || op == Op::FMaxNum ? std::fmax(a, b) : std::fmin(a, b);
  }
}

std::uint64_t floatArithmetic(Op op, FloatKind kind, std::uint64_t a, std::uint64_t b) {
  if (kind == FloatKind::F32)
    return std::bit_cast<std::uint32_t>(
        floatResult(op, std::bit_cast<float>(static_cast<std::uint32_t>(a)),
                    std::bit_cast<float>(static_cast<std::uint32_t>(b))));
  return fromDouble(floatResult(op, toDouble(a, kind), toDouble(b, kind)), kind);
}

/// The predicates are arith::CmpFPredicate's: 1..6 ordered (eq gt ge lt le ne), 7 ord, 8..13
/// unordered, 14 uno, 15 true.
bool compareFloats(unsigned predicate, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (predicate == 0 || predicate == 15)
    return predicate == 15;
  if (predicate == 7 || predicate == 14)
    return unordered == (predicate == 14);
  if (unordered)
    return predicate > 7;
  switch (predicate > 7 ? predicate - 7 : predicate) {
  case 1:
    return a == b;
  case 2:
    return a > b;
  case 3:
    return a >= b;
  case 4:
    return a < b;
  case 5:
    return a <= b;
  default:
    return a != b;
  }
}

/// As GPUs do: what does not fit becomes the nearest value that does, NaN zero.
std::uint64_t floatToInteger(double value, unsigned bits, bool isSigned) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  const double limit = std::ldexp(1.0, static_cast<int>(isSigned ? bits - 1 : bits));
  if (value >= limit)
    return truncated(isSigned ? ~std::uint64_t{0} >> (65 - bits) : ~std::uint64_t{0}, bits);
  if (!isSigned)
    return value <= 0 ? 0 : static_cast<std::uint64_t>(value);
  if (value < -limit)
    value = -limit;
  return truncated(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), bits);
}

std::uint64_t integerToFloat(std::uint64_t value, unsigned bits, bool isSigned, FloatKind kind) {
  const std::int64_t number = signedOf(value, bits);
  if (kind == FloatKind::F32) // through double it would round twice
    return std::bit_cast<std::uint32_t>(isSigned ? static_cast<float>(number)
                                                 : static_cast<float>(value));
  return fromDouble(isSigned ? static_cast<double>(number) : static_cast<double>(value), kind);
}

std::uint64_t integerArithmetic(Op op, std::uint64_t a, std::uint64_t b, unsigned bits) {
  const std::int64_t x = signedOf(a, bits), y = signedOf(b, bits);
  const auto wrapped = [&](std::int64_t value) {
    return truncated(static_cast<std::uint64_t>(value), bits);
  };
  switch (op) {
  case Op::DivS:
    return y == -1 ? truncated(0 - a, bits) : wrapped(x / y);
  case Op::DivU:
    return a / b;
  case Op::RemS:
    return y == -1 ? 0 : wrapped(x % y);
  case Op::RemU:
    return a % b;
  case Op::Shl:
    return b >= bits ? 0 : truncated(a << b, bits);
  case Op::ShrU:
    return b >= bits ? 0 : a >> b;
  case Op::ShrS:
    return wrapped(x >> std::min<std::uint64_t>(b, bits - 1));
  case Op::MinS:
    return x < y ? a : b;
  case Op::MaxS:
    return x > y ? a : b;
  case Op::MinU:
    return std::min(a, b);
  default:
    return std::max(a, b);
  }
}

} // namespace warpdrf::interpreter
