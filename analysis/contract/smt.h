// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Terms as SMT-LIB text over integers. Products of atoms are abstracted: each becomes an integer of
// its own, with the signs that its factors' ranges imply, so that the solver only sees linear
// arithmetic with div and mod.
#pragma once

#include "analysis/contract/term.h"

#include <string>
#include <vector>

namespace warpdrf::contract {

struct Script {
  std::string text;                ///< declarations and assertions
  std::vector<std::string> wanted; ///< constants whose values a model should give
  bool abstracted = false;         ///< some operation became an unknown: Sat may be spurious
  bool countsBits = false;         ///< the same of functions that are known on numbers
};

/// Asserts every term of `assertions`, with the ranges of the atoms in them.
Script makeScript(TermPool &pool, const std::vector<Term> &assertions);

/// A name as a script has it: in bars, without what cannot stand between them.
std::string quoted(std::string name);

/// The constant that stands for an atom without arguments in a script.
std::string smtName(const TermPool &pool, Term atom);

/// The constant whose value a model gives for an atom; the same when it has no arguments.
std::string valueName(const TermPool &pool, Term atom);

} // namespace warpdrf::contract
