// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on register bits: integers of any width up to 64, the four float types with their own
// rounding.
#pragma once

#include "analysis/interpreter/code.h"

#include <bit>
#include <cmath>
#include <cstring>

namespace warpdrf::interpreter {

inline std::uint64_t truncated(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

inline std::int64_t signedOf(std::uint64_t value, unsigned bits) {
  const unsigned shift = 64 - bits;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

/// Rounds to the nearest value of a narrow format (ties to even) and gives its bits.
/// `mantissa` counts without the hidden bit.
std::uint64_t narrowBits(double value, unsigned mantissa, unsigned exponent);
double narrowValue(std::uint64_t bits, unsigned mantissa, unsigned exponent);

inline double toDouble(std::uint64_t bits, FloatKind kind) {
  switch (kind) {
  case FloatKind::F32:
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  case FloatKind::F64:
    return std::bit_cast<double>(bits);
  case FloatKind::F16:
    return narrowValue(bits, 10, 5);
  case FloatKind::BF16:
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16));
  }
  return 0;
}

inline std::uint64_t fromDouble(double value, FloatKind kind) {
  switch (kind) {
  case FloatKind::F32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  case FloatKind::F64:
    return std::bit_cast<std::uint64_t>(value);
  case FloatKind::F16:
    return narrowBits(value, 10, 5);
  case FloatKind::BF16:
    return narrowBits(value, 7, 8);
  }
  return 0;
}

inline bool compareIntegers(Comparison comparison, std::uint64_t a, std::uint64_t b,
                            unsigned bits) {
  const std::int64_t x = signedOf(a, bits), y = signedOf(b, bits);
  switch (comparison) {
  case Comparison::Eq:
    return a == b;
  case Comparison::Ne:
    return a != b;
  case Comparison::Slt:
    return x < y;
  case Comparison::Sle:
    return x <= y;
  case Comparison::Sgt:
    return x > y;
  case Comparison::Sge:
    return x >= y;
  case Comparison::Ult:
    return a < b;
  case Comparison::Ule:
    return a <= b;
  case Comparison::Ugt:
    return a > b;
  case Comparison::Uge:
    return a >= b;
  }
  return false;
}

inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 12) + (hash >> 4);
  hash *= 0xff51afd7ed558ccdull;
  return hash ^ (hash >> 32);
}

/// a op b for the two-operand float operations. Sums, products and quotients of the narrow formats
/// are right when rounded from double; f32 and f64 use the machine.
std::uint64_t floatArithmetic(Op op, FloatKind kind, std::uint64_t a, std::uint64_t b);
bool compareFloats(unsigned predicate, double a, double b);
std::uint64_t floatToInteger(double value, unsigned bits, bool isSigned);
std::uint64_t integerToFloat(std::uint64_t value, unsigned bits, bool isSigned, FloatKind kind);
/// The integer operations that are not one machine instruction; a divisor is not zero, a shift by
/// too much gives what is left when every bit has gone, as on GPUs.
std::uint64_t integerArithmetic(Op op, std::uint64_t a, std::uint64_t b, unsigned bits);

} // namespace warpdrf::interpreter
