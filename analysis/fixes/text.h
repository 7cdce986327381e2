// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small questions about expressions as they are written. The answers are rough on purpose: a fix
// that goes wrong on them does not pass its re-check, so they only have to be right where that
// would not notice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpdrf::fixes {

std::string trimmed(std::string_view text);

/// Is the name in it, as a word?
bool mentions(std::string_view text, const std::string &name);

/// Is the variable assigned, counted up or down, or its address taken?
bool assigns(std::string_view text, const std::string &name);

/// The identifiers in it, each once, members and types among them.
std::vector<std::string> identifiers(std::string_view text);

/// May evaluating it touch memory or change anything: subscripts, dereferences, assignments, calls
/// of functions we do not know? Then not every thread may do so.
bool touchesMemory(std::string_view expression);

/// Could it be evaluated again after `between`, with the same result?
bool repeatable(const std::string &condition, std::string_view between);

/// The parts between separators outside of brackets.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

/// `a && b`, with the brackets that it takes; an empty `a` is true.
std::string both(const std::string &a, const std::string &b);

/// `condition ? value : neutral`
std::string chosen(const std::string &condition, const std::string &value,
                   const std::string &neutral);

/// The opposite. `file` is where declarations are looked up: `a < b` becomes `a >= b` for integers
/// only, because of NaN.
std::string negated(const std::string &condition, std::string_view file);

/// `base`, or with a number if the function knows that name.
std::string freshName(std::string_view function, const std::string &base);

/// Lines after the first, moved from one indentation to another.
std::string reindented(const std::string &text, const std::string &from, const std::string &to);

/// A call as written: `callee(arguments)`.
struct Call {
  std::string callee;
  std::vector<std::string> arguments;
  std::string text() const;
};
Call parseCall(std::string_view text);

/// `__shfl_sync` and the like: the first argument is a mask.
bool takesMask(const std::string &callee);

} // namespace warpdrf::fixes
