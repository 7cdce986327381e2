// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How one language says things. To add a language: write <language>.cpp with a class, and name it
// in languages.cpp. Numbers are unsigned 32-bit words; a shader language's defaults are here.
#pragma once

#include "analysis/raise/raise.h"

#include <memory>
#include <utility>

namespace warpdrf::raise {

enum class Type { None, Bool, Word };

struct Parameter {
  std::string name;
  Type type = Type::Word;
};

class Language {
public:
  virtual ~Language() = default;

  virtual std::string extension() const = 0;
  /// What stands before the functions.
  virtual std::string prologue(const Subject &subject) const = 0;
  /// What stands behind them, the host's part for instance.
  virtual std::string epilogue(const Subject &) const { return ""; }
  virtual std::string kernelHeader(const Subject &subject) const = 0;
  virtual std::string functionHeader(const std::string &name, Type result,
                                     const std::vector<Parameter> &parameters) const;
  virtual std::string type(Type type) const;
  /// An expression for a value of the launch ("tid_x", "lane_id", …), or nothing.
  virtual std::string special(const std::string &which) const = 0;
  /// A primitive ("ballot", "reduce_add", …) of operands in text, or nothing if there is none.
  virtual std::string primitive(const std::string &kind,
                                const std::vector<std::string> &operands) const = 0;
  virtual std::string toSigned(const std::string &value) const { return "int(" + value + ")"; }
  virtual std::string toWord(const std::string &value) const { return "uint(" + value + ")"; }
};

/// The value of a name in a table; nothing if it is not there.
template <std::size_t Size>
std::string named(const std::pair<const char *, const char *> (&table)[Size],
                  const std::string &name) {
  for (const auto &[known, value] : table)
    if (name == known)
      return value;
  return "";
}

/// A call of the function that the table has for a primitive; nothing if it has none.
template <std::size_t Size>
std::string callOf(const std::pair<const char *, const char *> (&table)[Size],
                   const std::string &primitive, const std::vector<std::string> &operands) {
  const std::string function = named(table, primitive);
  return function.empty() ? "" : function + "(" + operands[0] + ")";
}

std::unique_ptr<Language> makeCuda();
std::unique_ptr<Language> makeGlsl();
std::unique_ptr<Language> makeHip();
std::unique_ptr<Language> makeHlsl();

/// Nothing when there is no such language.
std::unique_ptr<Language> makeLanguage(const std::string &target);

} // namespace warpdrf::raise
