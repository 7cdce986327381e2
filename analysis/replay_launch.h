// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a witness to the arguments of a run, with what it leaves open chosen, and back to the words
// of `warpdrf run`.
#pragma once

#include "analysis/interpreter/interpreter.h"

#include <set>

namespace warpdrf {

/// What is free in a witness, chosen in one of several ways.
struct Choice {
  interpreter::Array::Fill fill;
  double value;        ///< of Constant
  std::uint64_t seed;  ///< of Random
  std::int64_t scalar; ///< of parameters that the witness does not name
};

/// What a witness says of the arguments.
struct Given {
  std::map<std::string, std::int64_t> scalars;
  std::map<std::string, std::map<std::uint64_t, std::int64_t>> elements;
  std::map<std::string, interpreter::Record> fields;
  std::map<std::string, interpreter::Alias> aliases;
  std::set<std::string> nulls; ///< pointers
  bool complete = true;        ///< nothing in it that no argument of the program is

  Given(const Witness &witness, const std::vector<interpreter::Parameter> &parameters);

  /// `zeroed`: an array that the kernel writes begins at zero, whatever is chosen.
  interpreter::Argument argument(const interpreter::Parameter &parameter, const Choice &choice,
                                 std::uint64_t elements, bool zeroed) const;
};

/// A launch as the witness has it, without arguments, bounded in what it may take.
interpreter::Launch launchOf(const Witness &witness, unsigned warpWidth);

/// The arguments of a launch as `--arg` takes them, by name.
std::map<std::string, std::string> argumentTexts(const interpreter::Launch &launch);

} // namespace warpdrf
