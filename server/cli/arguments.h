// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command's arguments: options `--name VALUE` or `--name=VALUE`, flags, places for the rest, and
// what follows `--`. Each command declares its options; usage texts come from the declarations.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace warpdrf::cli {

class Arguments {
public:
  /// Stores a value; returns what is wrong with it, or an empty string.
  using Store = std::function<std::string(const std::string &value)>;

  /// `usage` is the line behind `warpdrf`, `about` what the command does.
  Arguments(std::string usage, std::string about);

  void flag(const std::string &name, const std::string &help, std::function<void()> set);
  void option(const std::string &name, const std::string &value, const std::string &help,
              Store store);
  /// An option that the program passes to itself.
  void hiddenOption(const std::string &name, Store store);
  /// Arguments that are not options; without this call they are errors.
  void positional(std::vector<std::string> &places) { this->places = &places; }
  /// What follows `--`; without this call `--` is an error.
  void rest(std::vector<std::string> &arguments) { after = &arguments; }

  /// The options that are given, in their order, as `--name=VALUE` or `--name=`.
  void given(std::vector<std::string> &options) { seen = &options; }

  /// Reads the arguments. True if the command should go on; else `exitCode` says how to end: usage
  /// was asked for and printed, or an error was.
  bool parse(const std::vector<std::string> &arguments, int &exitCode) const;

private:
  struct Option {
    std::string name;  ///< with its dashes
    std::string value; ///< what the help calls it; empty for a flag
    std::string help;
    bool hidden;
    Store store;
  };
  std::string usage, about;
  std::vector<Option> options;
  std::vector<std::string> *places = nullptr;
  std::vector<std::string> *after = nullptr;
  std::vector<std::string> *seen = nullptr;

  const Option *find(const std::string &name) const;
  std::string parseOption(const std::vector<std::string> &arguments, std::size_t &at) const;
  std::string parseAll(const std::vector<std::string> &arguments, bool &help) const;
  void printHelp() const;
};

/// A Store for a whole number of at least `least`.
Arguments::Store number(unsigned &target, unsigned least);
/// A Store for any text.
Arguments::Store text(std::string &target);
Arguments::Store text(std::optional<std::string> &target);

} // namespace warpdrf::cli
