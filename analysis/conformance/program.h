// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conformance program as the generator makes it and the reducer takes it apart: control flow
// around *places*, which log. Its text is in the dialect (text.h). Not to be confused with
// analysis/fuzz, whose kernels are CUDA text on which checker and interpreter are compared.
#pragma once

#include <cstdint>
#include <vector>

namespace warpdrf::conformance {

/// A 32-bit number that a thread computes.
struct Value {
  enum class Kind {
    Literal,   ///< `number`
    Input,     ///< word `number` of the input: the same for all, unknown to a compiler
    LaneInput, ///< a word of its own for each thread, from row `number` of the input
    Lane,      ///< the lane's number
    Counter,   ///< of loop `number` around it, in its function
    Parameter, ///< of the function
  };
  Kind kind = Kind::Literal;
  unsigned number = 0;
  unsigned modulo = 0; ///< taken modulo this; 0: as it is
};

struct Condition {
  enum class Compare { Less, Equal, NotEqual, GreaterEqual };
  Value left;
  Compare compare = Compare::Less;
  Value right;
};

struct Statement;
using Block = std::vector<Statement>;

/// A branch's arm, a loop's body or a case.
struct Arm {
  std::vector<unsigned> labels; ///< of a case
  bool otherwise = false;       ///< the switch's default case
  bool falls = false;           ///< a case that goes on with the next one
  Block body;
};

enum class LoopForm { For, While, Do, Endless };

struct Statement {
  enum class Kind { Site, Note, If, Loop, Switch, Call, Break, Continue, Return };
  Kind kind = Kind::Site;
  /// Site, Note: the place it logs to; Loop: its counter; Call: the function.
  unsigned number = 0;
  LoopForm form = LoopForm::For;
  Condition condition; ///< of an If
  Value value;         ///< a Loop's bound, a Switch's selector, a Call's argument
  /// If: then and maybe else; Loop: the body, of an endless one what comes before the exit and what
  /// after; Switch: the cases.
  std::vector<Arm> arms;
};

struct Program {
  std::vector<Block> functions; ///< the first is the kernel
  unsigned width = 32, warps = 1;
  unsigned places = 0; ///< numbers of sites and notes are below
  std::vector<std::uint32_t> input;

  unsigned threads() const { return width * warps; }
};

/// The input: so many words for all, then rows of a word for each thread.
constexpr unsigned inputWords = 16, inputRows = 6;

} // namespace warpdrf::conformance
