// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of an `asm` statement as PTX instructions.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace warpdrf::frontend {

struct PtxInstruction {
  std::string predicate;             ///< `@p` or `@!p`, empty without
  std::vector<std::string> opcode;   ///< split at the dots: {"bar", "sync"}
  std::vector<std::string> operands; ///< split at top-level commas, spaces trimmed

  std::string name() const;                 ///< the opcode with its dots
  bool has(llvm::StringRef modifier) const; ///< a part of the opcode after the first
  bool startsWith(std::initializer_list<llvm::StringRef> parts) const;
  bool touchesMemory() const; ///< an operand in brackets
};

/// Declarations (`.reg`) and scope braces are left out.
std::vector<PtxInstruction> parsePtx(llvm::StringRef text);

/// `%3` is operand 3; nothing for registers and immediates.
std::optional<unsigned> operandIndex(llvm::StringRef operand);
/// `[%3]` or `[%3 + 16]`.
struct PtxAddress {
  unsigned operand;
  std::int64_t offset;
};
std::optional<PtxAddress> ptxAddress(llvm::StringRef operand);
/// The elements of `{%0, %1}`, or the operand itself.
std::vector<std::string> vectorElements(llvm::StringRef operand);

} // namespace warpdrf::frontend
