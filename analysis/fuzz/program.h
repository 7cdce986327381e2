// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small kernel as the generator makes it and the shrinker takes it apart: statements and
// expressions are patterns of CUDA text in which $0, $1, … stand for the operands. Text, because
// what is generated goes through the whole front end, and because a minimal program is to be read
// by people and kept as a fixture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::fuzz {

enum class Type { Integer, Condition, Mask };

struct Expression {
  Type type = Type::Integer;
  std::string pattern;
  std::vector<Expression> operands;
};

struct Statement;
using Block = std::vector<Statement>;

/// A branch's arm, a loop's body or a case. `label` is the line before it, if there is one.
struct Arm {
  std::string label;
  Block body;
};

struct Statement {
  std::string pattern;
  std::vector<Expression> operands;
  std::vector<Arm> arms;    ///< of an if, loop or switch
  std::string ending = "}"; ///< the line behind the last arm
};

/// A kernel over fixed names (see text()), and what is known of its launches.
struct Program {
  Block body;
  std::optional<std::int64_t> block, grid; ///< of the x axis; nothing: any
  std::int64_t rows = 1;                   ///< of a block, its y axis
};

/// Elements of the arrays that a kernel gets: every generated index is below.
constexpr std::uint64_t arrayElements = 1 << 15;

/// The kernel's CUDA text:
///   __global__ void NAME(int *g, int *h, int *count, const int *in, int n)
/// with shared arrays and locals of fixed names where they are used (s, t, v, tile16, …). t counts
/// the threads of a block, also of one with rows.
std::string text(const Program &program, const std::string &name);

/// The headers, records and functions that such texts use, to stand before them.
std::string helpers(const std::string &kernels);

} // namespace warpdrf::fuzz
